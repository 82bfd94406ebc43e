/* asking.h - calls on behalf of somebody who may lose interest, for ask.c and
 * change.c alone. */
#ifndef FLEET_ASKING_H
#define FLEET_ASKING_H

#include "fleet/fleet_state.h"
#include "queue/tenant.h"

/* What every asking call begins with. */
struct asking {
	struct call call;
	struct fleet_ask ask;
	struct fleet *fleet;
	char id[STORE_NAME], tenant[TENANT_NAME];
	bool anybody;
};

/* The tenant whose job it must be; NULL: anybody's. */
struct pg_value asking_tenant(const struct asking *a);

/* Makes a call of `size` bytes, which begins with a struct asking; NULL with
 * ERR_MEMORY. */
void *asking_new(struct fleet *f, size_t size, const char *id,
                 const struct tenant *t,
                 int (*work)(struct call *c, struct pg *p, struct err *e),
                 void (*done)(struct call *c), struct err *e);

/* ERR_NOT_FOUND. */
int asking_not_found(const struct asking *a, struct err *e);

#endif
