/* end.c - see end.h. */
#include "base/clock.h"
#include "queue/audit.h"
#include "queue/durable.h"
#include "queue/end.h"
#include "queue/keep.h"
#include "queue/quota.h"
#include "queue/worker_log.h"

void end_drain(struct engine *g)
{
	void (*const fn)(void *arg) = g->drained;

	g->drained = NULL;
	if (fn)
		fn(g->drained_arg);
}

void end_tell_drained(struct engine *g)
{
	if (!g->unended)
		end_drain(g);
}

/* The job has no result to fetch (any more): its record may be forgotten when
 * enough others have ended. */
static void keep_record(struct job *j)
{
	job_discharge(j);
	records_forgettable(&j->engine->records, j);
}

static void on_expiry(void *arg)
{
	struct job *j = arg;

	j->gone = true;
	durable_expire(j->engine, j);
	j->updated_ms = clock_wall_ms();
	job_forget_outputs(j);
	keep_record(j);
}

void end_keep_until(struct engine *g, struct job *j, int64_t until_ns)
{
	loop_timer_set(g->loop, &j->expiry, until_ns, on_expiry, j);
}

void end_restored(struct engine *g, struct job *j, const struct err *why)
{
	const int64_t age_ns = (clock_wall_ms() - j->finished_ms) * 1000000;

	j->end_state = j->state;
	if (why->code) {
		j->state = JOB_FAILED;
		j->err = *why;
		job_drop_outputs(j);
	}
	if (j->state == JOB_SUCCESSFUL && !j->gone)
		end_keep_until(g, j, clock_ns() + g->result_ttl_ns - age_ns);
	else
		records_forgettable(&g->records, j);
}

void end_release(struct engine *g, struct job *j)
{
	loop_timer_clear(g->loop, &j->grace);
	job_drop_operands(j);
	if (j->end_state != JOB_SUCCESSFUL)
		job_drop_outputs(j);
	job_unref(j);
}

/* Makes the end of the job known. */
static void tell_end(struct engine *g, struct job *j, enum job_state s,
                     const struct err *why)
{
	j->ending = false;
	job_set_state(j, s);
	j->err = *why;
	g->unended--;
	if (!j->part)
		tally_job(&g->tally, j);
	if (!j->part && g->audits)
		audit_write(j);
	quota_spend(j);
	if (s == JOB_SUCCESSFUL && j->keep)
		end_keep_until(g, j, j->ended_ns + g->result_ttl_ns);
	else
		keep_record(j);
	if (j->trace && !j->part)
		traces_keep(&g->traces, j);
	job_changed(j);
	if (j->on_end)
		j->on_end(j, j->on_end_arg);
	end_tell_drained(g);
}

static void conclude(struct engine *g, struct job *j, enum job_state s,
                     const struct err *why)
{
	j->end_state = s;
	j->ended_ns = clock_ns();
	job_go_on(j, j->ended_ns);
	j->finished_ms = j->updated_ms = clock_wall_ms();
	loop_timer_clear(g->loop, &j->deadline);
	if (!durable_records_end(g, j)) {
		keep_confirm(j->keeping);
		tell_end(g, j, s, why);
		return;
	}
	/* The tenant's next job need not wait until the end is written. */
	job_uncount(j);
	j->ending = true;
	durable_end(g, j, s, why, tell_end);
}

void end_job(struct engine *g, struct job *j, enum job_state s,
             const struct err *why)
{
	struct err e = *why;

	if (s == JOB_SUCCESSFUL && keep_outputs(j, &e))
		s = JOB_FAILED;
	conclude(g, j, s, &e);
	if (!j->preparing)
		end_release(g, j);
	else if (j->unwanted)
		j->unwanted(j->unwanted_arg);
}

static void on_grace_over(void *arg)
{
	struct job *j = arg;
	struct worker *w = state_worker_of(j->engine, j);

	if (!w)
		return;
	worker_log_stuck(w, j->id);
	worker_kill(w);
}

void end_early(struct engine *g, struct job *j, enum job_state s,
               const struct err *why)
{
	struct worker *w = state_worker_of(g, j);

	if (w) {
		worker_cancel(w, j->serial);
		loop_timer_set(g->loop, &j->grace, clock_ns() + g->grace_ns,
		               on_grace_over, j);
		conclude(g, j, s, why);
	} else if (j->waiting) {
		waiting_remove(&g->waiting, j);
		end_job(g, j, s, why);
	} else if (j->preparing) {
		end_job(g, j, s, why);
	} else {
		/* Its answer has arrived: answered_finish() releases it. */
		conclude(g, j, s, why);
	}
}

void end_by_device(struct engine *g, struct job *j, const struct worker *w,
                   const char *how)
{
	struct err e = { 0 };

	if (job_is_over(j)) {
		end_release(g, j);
		return;
	}
	err_set(&e, ERR_DEVICE, "the worker of device %d (%.60s) %.140s",
	        w->sheet.index, w->sheet.name, how);
	end_job(g, j, JOB_FAILED, &e);
}
