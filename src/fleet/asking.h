/* asking.h - what the calls that answer a question (queue/ask.h) have in
 * common: each is made for one HTTP request about one job, or about what a
 * tenant has. */
#ifndef FLEET_ASKING_H
#define FLEET_ASKING_H

#include "fleet/fleet_state.h"
#include "queue/tenant.h"

/* The first member of each such call. */
struct asking {
	struct call call;
	struct ask ask;
	struct fleet *fleet;
	char id[STORE_NAME];		/* the job's */
	char tenant[TENANT_NAME];
	bool any_tenant;		/* instead of that one */
};

/* The tenant as a statement's parameter: NULL if it is any tenant. */
struct pg_value asking_tenant(const struct asking *a);

/* Fills in a struct that the caller has allocated, all zero; asking_new() does
 * the same with one that it allocates. */
void asking_init(struct asking *a, struct depot *d, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c));

/* Makes a call of `size` bytes, which begins with a struct asking; t is NULL
 * for any tenant. NULL with ERR_STATE while the database does not answer, or
 * with ERR_MEMORY. */
void *asking_new(struct depot *d, size_t size, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c), struct err *e);

/* Submits the call, whose answer `by` gets. */
void asking_submit(struct asking *a, struct asker *by);

#endif
