/* api.h - the service's HTTP face: routes, handlers and who may call them.
 *
 * All on the loop's thread. What options point to outlives the api.
 */
#ifndef HTTP_API_H
#define HTTP_API_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/pool.h"
#include "http/access.h"
#include "http/origin.h"
#include "matrix/memory.h"
#include "queue/engine.h"

struct api;

struct api_options {
	struct loop *loop;
	struct engine *engine;
	struct memory_pool *memory;	/* operands and results */
	struct pool *codec;		/* for what takes longer than 1 ms */
	const char *listen;	/* "127.0.0.1:8080", "[::1]:0", "fd:3" */
	uint64_t max_body;		/* bytes of one request's body */
	int64_t transfer_ns;		/* for a body or a reply, see pace.h */
	struct origin_rules origins;
	const char *token_file;		/* both NULL: no token is asked for */
	const char *token;		/* a further one */
	enum access_log access_log;
};

/* Listens and serves from the loop's next turn on. */
struct api *api_new(const struct api_options *o, struct err *e);
int api_port(const struct api *a);

/* Reads the token file again; the old tokens stay when that fails. */
int api_reload(struct api *a, struct err *e);

/* The steps of an orderly end. /readyz says 503, all else goes on; replies end
 * their connections, so that clients go elsewhere; no new connections. */
void api_unready(struct api *a);
void api_leave(struct api *a);
void api_quiesce(struct api *a);

/* Is a request or its reply under way? */
bool api_busy(const struct api *a);

/* Ends all connections. What the pool still prepares and prints for them uses
 * the api until the pool is freed; then it may go. */
void api_close(struct api *a);
void api_free(struct api *a);

#endif
