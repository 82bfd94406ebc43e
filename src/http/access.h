/* access.h - the access log: one line per request, when its exchange ends.
 *
 *     POST /eigen 200 op=eigen shapes=a:3x3 job=... device=0 queue_ms=0.07
 *         parse_ms=0.02 ... compute_ms=0.09 ... total_ms=0.41 bytes_in=46 ...
 *
 * The times of the job's stages are those that the reply tells; total_ms runs
 * from the request's first byte to the end of the exchange. The line of a
 * failed request has the problem's kind and detail. The fields trace and span
 * are those of traceparent.h. The status is 499 if the client closed the
 * connection before the reply. GET /healthz and GET /readyz are not logged.
 */
#ifndef HTTP_ACCESS_H
#define HTTP_ACCESS_H

#include "http/handler.h"
#include "queue/job.h"

enum access_log { ACCESS_OFF, ACCESS_ERRORS, ACCESS_ON };

/* Facts for the line that handlers add to those of the exchange. { 0 } in the
 * beginning. */
struct access {
	struct job *job;		/* a reference, or NULL */
	int status;			/* of a reply sent by linger.h; 0: none
					 * was */
	char token[40];			/* the token's name, or "" */
	char shapes[96];		/* "a:3x3,b:3", or "" */
	enum err_code problem;		/* ERR_NONE: none */
	char detail[sizeof ((struct err *)NULL)->text];
};

/* Adds the job that the exchange concerns. */
void access_job(struct exchange *x, struct job *j);

/* Adds the shapes of the request's operands. Must not be called while a pool
 * thread prepares them. */
void access_shapes(struct exchange *x, const struct args *args);
void access_token(struct exchange *x, const char *name);
void access_problem(struct exchange *x, const struct err *e);
void access_fini(struct access *a);

/* Returns whether the request is GET /healthz or GET /readyz. */
bool access_is_probe(const struct exchange *x);

/* The status that the client got; 499 if it left before the reply. */
int access_status(const struct exchange *x);

/* Writes the line of an exchange that ends. */
void access_write(const struct exchange *x, enum access_log which);

#endif
