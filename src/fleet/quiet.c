/* quiet.c - see quiet.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/quiet.h"

/* Returns how many devices neither compute nor are reserved. */
static int idle(const struct fleet *f)
{
	int n = -claim_active(f) - f->n_reserved - f->n_quiet;

	for (int i = 0; i < engine_devices(f->engine); i++)
		n += engine_healthy(f->engine, i);
	return n;
}

bool quiet_reserve(struct fleet *f, const char *device, uint64_t bytes)
{
	const struct memory_pool *const m = f->options.memory;
	const bool any = strcmp(device, "auto") == 0 ||
	                 engine_devices(f->engine) == 1;

	if (!any || f->draining || !f->joined || !engine_ready(f->engine) ||
	    f->n_quiet + f->n_reserved >= FLEET_QUIET || idle(f) <= 0 ||
	    memory_pool_used(m) + bytes > memory_pool_limit(m))
		return false;
	f->n_reserved++;
	return true;
}

void quiet_cancel(struct fleet *f)
{
	f->n_reserved--;
}

void quiet_accepted(struct fleet *f, const char *id)
{
	f->n_reserved--;
	snprintf(f->quiet[f->n_quiet++], JOB_ID, "%s", id);
	claim_begin(f, true);
}

void quiet_claimed(struct fleet *f, const char *id)
{
	for (int i = 0; i < f->n_quiet; i++)
		if (strcmp(f->quiet[i], id) == 0) {
			memmove(f->quiet[i], f->quiet[--f->n_quiet], JOB_ID);
			return;
		}
}

void quiet_none_left(struct fleet *f)
{
	if (!f->hinted)
		f->n_quiet = 0;
}

/* --- notifying every host */

static int announce(struct call *c, struct pg *p, struct err *e)
{
	(void)c;
	return pg_count(p, S_NOTIFY, NULL, e) < 0 ? -1 : 0;
}

static void announced(struct call *c)
{
	free(c);
}

void quiet_announce(struct fleet *f)
{
	struct call *c = f->n_quiet && !f->closed ? calloc(1, sizeof *c) :
	                                            NULL;

	f->n_quiet = 0;
	if (!c)
		return;
	*c = (struct call){ .work = announce, .done = announced };
	crew_submit(f->front, c);
}
