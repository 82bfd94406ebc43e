/* restore.c - see restore.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "journal/journal_read.h"
#include "queue/job_record.h"
#include "queue/journaled.h"
#include "queue/keep.h"
#include "queue/restore.h"
#include "queue/state.h"
#include "queue/tenant.h"

struct restored {
	struct engine *engine;
	struct record_room room;
	size_t n, places;
	struct job **job;
	struct err *why;		/* of each, if it must fail */
};

static uint64_t devices_of(void *arg, uint64_t indices)
{
	const struct engine *g = arg;
	uint64_t devices = 0;

	for (int i = 0; i < g->n_workers; i++)
		if (indices >> g->worker[i].sheet.index & 1)
			devices |= UINT64_C(1) << i;
	return devices;
}

/* Out of memory is no fault of the job: the process must not go on without
 * it. */
static bool is_ours(const struct err *e)
{
	return e->code == ERR_MEMORY || e->code == ERR_STATE ||
	       e->code == ERR_TOO_LARGE;
}

static int unpack(struct restored *r, struct job *j,
                  const struct journal_packed *p,
                  int (*take)(struct restored *r, struct job *j,
                              struct matrix *m, size_t n, struct err *e),
                  size_t most, struct err *e)
{
	struct matrix *m = calloc(most, sizeof *m);
	char what[JOB_ID + 8];
	size_t n;
	int rc;

	if (!m)
		return err_set(e, ERR_MEMORY, "no memory for a job");
	snprintf(what, sizeof what, "job %s", j->id);
	rc = journal_unpack(r->engine->journal, p, what, m, most, &n,
	                    r->room.memory, e);
	if (rc == 0) {
		rc = take(r, j, m, n, e);
		for (size_t i = 0; i < n; i++)
			matrix_fini(&m[i]);
	}
	free(m);
	return rc;
}

static int take_operands(struct restored *r, struct job *j, struct matrix *m,
                         size_t n, struct err *e)
{
	return record_take_operands(j, m, n, &r->room, e);
}

static int take_results(struct restored *r, struct job *j, struct matrix *m,
                        size_t n, struct err *e)
{
	(void)r;
	return record_take_results(j, m, n, e);
}

/* Gives a job that has ended its answer and its results. */
static int read_end(struct restored *r, struct job *j,
                    const struct journal_found *f, struct err *e)
{
	if (record_read_answer(j, f->answer, e))
		return -1;
	if (j->state != JOB_SUCCESSFUL || j->gone)
		return 0;
	return unpack(r, j, &f->results, take_results, RECORD_RESULTS, e);
}

static int read_wait(struct restored *r, struct job *j,
                     const struct journal_found *f, struct err *e)
{
	if (unpack(r, j, &f->payload, take_operands, RECORD_OPERANDS, e))
		return -1;
	if (f->attempts < RESTORE_ATTEMPTS)
		return 0;
	return err_set(e, ERR_DEVICE, "the service ended %d times while this "
	               "job ran: %.160s", f->attempts, f->history);
}

static int set_identity(struct restored *r, struct job *j,
                        const struct journal_found *f, struct err *e)
{
	const int state = job_state_find(f->state);

	j->tenant = tenants_get(r->room.tenants, f->tenant, e);
	if (!j->tenant)
		return -1;
	if (j->keeping)
		j->keeping->tenant = j->tenant;
	snprintf(j->id, sizeof j->id, "%s", f->name);
	snprintf(j->key, sizeof j->key, "%s", f->key);
	j->serial = (uint64_t)f->number;
	j->epoch = f->epoch;
	j->attempts = f->attempts;
	j->backing = &journaled;
	j->keep = true;
	j->large_operands = *f->payload.file != 0;
	j->updated_ms = j->created_ms;
	if (!j->devices)
		j->devices = ~UINT64_C(0) >> (64 - r->engine->n_workers);
	j->state = state < 0 ? JOB_ACCEPTED : (enum job_state)state;
	return 0;
}

static int add(struct restored *r, struct job *j, const struct err *why,
               struct err *e)
{
	const size_t places = r->places ? 2 * r->places : 64;
	struct job **job;
	struct err *all;

	if (r->n == r->places) {
		job = reallocarray(r->job, places, sizeof *job);
		if (job)
			r->job = job;
		all = reallocarray(r->why, places, sizeof *all);
		if (all)
			r->why = all;
		if (!job || !all)
			return err_set(e, ERR_MEMORY, "no memory for %zu jobs",
			               places);
		r->places = places;
	}
	r->job[r->n] = j;
	r->why[r->n++] = *why;
	return 0;
}

/* A record of which not even the operation can be read stays in the journal,
 * for the version that wrote it. */
static int visit(void *arg, const struct journal_found *f, struct err *e)
{
	struct restored *const r = arg;
	struct err why = { 0 };
	struct job *j = record_read_request(f->text, &r->room, &why);

	if (!j) {
		log_error("job %s of the journal is left out: %s", f->name,
		          why.text);
		return why.code == ERR_MEMORY ? err_set(e, why.code, "%s",
		                                        why.text) : 0;
	}
	if (set_identity(r, j, f, e)) {
		job_unref(j);
		return -1;
	}
	if (!why.code)
		(job_state_is_end(j->state) ? read_end : read_wait)(r, j, f,
		                                                    &why);
	if (is_ours(&why) || add(r, j, &why, &why)) {
		err_set(e, why.code, "job %s of the journal: %.180s", f->name,
		        why.text);
		job_unref(j);
		return -1;
	}
	return 0;
}

void restore_free(struct restored *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		job_unref(r->job[i]);
	free(r->job);
	free(r->why);
	free(r);
}

struct restored *restore_read(struct engine *g, struct store *s,
                              struct pool *codec, struct err *e)
{
	struct restored *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for the journal's jobs");
		return NULL;
	}
	r->engine = g;
	r->room = (struct record_room){
		.tenants = g->tenants, .store = s, .codec = codec,
		.memory = g->memory, .devices = devices_of, .arg = g,
	};
	if (journal_read_jobs(g->journal, visit, r, e) == 0)
		return r;
	restore_free(r);
	return NULL;
}

void restore_place(struct engine *g, struct restored *r)
{
	for (size_t i = 0; i < r->n; i++)
		engine_restore(g, r->job[i], &r->why[i]);
	restore_free(r);
}

int restore_jobs(struct engine *g, struct store *s, struct pool *codec,
                 struct err *e)
{
	struct restored *r;

	if (!g->journal)
		return 0;
	r = restore_read(g, s, codec, e);
	if (!r)
		return -1;
	if (journal_sweep(g->journal, e) ||
	    journal_start(g->journal, g->loop, e)) {
		restore_free(r);
		return -1;
	}
	restore_place(g, r);
	return 0;
}
