/* server.h - starts and stops the HTTP server. Only server.c and response.c use
 * libmicrohttpd. Handlers see handler.h alone.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include "base/loop.h"
#include "http/handler.h"
#include "http/origin.h"
#include "http/pace.h"

struct server;

struct server_options {
	const char *listen;	/* addresses as listen_open() takes, separated
				 * by commas: "127.0.0.1:8080", "fd:3,fd:4" */
	uint64_t max_body;		/* bytes, also after decoding */
	struct memory_pool *memory;	/* charged for decoders and encoders */
	struct pool *codec;		/* encodes large replies; memory and
					 * codec may be NULL */
	struct paces paces;		/* of bodies and replies */
	unsigned connections;		/* at most; 0: as descriptors allow */
	struct origin_rules origins;
	const struct route *routes;	/* ends with a NULL path */
	/* Called before the handler; -1 refuses the request, as with 401. */
	int (*admit)(struct exchange *x, void *arg, struct err *e);
	/* Adds advice to an error: what the client can do. May be NULL. */
	void (*explain)(const struct exchange *x, struct err *e, void *arg);
	bool log_shapes;		/* the access log tells operands' */
	/* Called last, for the access log and the counts of requests; may be
	 * NULL. */
	void (*ended)(const struct exchange *x, void *arg);
	void *arg;			/* exchange_context() */
};

struct server *server_new(struct loop *l, const struct server_options *o,
                          struct err *e);
int server_port(const struct server *s);	/* of the first socket */
void server_leave(struct server *s);	/* each reply ends its connection */
void server_quiesce(struct server *s);		/* no new connections */
bool server_busy(const struct server *s);	/* is a request under way? */
void server_free(struct server *s);

#endif
