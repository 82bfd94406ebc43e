/* lookup.c - see lookup.h. */
#include "http/lookup.h"
#include "queue/backing.h"

bool lookup_is_view(const struct job *j)
{
	return j->engine == NULL;
}

bool lookup_is_own(const struct job *j)
{
	return !j->backing || !j->backing->shared;
}

const struct tenant *lookup_tenant(const struct exchange *x)
{
	return exchange_is_admin(x) ? NULL : exchange_tenant(x);
}

static void on_found(void *arg, struct job *j, const struct err *e)
{
	struct lookup *const l = arg;

	l->ask = NULL;
	if (j)
		l->then(l->arg, j);
	else
		exchange_reply_problem(l->x, e, NULL);
}

int lookup_job(struct lookup *l, struct exchange *x, bool results,
               void (*then)(void *arg, struct job *j), void *arg,
               struct err *e)
{
	const struct api *a = exchange_context(x);
	struct job *j = service_own_job(x, e);

	if (e->code)
		return -1;
	if (j) {
		then(arg, j);
		return 0;
	}
	*l = (struct lookup){ .x = x, .then = then, .arg = arg };
	if (a->options.fleet)
		l->ask = fleet_find(a->options.fleet, exchange_segment(x, 0),
		                    lookup_tenant(x), results, on_found, l, e);
	else
		service_no_job(x, e);
	return l->ask ? 0 : -1;
}

void lookup_end(struct lookup *l)
{
	fleet_cancel(l->ask);
	l->ask = NULL;
}
