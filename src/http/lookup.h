/* lookup.h - finds the job that a request's path names, in this process or in
 * the fleet's database (fleet/fleet.h). */
#ifndef HTTP_LOOKUP_H
#define HTTP_LOOKUP_H

#include "fleet/fleet.h"
#include "http/service.h"

/* A lookup that is under way; { 0 } is one that has not begun. */
struct lookup {
	struct exchange *x;
	struct fleet_ask *ask;		/* NULL: the database is not asked */
	void (*then)(void *arg, struct job *j);
	void *arg;
};

/* Finds the job and calls then(arg, j), before it returns if the job is this
 * process's own, else later. j is borrowed. `results`: a view of a fleet's job
 * is to have its results, if there are any. If there is no such job, either
 * returns -1 with *e, or replies with that problem later. */
int lookup_job(struct lookup *l, struct exchange *x, bool results,
               void (*then)(void *arg, struct job *j), void *arg,
               struct err *e);

/* Ends a lookup. Must be called when the exchange ends. */
void lookup_end(struct lookup *l);

/* Is the job a view of a fleet's job? */
bool lookup_is_view(const struct job *j);

/* The tenant whose jobs the request may see; NULL: those of all tenants. */
const struct tenant *lookup_tenant(const struct exchange *x);

/* Is it a job of this process alone, and not one that it runs for the fleet? */
bool lookup_is_own(const struct job *j);

#endif
