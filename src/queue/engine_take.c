/* engine_take.c - see engine.h: takes jobs that an earlier process of this host
 * or another host of a fleet has accepted, and gives the latter back. */
#include <assert.h>

#include "queue/admit.h"
#include "queue/audit.h"
#include "queue/dispatch.h"
#include "queue/end.h"
#include "queue/engine.h"
#include "queue/engine_take.h"
#include "queue/plan.h"
#include "queue/quota.h"

int engine_admit(const struct engine *g, struct job *j, struct err *e)
{
	const struct sheet *sheets[SHEETS];

	for (int i = 0; i < g->n_workers; i++)
		sheets[i] = &g->worker[i].sheet;
	return admit_devices(j, sheets, g->n_workers, e);
}

void engine_set_deadline(struct engine *g, struct job *j)
{
	if (j->deadline_ns)
		loop_timer_set(g->loop, &j->deadline, j->deadline_ns,
		               dispatch_on_deadline, j);
}

void engine_restore(struct engine *g, struct job *j, const struct err *why)
{
	struct err e = *why;

	assert(loop_is_here(g->loop));
	j->engine = g;
	if (j->serial > g->serial)
		g->serial = j->serial;
	records_add(&g->records, j);
	job_charge(j, g->memory, &(struct err){ 0 });
	quota_charge(g, j, &(struct err){ 0 });
	if (job_state_is_end(j->state)) {
		end_restored(g, j, why);
		return;
	}
	job_count(j);
	j->accepted_ns = j->first_byte_ns = clock_ns() -
	    (clock_wall_ms() - j->created_ms) * 1000000;
	g->unended++;
	job_ref(j);		/* the queue's */
	engine_set_deadline(g, j);
	if (e.code || engine_admit(g, j, &e))
		end_job(g, j, JOB_FAILED, &e);
	else
		dispatch_place(g, j);
}

int64_t engine_cost_ns(const struct engine *g, const struct job *j)
{
	int64_t least = 0;

	for (int i = 0; i < g->n_workers; i++) {
		const int64_t ns = j->devices >> g->worker[i].sheet.index & 1 ?
		                   plan_cost(g, j, i) : 0;

		if (ns > 0 && (!least || ns < least))
			least = ns;
	}
	return least ? least : WAITING_DEFAULT_NS;
}

bool engine_withdraw(struct engine *g, struct job *j)
{
	assert(loop_is_here(g->loop));
	if (!j->waiting || j->on_end || job_is_over(j))
		return false;
	loop_timer_clear(g->loop, &j->deadline);
	waiting_remove(&g->waiting, j);
	job_uncount(j);
	j->ending = true;
	g->unended--;
	records_remove(&g->records, j);
	end_release(g, j);
	end_tell_drained(g);
	return true;
}

int engine_adopt(struct engine *g, struct job *j, struct err *e)
{
	assert(loop_is_here(g->loop));
	if (g->draining)
		return err_set(e, ERR_NOT_READY, "the service is stopping");
	if (engine_admit(g, j, e))
		return -1;
	if (g->audits)
		audit_note(j);
	j->engine = g;
	j->serial = ++g->serial;
	quota_charge(g, j, &(struct err){ 0 });
	job_set_state(j, JOB_ACCEPTED);
	job_count(j);
	g->unended++;
	records_add(&g->records, j);
	job_ref(j);		/* the queue's */
	engine_set_deadline(g, j);
	dispatch_place(g, j);
	return 0;
}
