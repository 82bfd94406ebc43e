/* invariant.c - see invariant.h. Every unended job must be in exactly one
 * place: it is prepared, waits, runs on one worker, or is split and its parts
 * are in one place each. */
#include <string.h>

#include "tests/model/fakes.h"
#include "tests/model/invariant.h"
#include "tests/model/leases.h"
#include "tests/model/world.h"

static int in_flow(const struct flow *f, const struct job *j)
{
	int n = 0;

	for (int p = 0; p < PRIORITIES; p++)
		for (const struct job *k = f->at[p].first; k; k = k->next)
			n += k == j;
	return n;
}

static int in_queue(const struct job *j)
{
	int n = 0;

	for (const struct flow *f = world.engine->waiting.first; f;
	     f = f->next)
		n += in_flow(f, j);
	return n;
}

static int in_workers(const struct job *j)
{
	int n = 0;

	for (int i = 0; i < world.engine->n_workers; i++)
		for (int k = 0; k < world.engine->worker[i].n_running; k++)
			n += world.engine->worker[i].running[k] == j;
	return n;
}

static const char *broken_place(const struct job *j)
{
	const int queued = in_queue(j), running = in_workers(j);
	const int places = queued + running + j->preparing +
	                   (j->split != NULL);

	if (queued != j->waiting)
		return "a job is marked wrongly as waiting";
	if (job_state_is_end(j->state))
		return queued ? "an ended job waits" :
		       running > 1 ? "an ended job runs twice" : NULL;
	if (j->ending)
		return queued ? "a job waits while its end is recorded" :
		       running > 1 ? "a job runs twice" : NULL;
	if (places != 1)
		return places ? "a job is in two places" : "a job is lost";
	if ((j->state == JOB_RUNNING) != (running || j->split))
		return "a job's state is not that of its place";
	return NULL;
}

/* Calls fn(j, arg) for all parts that wait or run. */
static void each_part(void (*fn)(struct job *j, void *arg), void *arg)
{
	const struct engine *const g = world.engine;

	for (const struct flow *f = g->waiting.first; f; f = f->next)
		for (int p = 0; p < PRIORITIES; p++)
			for (struct job *j = f->at[p].first; j; j = j->next)
				if (j->part)
					fn(j, arg);
	for (int i = 0; i < g->n_workers; i++)
		for (int k = 0; k < g->worker[i].n_running; k++)
			if (((struct job *)g->worker[i].running[k])->part)
				fn(g->worker[i].running[k], arg);
}

struct parts {
	size_t unended;
	const char *broken;
};

static void look_at_part(struct job *j, void *arg)
{
	struct parts *const all = arg;
	const char *const broken = broken_place(j);

	all->unended += !job_state_is_end(j->state);
	if (broken)
		all->broken = broken;
}

static const char *broken_queue(void)
{
	const struct waiting *const q = &world.engine->waiting;
	size_t jobs = 0, flows = 0;

	for (const struct flow *f = q->first; f; f = f->next, flows++) {
		size_t n = 0;

		for (int p = 0; p < PRIORITIES; p++)
			n += f->at[p].n;
		if (n != f->n || n == 0)
			return "a flow's number of jobs is wrong";
		jobs += n;
	}
	return jobs != q->n || flows != q->n_flows ?
	       "the queue's number of jobs is wrong" : NULL;
}

static uint64_t tallied(void)
{
	uint64_t n = 0;

	for (int i = 0; i < TALLY_OPS; i++)
		for (int k = 0; k < TALLY_PLACES; k++)
			for (int e = 0; e < ERR_COUNT; e++)
				n += world.engine->tally.jobs[i][k][e];
	return n;
}

static const char *broken_counts(size_t unended, size_t preparing,
                                 uint64_t ended)
{
	const struct engine *const g = world.engine;

	return g->unended != unended ? "the number of unended jobs is wrong" :
	       g->preparing != preparing ?
	       "the number of jobs that are prepared is wrong" :
	       tallied() != ended ? "the tally is wrong" :
	       world.drained && unended ? "drained, with unended jobs" : NULL;
}

/* The end of a run that this host makes known must be the one that was recorded
 * of that run. If none was, it can only be a dismissal, in this process. */
static const char *broken_run(int i)
{
	const int row = world.plan->job[i].row;
	const struct job *const j = world.job[i];
	const struct lease_row *const r = &lease_rows[row ? row - 1 : 0];

	if (!row || !j || !job_state_is_end(j->state))
		return NULL;
	if (r->end_epoch == world.epoch[i])
		return r->end != j->state ?
		       "another end was told than was recorded" : NULL;
	return j->state != JOB_DISMISSED ?
	       "an end was told that was not recorded" : NULL;
}

const char *invariant_broken(void)
{
	struct parts parts = { 0 };
	size_t unended = 0, preparing = 0;
	uint64_t ended = 0;

	for (int i = 0; i < WORLD_JOBS; i++) {
		const struct job *const j = world.job[i];
		const char *const broken = j ? broken_place(j) : NULL;
		const bool end = j && job_state_is_end(j->state);

		if (broken || broken_run(i))
			return broken ? broken : broken_run(i);
		if (world.ended[i] != end && !world.plan->job[i].row)
			return "a job's end was not told once";
		unended += j && !end && !world_is_left(j);
		ended += end;
		preparing += j && j->preparing;
	}
	each_part(look_at_part, &parts);
	return parts.broken ? parts.broken : broken_queue() ? broken_queue() :
	       leases_broken() ? leases_broken() :
	       broken_counts(unended + parts.unended, preparing, ended);
}

const char *invariant_broken_at_end(void)
{
	const struct engine *const g = world.engine;
	int ends = 0;

	for (int i = 0; i < WORLD_JOBS; i++) {
		const struct job *const j = world.job[i];

		ends += !world.plan->job[i].row ? world.ended[i] :
		        j && (job_state_is_end(j->state) || world_is_left(j));
		if (world.job[i] && world.job[i]->refs != 2 &&
		    world.job[i]->listed)
			return "an ended job is still held";
	}
	return ends != world.accepted ? "a job did not end" :
	       leases_runs() ? "a run is left" :
	       g->waiting.n || g->waiting.first || g->waiting.last ?
	       "something is left in the queue" :
	       g->draining && !world.drained && g->drained ?
	       "the end of draining was not told" : invariant_broken();
}

/* FNV-1a, by Fowler, Noll and Vo, over numbers instead of bytes, with a final
 * mixing of the high bits downwards. */
static uint64_t hash;

static void add(int64_t x)
{
	hash = (hash ^ (uint64_t)x) * UINT64_C(1099511628211);
	hash ^= hash >> 29;
}

static int number_of(const struct job *j)
{
	for (int i = 0; i < WORLD_JOBS; i++)
		if (world.job[i] && !strcmp(world.job[i]->id, j->id))
			return i + j->part * WORLD_JOBS;
	return -1;
}

static void add_job(const struct job *j)
{
	add(number_of(j));
	add(j->state);
	add(j->preparing | j->waiting << 1 | j->shares << 2 | j->alone << 3 |
	    j->paid << 4 | (j->split != NULL) << 5 | j->ending << 6 |
	    j->left << 7 | (j->backing != NULL) << 8);
	add((int64_t)j->cold);
	add(j->attempts);
	add(j->device);
	add(j->refs);
	add(j->state == JOB_FAILED ? (int)j->err.code : 0);
}

static void add_flow(const struct flow *f)
{
	const struct waiting *const q = &world.engine->waiting;

	add(-2);
	for (int p = 0; p < PRIORITIES; p++)
		for (const struct job *j = f->at[p].first; j; j = j->next)
			add_job(j);
	for (int i = 0; i < world.engine->n_workers; i++) {
		add(f->credit[i].round - q->round[i]);
		add(f->credit[i].deficit_ns);
	}
}

static void add_worker(const struct worker *w)
{
	add(-3);
	add(w->state);
	add(world.compiles[w - world.engine->worker]);
	for (int i = 0; i < w->n_running; i++)
		add_job(w->running[i]);
	add(world.engine->due_ns[w - world.engine->worker] - fake_now_ns);
}

/* A timer's number follows from the order in which the timers were set. */
static void add_timers(void)
{
	add(-4);
	for (int i = 0; i < fake_loop.n_timers; i++) {
		const struct timer *const t = fake_loop.timer[i];

		add(t == &world.engine->again ? -1 : number_of(t->arg));
		add((int64_t)(intptr_t)t->fn);
	}
	add(fake_loop.later != NULL);
}

static void add_jobs(void)
{
	for (int i = 0; i < world.plan->n; i++) {
		add(world.came[i]);
		add(world.ended[i]);
		add(world.failed_parts[i]);
		if (world.job[i])
			add_job(world.job[i]);
	}
}

static void add_leases(void)
{
	add(-5);
	for (int i = 0; i < LEASE_ROWS; i++) {
		const struct lease_row *const r = &lease_rows[i];

		add((int64_t)r->holder | r->ends << 4);
		add(r->epoch);
		add(r->end_epoch);
	}
	for (int i = 0; i < world.plan->n; i++) {
		const int row = world.plan->job[i].row - 1;
		const struct lease_run r = leases_run(row, world.epoch[i]);

		add(world.epoch[i]);
		add(r.exists | r.lost << 1 | r.ending << 2);
	}
	for (int i = 0; i < leases_pending(); i++)
		add(leases_kind(i));
	add(lease_answer_lost);
}

uint64_t invariant_state(void)
{
	const struct engine *const g = world.engine;

	hash = UINT64_C(14695981039346656037);
	add_jobs();
	for (const struct flow *f = g->waiting.first; f; f = f->next)
		add_flow(f);
	add(g->waiting.shared);
	for (int i = 0; i < g->n_workers; i++)
		add_worker(&g->worker[i]);
	add_timers();
	add_leases();
	add((int64_t)g->unended);
	add(g->draining | world.drained << 1 | world.refused_once << 2 |
	    fake_refuses << 3);
	return hash ? hash : 1;
}
