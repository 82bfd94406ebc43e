/* requests.h - counts requests, for GET /metrics. Arrays of a fixed size, which
 * only the loop's thread uses. */
#ifndef HTTP_REQUESTS_H
#define HTTP_REQUESTS_H

#include <stdint.h>

#include "base/err.h"

enum { REQUEST_STATUSES = 600 };	/* HTTP's are below */

struct requests {
	int routes;
	/* Of the routes in their order and, last, of requests for which there
	 * is no route. */
	uint64_t (*answered)[REQUEST_STATUSES];
	uint64_t refused[ERR_COUNT];	/* without a job, by the error */
	uint64_t received, sent;	/* bytes of bodies */
};

/* A request that has ended. */
struct request_facts {
	int route;			/* -1: none */
	int status;
	enum err_code refused;		/* ERR_NONE: it was not, its job
					 * failed, or it is a probe */
	uint64_t received, sent;
};

int requests_init(struct requests *r, int routes, struct err *e);
void requests_fini(struct requests *r);
void requests_count(struct requests *r, const struct request_facts *f);

#endif
