/* put_off.c - see put_off.h. */
#include "base/clock.h"
#include "queue/put_off.h"

bool put_off_by(struct engine *g, const struct worker *w, struct job *j,
                const struct done *d)
{
	if (d->err.code != ERR_NOT_READY || d->serial != j->serial ||
	    job_state_is_end(j->state))
		return false;
	job_put_off(j, (int)(w - g->worker), j->started_ns);
	j->attempts--;
	dispatch_wait_again(g, j);
	return true;
}

void put_off_on_compiled(void *arg, struct worker *w)
{
	struct engine *g = arg;

	waiting_warmed(&g->waiting, UINT64_C(1) << (w - g->worker),
	               clock_ns());
	dispatch_take_all(g);
}
