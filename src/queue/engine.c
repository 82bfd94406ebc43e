/* engine.c - see engine.h. dispatch.c takes jobs through their states. */
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/host.h"
#include "base/size.h"
#include "queue/audit.h"
#include "queue/dispatch.h"
#include "queue/durable.h"
#include "queue/end.h"
#include "queue/engine.h"
#include "queue/engine_take.h"
#include "queue/plan.h"
#include "queue/quota.h"
#include "queue/spawn.h"
#include "queue/split.h"
#include "wire/select.h"

static uint64_t all_of_type(const struct sheet *sheets, int n, unsigned types)
{
	uint64_t devices = 0;

	for (int i = 0; i < n; i++)
		if (sheets[i].type & types)
			devices |= UINT64_C(1) << i;
	return devices;
}

static int choose(const struct engine_options *o, const struct sheet *sheets,
                  int n, uint64_t *chosen, struct err *e)
{
	const char *const *d = o->devices;
	uint64_t some;

	*chosen = 0;
	if (!d || !*d)
		*chosen = all_of_type(sheets, n, DEVICE_CPU | DEVICE_GPU);
	for (; d && *d; d++) {
		if (select_devices(sheets, n, *d, &some, e))
			return -1;
		*chosen |= some;
	}
	if (!*chosen)
		return err_set(e, ERR_DEVICE, "there is no OpenCL device (of "
		               "%d found); the package pocl-opencl-icd makes "
		               "one of the processor", n);
	return 0;
}

/* Adds the processes that `command` starts as one device, whose index is the
 * first that no OpenCL device has. What else there is to know of it, its first
 * process tells when it is ready. */
static int add_cluster(struct engine *g, const char *command, int index,
                       struct err *e)
{
	const struct sheet s = {
		.index = index, .type = DEVICE_CLUSTER,
		.name = "linalgd-mpi (starting)", .platform = "MPI",
		.float64 = true, .unified_memory = true,
	};

	if (index >= SHEETS)
		return err_set(e, ERR_DEVICE, "--mpi: there are %d devices "
		               "already, which is the limit", SHEETS);
	worker_init(&g->worker[g->n_workers], &g->workers_have, &s);
	g->worker[g->n_workers++].command = command;
	return 0;
}

static int start_workers(struct engine *g, const struct engine_options *o,
                         struct err *e)
{
	struct sheet sheets[SHEETS];
	uint64_t chosen;
	const int n = spawn_list(o->program, sheets, e);

	if (n < 0 || choose(o, sheets, n, &chosen, e))
		return -1;
	for (int i = 0; i < n; i++)
		if (chosen >> i & 1)
			worker_init(&g->worker[g->n_workers++],
			            &g->workers_have, &sheets[i]);
	g->workers_have.workers = g->n_workers;
	if (o->cluster && add_cluster(g, o->cluster, n, e))
		return -1;
	for (int i = 0; i < g->n_workers; i++)
		worker_start(&g->worker[i]);
	return 0;
}

/* The record of a job is about to be forgotten. */
static void on_forget(void *arg, struct job *j)
{
	durable_forget(arg, j);
}

struct engine *engine_new(struct loop *l, struct memory_pool *p,
                          const struct engine_options *o, struct err *e)
{
	struct engine *g = calloc(1, sizeof *g);

	if (!g) {
		err_set(e, ERR_MEMORY, "the engine: out of memory");
		return NULL;
	}
	g->loop = l;
	g->many_cores = host_cpus() >= 2;
	g->audits = o->audits;
	g->queue_limit = o->queue_limit;
	g->result_ttl_ns = o->result_ttl_ns;
	g->grace_ns = o->grace_ns;
	g->timeout_ns = o->timeout_ns;
	g->waiting.predict = plan_cost;
	g->waiting.predict_arg = g;
	g->memory = p;
	g->journal = o->journal;
	g->records.limit = o->records;
	g->records.forget = on_forget;
	g->records.forget_arg = g;
	io_random(&g->records.seed, sizeof g->records.seed);
	g->workers_have = (struct worker_options){
		.loop = l, .program = o->program, .cache = o->cache,
		.bare = o->bare,
		.ready = dispatch_on_ready,
		.done = dispatch_on_done, .on_compiled = dispatch_on_compiled,
		.lost = dispatch_on_lost, .arg = g,
	};
	g->tenants = tenants_new(e);
	if (!g->tenants || tally_init(&g->tally, e) ||
	    start_workers(g, o, e)) {
		engine_free(g);
		return NULL;
	}
	return g;
}

static void clear_timers(struct engine *g, struct job *j)
{
	loop_timer_clear(g->loop, &j->deadline);
	loop_timer_clear(g->loop, &j->expiry);
	loop_timer_clear(g->loop, &j->grace);
}

static void free_worker(struct engine *g, struct worker *w)
{
	worker_fini(w);
	for (int i = 0; i < w->n_running; i++) {
		clear_timers(g, w->running[i]);
		job_unref(w->running[i]);
	}
}

void engine_free(struct engine *g)
{
	struct job *j;

	if (!g)
		return;
	loop_later_clear(g->loop, &g->later);
	loop_timer_clear(g->loop, &g->again);
	for (int i = 0; i < g->n_workers; i++)
		free_worker(g, &g->worker[i]);
	while ((j = waiting_any(&g->waiting))) {
		waiting_remove(&g->waiting, j);
		job_unref(j);
	}
	while ((j = g->records.newest)) {
		clear_timers(g, j);
		split_free(j);
		records_remove(&g->records, j);
	}
	tally_fini(&g->tally);
	tenants_free(g->tenants);
	free(g);
}

void engine_kill_workers(struct engine *g)
{
	for (int i = 0; i < g->n_workers; i++)
		worker_kill(&g->worker[i]);
}

static bool is_full(const struct engine *g)
{
	return engine_waiting(g) >= g->queue_limit;
}

static int refuse_full(const struct engine *g, struct err *e)
{
	err_set(e, ERR_BUSY, "the queue is full: %zu jobs wait, %zu may",
	        engine_waiting(g), g->queue_limit);
	e->retry_s = engine_seconds_left(g, NULL);
	return -1;
}

/* A job that an idle device takes at once needs no place in the queue: a full
 * queue still has room for as many jobs as there are idle devices.
 * engine_submit() finds out whether a job is one of these. */
static int check_room(const struct engine *g, size_t waiting, struct err *e)
{
	size_t idle = 0;

	assert(loop_is_here(g->loop));
	if (g->draining)
		return err_set(e, ERR_NOT_READY, "the service is stopping");
	for (int i = 0; i < g->n_workers; i++)
		idle += worker_is_idle(&g->worker[i]);
	if (waiting < size_max(g->queue_limit, idle))
		return 0;
	return refuse_full(g, e);
}

int engine_check_room(const struct engine *g, struct err *e)
{
	return check_room(g, engine_waiting(g), e);
}

static void enlist(struct engine *g, struct job *j)
{
	if (g->audits)
		audit_note(j);
	j->engine = g;
	j->serial = ++g->serial;
	job_set_state(j, JOB_ACCEPTED);
	job_count(j);
	j->accepted_ns = clock_ns();
	j->created_ms = j->updated_ms = clock_wall_ms();
	g->unended++;
	records_add(&g->records, j);
	job_ref(j);		/* the queue's */
	j->usual_deadline = !j->deadline_ns && g->timeout_ns;
	if (j->usual_deadline)
		j->deadline_ns = j->accepted_ns + g->timeout_ns;
	engine_set_deadline(g, j);
}

/* The first idle worker whose device has memory of its own. */
static struct worker *who_waits(struct engine *g, uint64_t devices)
{
	for (int i = 0; i < g->n_workers; i++)
		if (devices >> i & 1 && worker_is_idle(&g->worker[i]) &&
		    !g->worker[i].sheet.unified_memory)
			return &g->worker[i];
	return NULL;
}

void engine_expect(struct engine *g, uint64_t devices, struct memory *m,
                   size_t arrived)
{
	struct worker *w;

	assert(loop_is_here(g->loop));
	w = g->waiting.n ? NULL : who_waits(g, devices);
	if (!w)
		return;
	if (!m->upload_id)
		m->upload_id = ++g->uploads;
	worker_send_arrival(w, m, arrived);
}

/* Checks that a job whose operands are ready can be accepted, and counts it. */
static int take(struct engine *g, struct job *j, struct err *e)
{
	assert(loop_is_here(g->loop));
	if (g->draining)
		return engine_check_room(g, e);
	if (engine_admit(g, j, e))
		return -1;
	if (is_full(g) && !plan_begins(g, j))
		return refuse_full(g, e);
	if ((j->tenant && quota_check(g, j->tenant, 0, e)) ||
	    job_charge(j, g->memory, e) || quota_charge(g, j, e))
		return -1;
	enlist(g, j);
	return 0;
}

static void hold(struct engine *g, struct job *j)
{
	j->preparing = true;
	g->preparing++;
}

int engine_submit(struct engine *g, struct job *j, struct err *e)
{
	if (take(g, j, e))
		return -1;
	dispatch_place(g, j);
	return 0;
}

int engine_submit_held(struct engine *g, struct job *j, struct err *e)
{
	if (take(g, j, e))
		return -1;
	hold(g, j);
	j->admitted = true;
	return 0;
}

int engine_accept(struct engine *g, struct job *j, struct err *e)
{
	if (engine_check_room(g, e) ||
	    (j->tenant && quota_check(g, j->tenant, 0, e)) ||
	    job_charge(j, g->memory, e))
		return -1;
	enlist(g, j);
	hold(g, j);
	return 0;
}

/* Decides whether a device can run the job, unless that was decided before. */
static int admit_late(struct engine *g, struct job *j, struct err *e)
{
	return j->admitted ? 0 : engine_admit(g, j, e) || quota_charge(g, j, e);
}

void engine_prepared(struct engine *g, struct job *j, const struct err *why)
{
	struct err e = *why;

	assert(loop_is_here(g->loop));
	j->preparing = false;
	g->preparing--;
	if (g->audits && !e.code)
		audit_note(j);
	job_changed(j);
	if (job_is_over(j))
		end_release(g, j);
	else if (e.code || admit_late(g, j, &e))
		end_job(g, j, JOB_FAILED, &e);
	else
		dispatch_place(g, j);
	if (g->draining && engine_leave(g, j))
		end_tell_drained(g);
}

int engine_occupy(struct engine *g, struct err *e)
{
	if (check_room(g, g->preparing, e))
		return -1;
	g->preparing++;
	return 0;
}

void engine_vacate(struct engine *g)
{
	g->preparing--;
}

void engine_dismiss(struct engine *g, struct job *j)
{
	struct err e = { 0 };

	assert(loop_is_here(g->loop));
	if (!j->engine || job_is_over(j))
		return;
	err_set(&e, ERR_DISMISSED, "the job was dismissed");
	dispatch_end_early(g, j, JOB_DISMISSED, &e);
}

void engine_forget(struct engine *g, struct job *j)
{
	if (!job_state_is_end(j->state))
		return;
	loop_timer_clear(g->loop, &j->expiry);
	durable_forget(g, j);
	records_remove(&g->records, j);
}
