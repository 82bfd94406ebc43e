/* api.h - the service's HTTP interface: routes, handlers and who may call them.
 *
 * All functions are called on the loop's thread. What the options point to must
 * outlive the api.
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
#include "queue/depot.h"

struct api;

struct api_options {
	struct loop *loop;
	struct engine *engine;
	struct memory_pool *memory;	/* operands and results */
	struct pool *codec;		/* for work of more than 1 ms */
	struct depot *depot;		/* of jobs, stored matrices and saved
					 * pipelines */
	const char *listen;	/* see struct server_options */
	uint64_t share_memory;		/* bytes of all shares; 0: none */
	uint64_t max_body;		/* bytes of one request's body */
	int64_t transfer_ns;		/* for a body or a reply, see pace.h */
	struct origin_rules origins;
	const char *token_file;		/* both NULL: no token is required */
	const char *token;		/* an additional one */
	enum access_log access_log;
};

/* Listens and serves from the loop's next turn on. */
struct api *api_new(const struct api_options *o, struct err *e);
int api_port(const struct api *a);

/* Reads the token file again; the old tokens stay when that fails. */
int api_reload(struct api *a, struct err *e);

/* The steps of an orderly shutdown: /readyz replies 503 and everything else
 * goes on; each reply closes its connection; no new connections are
 * accepted. */
void api_unready(struct api *a);
void api_leave(struct api *a);
void api_quiesce(struct api *a);

/* Is a request or its reply under way? */
bool api_busy(const struct api *a);

/* Closes all connections. Tasks of the pool use the api until the pool is
 * freed; only then may api_free() be called. */
void api_close(struct api *a);
void api_free(struct api *a);

#endif
