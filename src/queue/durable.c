/* durable.c - see durable.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "queue/durable.h"
#include "queue/job_record.h"
#include "queue/keep.h"
#include "queue/lease.h"
#include "queue/tenant.h"

/* A row about the job. */
static struct journal_row *set_row(struct journal_entry *e, size_t i,
                                   enum journal_verb verb,
                                   const struct job *j)
{
	struct journal_row *const r = &e->row[i];

	r->verb = verb;
	r->number = j->epoch;
	snprintf(r->name, sizeof r->name, "%s", j->id);
	if (j->tenant)
		snprintf(r->tenant, sizeof r->tenant, "%s", j->tenant->name);
	return r;
}

/* --- acceptance */

struct acceptance {
	struct job *job;		/* a reference */
	void (*then)(void *arg, const struct err *e);
	void *arg;
};

static void on_accepted(void *arg, const struct err *e)
{
	struct acceptance *const a = arg;

	a->job->accepting = false;
	a->job->durable &= e->code == ERR_NONE;
	a->then(a->arg, e);
	job_unref(a->job);
	free(a);
}

/* The sheets' indices of the job's devices, as bits; 0: it may run on any. */
static uint64_t indices_of(const struct engine *g, const struct job *j)
{
	uint64_t indices = 0;
	bool all = true;

	for (int i = 0; i < g->n_workers; i++)
		if (j->devices >> i & 1)
			indices |= UINT64_C(1) << g->worker[i].sheet.index;
		else
			all = false;
	return all ? 0 : indices;
}

static int fill_acceptance(const struct engine *g, struct job *j,
                           struct journal_entry *entry)
{
	struct journal_row *r = set_row(entry, 0, JOURNAL_ADD_JOB, j);
	struct matrix operand[RECORD_OPERANDS];
	const size_t n = record_operands(j, operand);

	r->number = (int64_t)j->serial;
	memcpy(r->key, j->key, sizeof j->key);
	record_request(&r->text, j, indices_of(g, j));
	j->large_operands = journal_is_large(operand, n);
	return r->text.failed || journal_row_take(r, operand, n) ? -1 : 0;
}

int durable_accept(struct engine *g, struct job *j,
                   void (*then)(void *arg, const struct err *e), void *arg,
                   struct err *e)
{
	struct acceptance *a = malloc(sizeof *a);
	struct journal_entry *entry = journal_entry_new(1);

	if (!a || !entry || fill_acceptance(g, j, entry)) {
		free(a);
		journal_entry_free(entry);
		return err_set(e, ERR_MEMORY, "no memory for the journal");
	}
	*a = (struct acceptance){ job_ref(j), then, arg };
	entry->then = on_accepted;
	entry->arg = a;
	j->durable = j->accepting = true;
	journal_submit(g->journal, entry);
	return 0;
}

/* --- while it waits and runs */

/* Does the journal record the job, and not a fleet? */
static bool in_journal(const struct job *j)
{
	return j->durable && !j->lease;
}

/* An entry that must be written; NULL without memory, which is logged: the next
 * process then finds the job as it was before. */
static struct journal_entry *must_write(size_t n, const struct job *j)
{
	struct journal_entry *e = journal_entry_new(n);

	if (e)
		e->must = true;
	else
		log_error("job %s: no memory to write its state", j->id);
	return e;
}

static void submit_one(struct engine *g, const struct job *j,
                       enum journal_verb verb)
{
	struct journal_entry *e = in_journal(j) ? must_write(1, j) : NULL;

	if (!e)
		return;
	e->ordered = j->large_operands;
	set_row(e, 0, verb, j);
	journal_submit(g->journal, e);
}

void durable_begin(struct engine *g, struct job *const batch[], int n)
{
	struct journal_entry *e;
	size_t rows = 0;

	for (int i = 0; i < n; i++)
		rows += in_journal(batch[i]);
	e = rows ? must_write(rows, batch[0]) : NULL;
	if (!e)
		return;
	rows = 0;
	for (int i = 0; i < n; i++)
		if (in_journal(batch[i])) {
			batch[i]->epoch++;
			set_row(e, rows++, JOURNAL_BEGIN_JOB, batch[i]);
		}
	journal_submit(g->journal, e);
}

void durable_put_back(struct engine *g, struct job *j)
{
	submit_one(g, j, JOURNAL_PUT_BACK_JOB);
}

void durable_leave(struct engine *g, struct job *j)
{
	if (j->lease)
		j->lease->leave(j->lease, j);
	else if (j->state == JOB_RUNNING)
		durable_put_back(g, j);
}

/* --- its end */

int durable_matrix_row(struct journal_row *r, enum journal_verb verb,
                       const struct stored *s)
{
	r->verb = verb;
	r->number = (int64_t)s->version;
	snprintf(r->tenant, sizeof r->tenant, "%s", s->tenant);
	snprintf(r->name, sizeof r->name, "%s", s->name);
	if (verb == JOURNAL_REMOVE_MATRIX)
		return 0;
	text_printf(&r->text, "created %lld\nexpires %lld\n",
	            (long long)s->created_ms, (long long)s->expires_ms);
	return r->text.failed || journal_row_take(r, &s->matrix, 1) ? -1 : 0;
}

struct ending {
	struct engine *engine;
	struct job *job;		/* a reference */
	enum job_state state;
	struct err err;
	void (*then)(struct engine *g, struct job *j, enum job_state s,
	             const struct err *why);
};

/* The end of a job must be written, so that an error here means that the
 * process ends: the next one finds the job as it was before. */
static void on_ended(void *arg, const struct err *e)
{
	struct ending *const x = arg;

	(void)e;
	x->then(x->engine, x->job, x->state, &x->err);
	job_unref(x->job);
	free(x);
}

/* The number of matrices that the job has stored and that must be written. */
static size_t stored_of(const struct engine *g, const struct job *j)
{
	const struct keeping *const k = j->keeping;

	return g->journal && k && k->done && !k->keeper ? (size_t)k->n : 0;
}

static int fill_stored(const struct job *j, struct journal_row *r)
{
	const struct keeping *const k = j->keeping;

	for (int i = 0; i < k->n; i++) {
		const struct stored *s = store_find(k->store, k->tenant->name,
		                                    k->kept[i].name,
		                                    &(struct err){ 0 });

		if (!s || durable_matrix_row(&r[i], JOURNAL_PUT_MATRIX, s))
			return -1;
	}
	return 0;
}

static int fill_end(struct journal_entry *entry, struct job *j,
                    enum job_state s, const struct err *why)
{
	struct journal_row *r = set_row(entry, 0, JOURNAL_END_JOB, j);
	const struct err before = j->err;
	struct matrix result[RECORD_RESULTS];
	const size_t n = s == JOB_SUCCESSFUL ? record_results(j, result) : 0;

	snprintf(r->state, sizeof r->state, "%s", job_state_name(s));
	j->err = *why;
	record_answer(&r->text, j);
	j->err = before;
	return r->text.failed || journal_row_take(r, result, n) ? -1 : 0;
}

static struct journal_entry *end_entry(struct engine *g, struct job *j,
                                       enum job_state s,
                                       const struct err *why)
{
	const size_t stored = s == JOB_SUCCESSFUL ? stored_of(g, j) : 0;
	struct journal_entry *e = must_write(j->durable + stored, j);

	if (e && ((j->durable && fill_end(e, j, s, why)) ||
	          (stored && fill_stored(j, e->row + j->durable)))) {
		log_error("job %s: no memory to write its end", j->id);
		journal_entry_free(e);
		return NULL;
	}
	if (e)
		e->ordered = j->large_operands || stored;
	return e;
}

/* Has the job outputs for a keeper, which no lease records? */
static bool needs_keeper(const struct job *j, enum job_state s)
{
	const struct keeping *const k = j->keeping;

	return k && k->keeper && k->done && !j->lease && s == JOB_SUCCESSFUL;
}

bool durable_records_end(const struct engine *g, const struct job *j)
{
	return j->durable || needs_keeper(j, j->end_state) ||
	       (stored_of(g, j) && j->end_state == JOB_SUCCESSFUL);
}

/* Ends a job whose outputs were given to a keeper. */
static void on_kept(struct job *j, const struct err *e)
{
	struct ending *const x = j->keeping->ending;

	keep_settled(j->keeping, e->code != ERR_NONE);
	if (e->code) {
		j->end_state = x->state = JOB_FAILED;
		x->err = *e;
		job_drop_outputs(j);
	}
	on_ended(x, e);
}

static void keep(struct job *j, struct ending *x)
{
	struct keeping *const k = j->keeping;

	k->ending = x;
	k->keeper->keep(k->keeper, j, on_kept);
}

void durable_end(struct engine *g, struct job *j, enum job_state s,
                 const struct err *why,
                 void (*then)(struct engine *g, struct job *j,
                              enum job_state s, const struct err *why))
{
	struct ending *x = j->lease ? NULL : malloc(sizeof *x);
	const bool keeps = needs_keeper(j, s);
	struct journal_entry *e = x && !keeps ? end_entry(g, j, s, why) :
	                                        NULL;

	if (j->lease) {
		j->lease->end(j->lease, g, j, s, why, then);
		return;
	}
	if (keeps && !x) {
		static const struct err full = {
			.code = ERR_MEMORY, .retry_s = 1,
			.text = "no memory to store the outputs",
		};

		keep_settled(j->keeping, true);
		then(g, j, JOB_FAILED, &full);
		return;
	}
	if (keeps) {
		*x = (struct ending){ g, job_ref(j), s, *why, then };
		keep(j, x);
		return;
	}
	if (!e) {
		free(x);
		then(g, j, s, why);
		return;
	}
	*x = (struct ending){ g, job_ref(j), s, *why, then };
	e->then = on_ended;
	e->arg = x;
	journal_submit(g->journal, e);
}

void durable_expire(struct engine *g, const struct job *j)
{
	submit_one(g, j, JOURNAL_EXPIRE_JOB);
}

void durable_forget(struct engine *g, const struct job *j)
{
	submit_one(g, j, JOURNAL_REMOVE_JOB);
}
