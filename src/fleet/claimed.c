/* claimed.c - see claimed.h. Operands that are not in the row, and stored
 * matrices of which this host has no copy, are read after the claim, while the
 * lease is held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "fleet/cache.h"
#include "fleet/chunks.h"
#include "fleet/claimed.h"
#include "fleet/matrices.h"
#include "queue/tenant.h"

/* How long a job that was given back for want of memory cannot be claimed. */
enum { NO_MEMORY_MS = 1000 };

/* A stored matrix that is being fetched for a row. */
struct use {
	struct claimed *claimed;
	size_t i;			/* the operand's number */
};

void claimed_free(struct claimed *c)
{
	for (size_t i = 0; i < c->n; i++)
		matrix_fini(&c->operand[i]);
	free(c->request);
	free(c);
}

static int64_t read_left_ms(const struct pg_answer *a, int row, int column)
{
	const int64_t ms = pg_integer(a, row, column);

	return pg_is_null(a, row, column) ? 0 : ms ? ms : -1;
}

struct claimed *claimed_read(struct fleet *f, const struct pg_answer *a,
                             int row)
{
	struct claimed *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	c->fleet = f;
	snprintf(c->id, sizeof c->id, "%s", pg_get(a, row, 0));
	snprintf(c->tenant, sizeof c->tenant, "%s", pg_get(a, row, 1));
	c->epoch = pg_integer(a, row, 2);
	c->request = strndup(pg_get(a, row, 3), pg_length(a, row, 3));
	if (!c->request) {
		free(c);
		return NULL;
	}
	c->age_ms = pg_integer(a, row, 5);
	c->left_ms = read_left_ms(a, row, 6);
	c->bytes = (uint64_t)pg_integer(a, row, 7);
	c->created_ms = pg_integer(a, row, 8);
	snprintf(c->device, sizeof c->device, "%s", pg_get(a, row, 9));
	uses_read(&c->uses, pg_get(a, row, 10));
	c->uses.bytes = (uint64_t)pg_integer(a, row, 11);
	snprintf(c->file, sizeof c->file, "%s", pg_get(a, row, 12));
	c->large = pg_is_null(a, row, 4);
	if (!c->large)
		payload_unpack(pg_get(a, row, 4), pg_length(a, row, 4), c->id,
		               c->operand, RECORD_OPERANDS, &c->n,
		               f->options.memory, &c->err);
	return c;
}

/* --- making a job of a row */

static uint64_t any_device(void *arg, uint64_t indices)
{
	(void)arg;
	(void)indices;
	return ~UINT64_C(0);
}

/* The wall clocks of hosts may differ, so the database's clock has measured the
 * job's age and the time until its deadline. */
static void set_times(struct job *j, const struct claimed *c)
{
	const int64_t now = clock_ns();

	j->created_ms = j->updated_ms = c->created_ms;
	j->accepted_ns = j->first_byte_ns = now - c->age_ms * 1000000;
	j->deadline_ns = c->left_ms ? now + c->left_ms * 1000000 : 0;
}

static struct job *make_job(struct fleet *f, struct claimed *c, struct err *e)
{
	struct tenants *const all = engine_tenants(f->engine);
	const struct record_room room = {
		.tenants = all, .codec = f->options.codec,
		.memory = f->options.memory, .devices = any_device,
	};
	struct job *j = record_read_request(c->request, &room, e);

	if (!j)
		return NULL;
	snprintf(j->id, sizeof j->id, "%s", c->id);
	set_times(j, c);
	j->tenant = tenants_get(all, c->tenant, e);
	if (j->keeping) {
		j->keeping->tenant = j->tenant;
		j->keeping->keeper = put_fenced_keeper(f);
	}
	if (!j->tenant || e->code ||
	    record_take_operands(j, c->operand, c->n, &room, e) ||
	    engine_select(f->engine, c->device, &j->devices, e)) {
		job_unref(j);
		return NULL;
	}
	return j;
}

/* May the same host be able to run the job later? */
static bool is_temporary(const struct err *e)
{
	return e->code == ERR_MEMORY || e->code == ERR_STATE ||
	       e->code == ERR_NOT_READY;
}

/* Hands the job to the engine, or gives back one that this host cannot run. */
static void start(struct fleet *f, struct claimed *c)
{
	struct leased *r = leased_find(f, c->id, c->epoch);
	struct err e = c->err;
	struct job *j = e.code || !r || r->lost ? NULL : make_job(f, c, &e);

	claimed_free(c);
	if (!r || r->lost || f->closed) {
		job_unref(j);
		if (r)
			leased_free(r);
		return;
	}
	if (j)
		leased_begin(r, j);
	if (j && engine_adopt(f->engine, j, &e) == 0) {
		job_unref(j);
		return;
	}
	job_unref(j);
	if (is_temporary(&e))
		leased_give_back(r, NULL, NO_MEMORY_MS);
	else
		leased_give_back(r, &e, 0);
}

/* --- operands that are stored matrices */

static void on_used(void *arg, const struct stored *s, const struct err *e)
{
	struct use *const u = arg;
	struct claimed *const c = u->claimed;

	if (s && u->i < c->n)
		c->operand[u->i] = matrix_ref(&s->matrix);
	else if (!c->err.code)
		c->err = *e;
	free(u);
	if (--c->left == 0)
		start(c->fleet, c);
}

static void use(struct claimed *c, size_t i)
{
	struct fleet *const f = c->fleet;
	struct use *u = malloc(sizeof *u);
	const struct stored *s = cache_find_version(f, c->tenant,
	                                            c->uses.version[i]);

	if (!u) {
		err_set(&c->err, ERR_MEMORY, "no memory for a job");
		return;
	}
	*u = (struct use){ c, i };
	c->left++;
	f->counts.cached += s != NULL;
	if (s)
		on_used(u, s, &c->err);
	else
		cache_fetch(f, c->uses.version[i], c->uses.bytes, on_used, u);
}

/* Starts the job when all of its operands are there. */
static void use_all(struct claimed *c)
{
	c->left = 1;
	for (size_t i = 0; i < c->uses.n && !c->err.code; i++)
		if (c->uses.version[i])
			use(c, i);
	if (--c->left == 0)
		start(c->fleet, c);
}

/* --- operands in chunks, or in a file */

struct fetch {
	struct call call;
	struct fleet *fleet;
	struct memory_pool *memory;
	struct shared *shared;
	struct claimed *claimed;
};

static int fetch(struct call *call, struct pg *p, struct err *e)
{
	struct fetch *const x = (struct fetch *)call;
	struct claimed *const c = x->claimed;

	return *c->file ? shared_read(x->shared, c->file, c->bytes, c->operand,
	                              RECORD_OPERANDS, &c->n, x->memory, e) :
	       chunks_read(p, c->id, CHUNK_OPERANDS, c->bytes, c->operand,
	                   RECORD_OPERANDS, &c->n, x->memory, e);
}

static void fetched(struct call *call)
{
	struct fetch *const x = (struct fetch *)call;

	x->claimed->err = call->err;
	use_all(x->claimed);
	free(x);
}

static void fetch_begin(struct fleet *f, struct claimed *c)
{
	struct fetch *x = calloc(1, sizeof *x);

	if (!x) {
		err_set(&c->err, ERR_MEMORY, "no memory for a job");
		start(f, c);
		return;
	}
	*x = (struct fetch){
		.call = { .work = fetch, .done = fetched, .slow = true },
		.fleet = f, .memory = f->options.memory,
		.shared = f->shared, .claimed = c,
	};
	crew_submit(f->runner, &x->call);
}

void claimed_begin(struct claimed *c)
{
	matrices_make_room(c->fleet, c->bytes + c->uses.bytes);
	if (c->large)
		fetch_begin(c->fleet, c);
	else
		use_all(c);
}
