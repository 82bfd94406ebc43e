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
	const char *token_file;		/* NULL: no token is asked for */
};

/* Listens and serves from the loop's next turn on. */
struct api *api_new(const struct api_options *o, struct err *e);
int api_port(const struct api *a);

/* Reads the token file again; the old tokens stay when that fails. */
int api_reload(struct api *a, struct err *e);

/* No new connections; /readyz says 503. Requests under way go on. */
void api_quiesce(struct api *a);

/* Is a request or its reply under way? */
bool api_busy(const struct api *a);

/* Ends all connections. What the pool still prepares and prints for them uses
 * the api until the pool is freed; then it may go. */
void api_close(struct api *a);
void api_free(struct api *a);

#endif
