/* engine_view.c - the functions that read an engine's state: see engine.h. */
#include "queue/engine.h"
#include "queue/split.h"
#include "queue/state.h"
#include "wire/select.h"

int engine_devices(const struct engine *g)
{
	return g->n_workers;
}

const struct sheet *engine_sheet(const struct engine *g, int i)
{
	return &g->worker[i].sheet;
}

bool engine_healthy(const struct engine *g, int i)
{
	return worker_is_well(&g->worker[i]);
}

bool engine_ready(const struct engine *g)
{
	for (int i = 0; i < g->n_workers; i++)
		if (g->worker[i].sheet.type != DEVICE_CLUSTER &&
		    engine_healthy(g, i))
			return !g->draining;
	return false;
}

const struct sheet *engine_sheet_of(const struct engine *g, int index)
{
	for (int i = 0; i < g->n_workers; i++)
		if (g->worker[i].sheet.index == index)
			return &g->worker[i].sheet;
	return NULL;
}

int engine_select(const struct engine *g, const char *selector,
                  uint64_t *devices, struct err *e)
{
	struct sheet sheets[SHEETS];

	for (int i = 0; i < g->n_workers; i++)
		sheets[i] = g->worker[i].sheet;
	return select_devices(sheets, g->n_workers, selector, devices, e);
}

struct job *engine_find(const struct engine *g, const char *id)
{
	return records_find(&g->records, id);
}

struct job *engine_find_key(const struct engine *g, const struct tenant *t,
                            const char *key)
{
	return records_find_key(&g->records, t, key);
}

struct job *engine_newest(const struct engine *g)
{
	return g->records.newest;
}

int engine_progress(const struct engine *g, const struct job *j)
{
	return j->split ? split_progress(g, j) : state_progress(g, j);
}

struct device_view engine_device(const struct engine *g, int i)
{
	const struct worker *w = &g->worker[i];
	const uint64_t used = w->control ? atomic_load(&w->control->memory) : 0;

	return (struct device_view){
		.healthy = engine_healthy(g, i), .running = w->n_running,
		.losses = g->losses[i],
		.memory = used < w->sheet.global_memory_bytes ? used :
		          w->sheet.global_memory_bytes,
	};
}

/* A device that is overdue is expected to need as long again. */
static int64_t rest_ns(const struct engine *g, int i, int64_t now)
{
	const int64_t ns = g->due_ns[i] - now;

	return ns < 0 ? -ns : ns;
}

static bool runs_for(const struct worker *w, const struct tenant *t)
{
	for (int k = 0; k < w->n_running; k++)
		if (((const struct job *)w->running[k])->tenant == t)
			return true;
	return false;
}

unsigned engine_seconds_left(const struct engine *g, const struct tenant *t)
{
	const int64_t now = clock_ns();
	int64_t own = INT64_MAX, any = INT64_MAX, ns;

	for (int i = 0; i < g->n_workers; i++) {
		const struct worker *const w = &g->worker[i];

		if (!w->n_running)
			continue;
		ns = rest_ns(g, i, now);
		any = ns < any ? ns : any;
		if (t && runs_for(w, t))
			own = ns < own ? ns : own;
	}
	ns = own < INT64_MAX ? own : any < INT64_MAX ? any : 0;
	return (unsigned)(ns / 1000000000 + 1);
}

/* The bytes of the tenant's results that are kept, and expire until then. */
static uint64_t expiring(const struct engine *g, const struct tenant *t,
                         int64_t until_ns)
{
	uint64_t bytes = 0;

	for (const struct job *j = g->records.oldest; j; j = j->newer)
		if (j->tenant == t && j->expiry.fn &&
		    j->expiry.at_ns <= until_ns)
			bytes += j->outputs_charged;
	return bytes;
}

/* The bytes of the results that its unfinished jobs will leave, to be kept. */
static uint64_t to_be_kept(const struct engine *g, const struct tenant *t)
{
	uint64_t bytes = 0;

	for (const struct job *j = g->records.oldest; j; j = j->newer)
		if (j->tenant == t && j->keep && !job_state_is_end(j->state))
			bytes += j->outputs_charged;
	return bytes;
}

unsigned engine_seconds_to_room(const struct engine *g, const struct tenant *t,
                                uint64_t bytes)
{
	const int64_t second_ns = 1000000000, now = clock_ns();
	const unsigned left = engine_seconds_left(g, t);
	const uint64_t later = expiring(g, t, INT64_MAX) + to_be_kept(g, t);
	const uint64_t soon = t->use.in_flight > later ?
	                      t->use.in_flight - later : 0;
	int64_t least = 1, most = g->result_ttl_ns / second_ns + 1, s;

	if (soon >= bytes)
		return left;
	if (expiring(g, t, now + most * second_ns) < bytes - soon)
		return left + (unsigned)most;
	while (least < most) {
		s = least + (most - least) / 2;
		if (expiring(g, t, now + s * second_ns) < bytes - soon)
			least = s + 1;
		else
			most = s;
	}
	return (unsigned)most;
}

struct tenants *engine_tenants(const struct engine *g)
{
	return g->tenants;
}

size_t engine_waiting(const struct engine *g)
{
	return g->waiting.n + g->preparing;
}

size_t engine_queue_limit(const struct engine *g)
{
	return g->queue_limit;
}

const struct tally *engine_tally(const struct engine *g)
{
	return &g->tally;
}
