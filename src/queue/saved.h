/* saved.h - the saved pipelines of a service that shares no queue with others,
 * in memory: texts under names, each a tenant's. */
#ifndef QUEUE_SAVED_H
#define QUEUE_SAVED_H

#include "matrix/store.h"
#include "queue/tenant.h"

struct saved {
	const struct tenant *tenant;
	char name[STORE_NAME];
	char *text;
};

/* Sorted by tenant and name. { 0 } is empty. */
struct saved_list {
	struct saved *at;
	int n, room;
};

void saved_fini(struct saved_list *l);

/* Returns the tenant's text of that name, or NULL with ERR_NOT_FOUND. */
const struct saved *saved_find(const struct saved_list *l,
                               const struct tenant *t, const char *name,
                               struct err *e);

/* Saves a copy of the text. Returns 1 if the name is new, 0 if the text
 * replaces another, -1 with ERR_MEMORY, also if the tenant has DEPOT_PIPELINES
 * already. */
int saved_put(struct saved_list *l, const struct tenant *t, const char *name,
              const char *text, struct err *e);

void saved_remove(struct saved_list *l, const struct saved *s);

#endif
