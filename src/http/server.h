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
	const char *listen;	/* "127.0.0.1:8080", "[::1]:0", "fd:3" */
	uint64_t max_body;
	struct paces paces;		/* of bodies and replies */
	unsigned connections;		/* at most; 0: as descriptors allow */
	struct origin_rules origins;
	const struct route *routes;	/* ends with a NULL path */
	/* Called before the handler; -1 refuses the request, as with 401. */
	int (*admit)(struct exchange *x, void *arg, struct err *e);
	bool log_shapes;		/* the access log tells operands' */
	/* Called last, for the access log and the counts of requests; may be
	 * NULL. */
	void (*ended)(const struct exchange *x, void *arg);
	void *arg;			/* exchange_context() */
};

struct server *server_new(struct loop *l, const struct server_options *o,
                          struct err *e);
int server_port(const struct server *s);
void server_leave(struct server *s);	/* each reply ends its connection */
void server_quiesce(struct server *s);		/* no new connections */
bool server_busy(const struct server *s);	/* is a request under way? */
void server_free(struct server *s);

#endif
