/* lookup.h - finds the job that a request's path names, wherever it is: in this
 * process, or in the fleet's database (fleet/fleet.h). */
#ifndef HTTP_LOOKUP_H
#define HTTP_LOOKUP_H

#include "fleet/fleet.h"
#include "http/service.h"

/* { 0 } looks for nothing. */
struct lookup {
	struct exchange *x;
	struct fleet_ask *ask;		/* under way; NULL: none is */
	void (*then)(void *arg, struct job *j);
	void *arg;
};

/* Calls then(arg, j), now or later, with the job, borrowed; a view of the
 * fleet's has its results if they are wanted and there are some. Replies with
 * the problem if there is none, or returns -1 with *e. */
int lookup_job(struct lookup *l, struct exchange *x, bool results,
               void (*then)(void *arg, struct job *j), void *arg,
               struct err *e);

/* To be called at the exchange's end. */
void lookup_end(struct lookup *l);

/* Is it a view of a job of the fleet? */
bool lookup_is_view(const struct job *j);

/* Whose jobs the request may see; NULL: everybody's. */
const struct tenant *lookup_tenant(const struct exchange *x);

/* Is it a job of this process's own, and not one that it runs for the fleet? */
bool lookup_is_own(const struct job *j);

#endif
