/* requests.h - counts requests, for GET /metrics. The arrays never grow, and
 * only the loop's thread uses them. */
#ifndef HTTP_REQUESTS_H
#define HTTP_REQUESTS_H

#include <stdint.h>

#include "base/err.h"

enum { REQUEST_STATUSES = 600 };	/* HTTP's statuses are less */

struct requests {
	int routes;
	/* answered[i][status] counts the requests for route i, or, where i is
	 * `routes`, those for which there is no route. */
	uint64_t (*answered)[REQUEST_STATUSES];
	uint64_t refused[ERR_COUNT];	/* requests without a job, by the
					 * error */
	uint64_t received, sent;	/* bytes of bodies */
};

/* A request that has ended. */
struct request_facts {
	int route;			/* -1: none */
	int status;
	enum err_code refused;		/* ERR_NONE: it was not refused, its
					 * job failed, or it is a probe of
					 * health */
	uint64_t received, sent;
};

/* requests_init() makes room for that many routes; -1 with ERR_MEMORY. r must
 * be { 0 } before. */
int requests_init(struct requests *r, int routes, struct err *e);
void requests_fini(struct requests *r);
void requests_count(struct requests *r, const struct request_facts *f);

#endif
