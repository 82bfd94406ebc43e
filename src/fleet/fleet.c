/* fleet.c - see fleet.h: starts and stops a fleet, and handles the database's
 * notifications. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "fleet/fleet_state.h"
#include "fleet/matrices.h"
#include "fleet/prefer.h"
#include "fleet/silence.h"

bool fleet_is_id(const char *s)
{
	return strlen(s) == JOB_ID - 1 &&
	       strspn(s, "0123456789abcdef") == JOB_ID - 1;
}

void fleet_lower(char *to, size_t room, const char *from)
{
	snprintf(to, room, "%s", from);
	for (; *to; to++)
		*to = (char)tolower((unsigned char)*to);
}

static void name_node(struct fleet *f)
{
	uint32_t random;

	io_random(&random, sizeof random);
	snprintf(f->id, sizeof f->id, "%.60s-%d-%08x", f->options.name,
	         (int)getpid(), random);
	for (char *p = f->id; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr(".-_", *p))
			*p = '_';
}

static void make_room(struct depot *d, uint64_t bytes)
{
	matrices_make_room(fleet_of(d), bytes);
}

static bool is_well(const struct depot *d, struct err *e)
{
	return fleet_is_well((const struct fleet *)d, e);
}

static struct fleet_counts counts(const struct depot *d)
{
	const struct fleet *const f = (const struct fleet *)d;
	struct fleet_counts c = f->counts;

	c.running = f->n_runs;
	c.copies = store_count(f->copies);
	c.copy_bytes = store_bytes(f->copies);
	c.shares = f->shared != NULL;
	c.sees_shared = shared_is_there(f->shared);
	return c;
}

static int reserve(struct depot *d, struct job *j, struct err *e)
{
	(void)j;
	return engine_occupy(d->engine, e);
}

static void release(struct depot *d, struct job *j, const struct err *why)
{
	(void)j;
	(void)why;
	engine_vacate(d->engine);
}

static const struct depot_calls calls = {
	.find = fleet_find, .list = fleet_list, .remove = fleet_remove,
	.retry = fleet_retry, .follow = fleet_follow,
	.accept = fleet_accept, .reserve = reserve, .release = release,
	.seek = matrices_seek, .matrices = matrices_list,
	.put = matrices_put, .discard = matrices_discard,
	.read = pipelines_read, .save = pipelines_save,
	.make_room = make_room, .is_well = is_well,
	.counts = counts, .hosts = hosts_of,
};

struct fleet *fleet_new(const struct fleet_options *o, struct err *e)
{
	struct fleet *f;

	if (pg_check(o->url, e))
		return NULL;
	f = calloc(1, sizeof *f);
	if (!f) {
		err_set(e, ERR_MEMORY, "no memory for the fleet");
		return NULL;
	}
	f->options = *o;
	f->keeper.keep = put_keep;
	f->depot.shared = true;
	f->depot.host = o->name;
	f->depot.keeper = &f->keeper;
	f->copies = store_new(e);
	if (!f->copies || depot_init(&f->depot, &calls, o->store_ttl_ns, e)) {
		store_free(f->copies);
		free(f);
		return NULL;
	}
	if (o->shared_dir && !(f->shared = shared_new(o->shared_dir,
	                                              o->shared_above, e))) {
		fleet_free(f);
		return NULL;
	}
	f->mean_ns = 1e9;
	name_node(f);
	return f;
}

/* A job that has ended does not wait any more. One that had been claimed before
 * the last count did not wait then: until the next count, in a second, more
 * jobs than the limit may then wait, at most as many as the fleet ran. */
static void on_end(struct fleet *f, const char *text)
{
	f->counts.waiting -= f->counts.waiting > 0;
	view_refresh(f, text);
}

/* The text is "ID EPOCH": that run was dismissed, or its lease has lapsed. */
static void on_cancel(struct fleet *f, const char *text)
{
	char id[JOB_ID];
	long long epoch;
	struct leased *r;

	if (sscanf(text, "%32s %lld", id, &epoch) != 2 || epoch < 1)
		return;
	r = leased_find(f, id, epoch);
	if (r)
		leased_abandon(r, "it was dismissed, or its lease has lapsed");
}

static void on_missed(struct fleet *f, const char *text)
{
	(void)text;
	claim_begin(f, true);
	view_refresh(f, NULL);
}

static const struct {
	const char *channel;
	void (*hear)(struct fleet *f, const char *text);
} channels[] = {
	{ "linalgd_job", prefer_claim },
	{ "linalgd_end", on_end },
	{ "linalgd_cancel", on_cancel },
	{ "", on_missed },
};

static void hear(void *arg, const char *channel, const char *text)
{
	for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++)
		if (strcmp(channels[i].channel, channel) == 0)
			channels[i].hear(arg, text);
}

int fleet_start(struct fleet *f, struct engine *g, struct err *e)
{
	const struct fleet_options *const o = &f->options;

	f->depot.engine = f->engine = g;
	f->front = crew_new(o->loop, o->url, f->id, FLEET_FRONTS, e);
	if (f->front)
		f->runner = crew_new(o->loop, o->url, f->id, FLEET_RUNNERS, e);
	if (f->runner)
		f->beats = crew_new(o->loop, o->url, f->id, 1, e);
	if (f->beats)
		f->listener = listener_new(o->loop, o->url, f->id, hear, f, e);
	if (!f->listener)
		return -1;
	beats_start(f);
	return 0;
}

void fleet_drain(struct fleet *f)
{
	if (f)
		f->draining = true;
}

/* --- its end */

struct leaving {
	struct call call;
	char node[FLEET_ID];
};

static int leave(struct call *c, struct pg *p, struct err *e)
{
	const struct pg_value v[] = {
		pg_text(((struct leaving *)c)->node),
	};

	return pg_do(p, S_LEAVE, v, e);
}

static void left(struct call *c)
{
	free(c);
}

static void leave_begin(struct fleet *f)
{
	struct leaving *x = f->joined ? calloc(1, sizeof *x) : NULL;

	if (!x)
		return;
	x->call = (struct call){ .work = leave, .done = left };
	snprintf(x->node, sizeof x->node, "%s", f->id);
	crew_submit(f->runner, &x->call);
}

/* A call's done() may submit further calls meanwhile: a crew that is closing
 * ends them with an error. */
void fleet_close(struct fleet *f)
{
	if (!f || f->closed)
		return;
	f->draining = f->closed = true;
	if (f->engine) {
		beats_stop(f);
		prefer_stop(f);
		leave_begin(f);
	}
	listener_free(f->listener);
	crew_free(f->beats);
	crew_free(f->front);
	crew_free(f->runner);
	f->listener = NULL;
}

void fleet_free(struct fleet *f)
{
	if (!f)
		return;
	fleet_close(f);
	while (f->runs)
		leased_free(f->runs);
	for (int i = 0; i < f->n_followed; i++)
		job_unref(f->followed[i]);
	hosts_free(f->hosts);
	store_free(f->copies);
	shared_free(f->shared);
	depot_fini(&f->depot);
	free(f);
}

/* --- looking at it */

struct depot *fleet_depot(struct fleet *f)
{
	return &f->depot;
}

bool fleet_is_well(const struct fleet *f, struct err *e)
{
	int64_t back_ns;

	if (!crew_is_well(f->beats, &back_ns, e))
		return false;
	if (f->joined && !silence_is_now(clock_ns(), f->heard_ns, back_ns))
		return true;
	err_set(e, ERR_STATE, f->joined ? "the queue's database is silent" :
	        "the queue's database has not answered yet");
	e->retry_s = 1;
	return false;
}
