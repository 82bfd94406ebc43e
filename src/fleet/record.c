/* record.c - records the end of a run in the job's row, under the condition
 * that the row still has the run's epoch and owner. Nothing else writes a
 * result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "fleet/chunks.h"
#include "fleet/fleet_state.h"
#include "fleet/shelve.h"
#include "queue/engine.h"

struct recording {
	struct call call;
	struct leased *run;
	struct engine *engine;
	struct job *job;		/* a reference */
	enum job_state state;
	struct err why;
	void (*then)(struct engine *g, struct job *j, enum job_state s,
	             const struct err *why);
	char node[FLEET_ID], id[JOB_ID];
	int64_t epoch, ttl_ms;
	struct text answer;		/* as record_answer() writes it */
	struct matrix results[RECORD_RESULTS];	/* references */
	size_t n;
	struct shared *shared;
	char file[SHARED_NAME];		/* the results' file in the shared
					 * directory; "": there is none */
	struct shelving shelving;	/* the outputs that are to be stored */
	bool tried;			/* record() was called before */
	bool recorded;			/* the row has this end */
};

/* Has an earlier execution of this call recorded the end, whose answer to
 * COMMIT was lost? */
static int check_ended(struct recording *x, struct pg *p, struct err *e)
{
	char epoch[PG_DIGITS];
	const struct pg_value v[] = {
		pg_text(x->id), pg_number(x->epoch, epoch),
		pg_text(job_state_name(x->state)),
		pg_bytes(x->answer.data, x->answer.length),
	};
	const int rows = pg_count(p, S_CHECK_END, v, e);

	x->recorded = rows == 1;
	return rows < 0 ? -1 : 0;
}

static int set_end(struct recording *x, struct pg *p, const char *packed,
                   uint64_t bytes, struct err *e)
{
	char epoch[PG_DIGITS], size[PG_DIGITS], ttl[PG_DIGITS];
	const bool serves = x->state != JOB_DISMISSED &&
	                    err_status(x->why.code) < 500;
	const struct pg_value v[] = {
		pg_text(x->node), pg_text(x->id), pg_number(x->epoch, epoch),
		pg_text(job_state_name(x->state)),
		pg_bytes(x->answer.data, x->answer.length),
		pg_text(serves ? "t" : "f"),
		packed ? pg_bytes(packed, (size_t)bytes) : pg_text(NULL),
		pg_number((int64_t)bytes, size), pg_number(x->ttl_ms, ttl),
		pg_text(*x->file ? x->file : NULL),
	};
	const int rows = pg_count(p, S_END, v, e);

	x->recorded = rows == 1;
	return rows < 0 ? -1 : 0;
}

/* Writes the outputs that are to be stored, in the transaction of the end: they
 * are stored if, and only if, this end of the job is recorded. */
static int shelve_all(struct recording *x, struct pg *p, struct err *e)
{
	return shelve_write(&x->shelving, p, e) ||
	       shelve_show(&x->shelving, p, e) ? -1 : 0;
}

/* Sets the end, with the results in the row if they are small. */
static int end_packed(struct recording *x, struct pg *p, uint64_t bytes,
                      struct err *e)
{
	const bool packs = x->n && bytes <= CHUNK_INLINE;
	size_t size = (size_t)bytes;
	char *packed = packs ? payload_pack(x->results, x->n, &size, e) : NULL;
	int rc = packs && !packed ? -1 : set_end(x, p, packed, size, e);

	free(packed);
	return rc;
}

/* Writes files and chunks before the job's row, so that the row is locked only
 * for a moment and the lease can be renewed while large results are written. */
static int record_large(struct recording *x, struct pg *p, uint64_t bytes,
                        struct err *e)
{
	if (bytes > CHUNK_INLINE)
		shared_write(x->shared, bytes, x->results, x->n, x->file);
	shelve_files(&x->shelving);
	if (pg_begin(p, e))
		return -1;
	if ((x->shelving.n && shelve_all(x, p, e)) ||
	    (bytes > CHUNK_INLINE && !*x->file &&
	     chunks_write(p, x->id, x->epoch, x->results, x->n, e)) ||
	    end_packed(x, p, bytes, e) ||
	    (x->recorded && pg_commit(p, e))) {
		x->recorded = false;
		pg_roll_back(p);
		return -1;
	}
	if (!x->recorded)
		pg_roll_back(p);
	return 0;
}

static int record_once(struct recording *x, struct pg *p, struct err *e)
{
	uint64_t bytes = 0;
	int rc;

	if (x->n && payload_bytes(x->results, x->n, &bytes, e))
		return -1;
	if (x->tried && x->shelving.n && check_ended(x, p, e))
		return -1;
	if (x->recorded)
		return 0;
	x->tried = true;
	rc = bytes > CHUNK_INLINE || x->shelving.n ?
	     record_large(x, p, bytes, e) : end_packed(x, p, bytes, e);
	return rc || x->recorded ? rc : check_ended(x, p, e);
}

/* The files stay if the rows have their names, or may have them because the
 * answer to COMMIT was lost. */
static int record(struct call *c, struct pg *p, struct err *e)
{
	struct recording *const x = (struct recording *)c;
	const int rc = record_once(x, p, e);

	if (!x->recorded && (rc == 0 || e->code != ERR_STATE)) {
		shared_drop(x->shared, x->file);
		shelve_drop_files(&x->shelving);
	}
	return rc;
}

static void recording_free(struct recording *x)
{
	for (size_t i = 0; i < x->n; i++)
		matrix_fini(&x->results[i]);
	shelving_fini(&x->shelving);
	text_fini(&x->answer);
	job_unref(x->job);
	free(x);
}

static void record_failure(struct recording *x);

/* Was the end refused because the outputs cannot be stored? */
static bool is_refused(const struct recording *x)
{
	const enum err_code code = x->call.err.code;

	return x->shelving.n && !x->recorded && code && code != ERR_STATE;
}

static void recorded(struct call *c)
{
	static const struct err late = {
		.code = ERR_DISMISSED,
		.text = "the job is another host's, or was dismissed",
	};
	struct recording *const x = (struct recording *)c;
	struct fleet *const f = x->run->fleet;

	if (is_refused(x)) {
		record_failure(x);
		return;
	}
	if (x->shelving.n)
		keep_settled(x->job->keeping, !x->recorded);
	if (x->recorded)
		shelve_keep(f, &x->shelving);
	f->counts.recorded += x->recorded;
	f->counts.fenced += !x->recorded;
	if (!x->recorded)
		log_with(LOG_LEVEL_WARN, LOG_FIELDS(LOG_TEXT("job", x->id)),
		         "job %s: its end was not recorded, because this run "
		         "of it had lost its lease", x->id);
	leased_free(x->run);
	if (x->recorded)
		x->then(x->engine, x->job, x->state, &x->why);
	else
		x->then(x->engine, x->job, JOB_DISMISSED, &late);
	engine_forget(x->engine, x->job);
	recording_free(x);
	claim_begin(f, false);
}

void fleet_set_place(const struct fleet *f, struct job *j)
{
	struct job_place *p = j->device < 0 ? NULL : calloc(1, sizeof *p);

	if (!p)
		return;
	snprintf(p->host, sizeof p->host, "%s", f->options.name);
	for (int i = 0; i < engine_devices(f->engine); i++) {
		const struct sheet *const s = engine_sheet(f->engine, i);

		if (s->index != j->device && !(j->parts_on >> s->index & 1))
			continue;
		p->device[p->n].index = s->index;
		strcpy(p->device[p->n].name, s->name);
		strcpy(p->device[p->n++].platform, s->platform);
	}
	free(j->place);
	j->place = p;
}

static struct recording *recording_new(struct leased *r, struct job *j,
                                       enum job_state s,
                                       const struct err *why)
{
	const struct fleet *const f = r->fleet;
	struct recording *x = calloc(1, sizeof *x);
	struct matrix m[RECORD_RESULTS];
	const struct err before = j->err;
	size_t n;

	if (!x)
		return NULL;
	x->call = (struct call){ .work = record, .done = recorded,
	                         .must = true };
	x->run = r;
	x->state = s;
	x->why = *why;
	x->epoch = r->epoch;
	x->shared = f->shared;
	x->ttl_ms = f->options.result_ttl_ns / 1000000;
	snprintf(x->node, sizeof x->node, "%s", f->id);
	snprintf(x->id, sizeof x->id, "%s", r->id);
	fleet_set_place(f, j);
	j->err = *why;
	record_answer(&x->answer, j);
	j->err = before;
	n = s == JOB_SUCCESSFUL ? record_results(j, m) : 0;
	for (; x->n < n; x->n++)
		x->results[x->n] = matrix_ref(&m[x->n]);
	if (s == JOB_SUCCESSFUL && j->keeping && j->keeping->done)
		shelving_of_job(&x->shelving, f, j->keeping);
	x->job = job_ref(j);
	return x;
}

static void submit(struct recording *x)
{
	const struct leased *const r = x->run;
	uint64_t bytes;

	if (payload_bytes(x->results, x->n, &bytes, &(struct err){ 0 }))
		bytes = UINT64_MAX;
	x->call.slow = bytes > CHUNK_SLOW ||
	               shelving_bytes(&x->shelving) > CHUNK_SLOW;
	x->call.batchable = bytes <= CHUNK_INLINE && !x->shelving.n;
	crew_submit(r->fleet->runner, &x->call);
}

/* Records, instead of the success of x, that the job has failed because its
 * outputs cannot be stored. */
static void record_failure(struct recording *x)
{
	struct job *const j = x->job;
	struct recording *failure;

	keep_settled(j->keeping, true);
	j->end_state = JOB_FAILED;
	job_drop_outputs(j);
	failure = recording_new(x->run, j, JOB_FAILED, &x->call.err);
	if (failure) {
		failure->engine = x->engine;
		failure->then = x->then;
		submit(failure);
	} else {		/* the lease lapses, and another host runs it */
		leased_free(x->run);
		x->then(x->engine, j, JOB_DISMISSED, &x->call.err);
		engine_forget(x->engine, j);
	}
	recording_free(x);
}

static void update_mean(struct fleet *f, const struct job *j)
{
	const double ns = (double)(j->ended_ns - j->started_ns -
	                           j->compile_ns);

	if (j->started_ns)
		f->mean_ns += (ns - f->mean_ns) / 8;
}

void record_end(struct backing *b, struct engine *g, struct job *j,
                enum job_state s, const struct err *why,
                void (*then)(struct engine *g, struct job *j, enum job_state s,
                             const struct err *why))
{
	struct leased *const r = (struct leased *)b;
	struct fleet *const f = r->fleet;
	struct recording *x = r->lost ? NULL : recording_new(r, j, s, why);

	update_mean(f, j);
	if (!x || x->answer.failed) {
		if (x)
			recording_free(x);
		if (j->keeping)
			keep_settled(j->keeping, true);
		job_ref(j);
		leased_free(r);
		then(g, j, JOB_DISMISSED, why);
		engine_forget(g, j);
		job_unref(j);
		return;
	}
	x->engine = g;
	x->then = then;
	r->ending = true;
	f->n_ending++;
	submit(x);
	claim_begin(f, false);
}
