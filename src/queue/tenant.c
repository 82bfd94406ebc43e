/* tenant.c - see tenant.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/tenant.h"

struct tenants {
	struct tenant *first;
};

struct tenants *tenants_new(struct err *e)
{
	struct tenants *t = calloc(1, sizeof *t);

	if (!t)
		err_set(e, ERR_MEMORY, "no memory for the tenants");
	return t;
}

void tenants_free(struct tenants *t)
{
	while (t && t->first) {
		struct tenant *const next = t->first->next;

		free(t->first);
		t->first = next;
	}
	free(t);
}

struct tenant *tenants_get(struct tenants *t, const char *name, struct err *e)
{
	struct tenant *at = t->first;

	while (at && strcmp(at->name, name) != 0)
		at = at->next;
	if (at)
		return at;
	at = calloc(1, sizeof *at);
	if (!at) {
		err_set(e, ERR_MEMORY, "no memory for the tenant");
		return NULL;
	}
	snprintf(at->name, sizeof at->name, "%s", name);
	at->number = t->first ? t->first->number + 1 : 1;
	at->next = t->first;
	t->first = at;
	return at;
}

bool tenant_may_run(const struct tenant *t, uint64_t more)
{
	return !t || !t->limits.running ||
	       t->use.running + more < t->limits.running;
}

struct tenant *tenants_first(const struct tenants *t)
{
	return t->first;
}
