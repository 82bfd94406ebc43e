/* asking.h - what the calls of ask.c and change.c have in common: each is made
 * for one HTTP request about one job, or about a tenant's jobs, and may be
 * cancelled. */
#ifndef FLEET_ASKING_H
#define FLEET_ASKING_H

#include "fleet/fleet_state.h"
#include "queue/tenant.h"

/* The first member of each such call. */
struct asking {
	struct call call;
	struct fleet_ask ask;
	struct fleet *fleet;
	char id[STORE_NAME];		/* the job's */
	char tenant[TENANT_NAME];
	bool any_tenant;		/* instead of that one */
};

/* The tenant as a statement's parameter: NULL if it is any tenant. */
struct pg_value asking_tenant(const struct asking *a);

/* Fills in a struct that the caller has allocated, all zero; asking_new() does
 * the same with one that it allocates. */
void asking_init(struct asking *a, struct fleet *f, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c));

/* Makes a call of `size` bytes, which begins with a struct asking; t is NULL
 * for any tenant. NULL with ERR_STATE while the database does not answer, or
 * with ERR_MEMORY. */
void *asking_new(struct fleet *f, size_t size, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c), struct err *e);

/* Sets *e to ERR_NOT_FOUND, and returns -1. */
int asking_not_found(const struct asking *a, struct err *e);

#endif
