/* journaled.c - see journaled.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "queue/job_record.h"
#include "queue/journaled.h"
#include "queue/keep.h"
#include "queue/state.h"
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
	if (e->code)
		a->job->backing = NULL;
	a->then(a->arg, e);
	job_unref(a->job);
	free(a);
}

/* Returns the devices that the job may run on, as bits by the index of their
 * sheets; 0 if it may run on any. */
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

int journaled_accept(struct engine *g, struct job *j,
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
	j->backing = &journaled;
	j->accepting = true;
	journal_submit(g->journal, entry);
	return 0;
}

/* --- while a job waits and runs */

/* Makes an entry of n rows that must be written. Returns NULL without memory,
 * which is logged; the next process then finds the job as it was before. */
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
	struct journal_entry *e = must_write(1, j);

	if (!e)
		return;
	e->ordered = j->large_operands;
	set_row(e, 0, verb, j);
	journal_submit(g->journal, e);
}

/* The jobs that an entry says have begun: references. */
struct beginning {
	size_t n;
	struct job *job[];
};

/* The entry is on the disk, or the process ends. */
static void on_begun(void *arg, const struct err *e)
{
	struct beginning *const x = arg;

	(void)e;
	for (size_t i = 0; i < x->n; i++) {
		x->job[i]->beginning--;
		job_changed(x->job[i]);
		job_unref(x->job[i]);
	}
	free(x);
}

static void add_beginning(struct journal_entry *e, struct beginning *x,
                          struct job *j)
{
	j->epoch++;
	j->beginning++;
	x->job[x->n] = job_ref(j);
	set_row(e, x->n++, JOURNAL_BEGIN_JOB, j);
}

static void begin(struct backing *b, struct engine *g,
                  struct job *const batch[], int n)
{
	struct beginning *x;
	struct journal_entry *e;
	size_t rows = 0;

	for (int i = 0; i < n; i++)
		rows += batch[i]->backing == b;
	x = malloc(sizeof *x + rows * sizeof(struct job *));
	e = must_write(rows, batch[0]);
	if (!x || !e) {
		journal_entry_free(e);
		free(x);
		return;
	}
	x->n = 0;
	for (int i = 0; i < n; i++)
		if (batch[i]->backing == b)
			add_beginning(e, x, batch[i]);
	e->then = on_begun;
	e->arg = x;
	journal_submit(g->journal, e);
}

static void put_back(struct backing *b, struct engine *g, struct job *j)
{
	(void)b;
	submit_one(g, j, JOURNAL_PUT_BACK_JOB);
}

/* The next process of this host finds a job that waits as it is. */
static void leave(struct backing *b, struct engine *g, struct job *j)
{
	if (j->state == JOB_RUNNING)
		put_back(b, g, j);
}

/* --- the end of a job */

int journaled_matrix_row(struct journal_row *r, enum journal_verb verb,
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

/* Takes the success of a job back of which the journal has nothing: its outputs
 * cannot be stored. */
static void fail(struct job *j)
{
	keep_take_back(j->keeping);
	j->end_state = JOB_FAILED;
	job_drop_outputs(j);
}

/* The end of a job that the journal has must be written, so that an error here
 * means that the process ends: the next one finds the job as it was before. */
static void on_ended(void *arg, const struct err *e)
{
	struct ending *const x = arg;

	if (e->code && !x->job->backing) {
		fail(x->job);
		x->state = JOB_FAILED;
		x->err = *e;
	} else {
		keep_confirm(x->job->keeping);
	}
	ending_tell(x);
}

size_t journaled_stored(const struct engine *g, const struct job *j)
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

		if (!s || journaled_matrix_row(&r[i], JOURNAL_PUT_MATRIX, s))
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
	const size_t stored = s == JOB_SUCCESSFUL ? journaled_stored(g, j) : 0;
	const bool backed = j->backing != NULL;
	struct journal_entry *e = must_write(backed + stored, j);

	if (e && ((backed && fill_end(e, j, s, why)) ||
	          (stored && fill_stored(j, e->row + backed)))) {
		log_error("job %s: no memory to write its end", j->id);
		journal_entry_free(e);
		return NULL;
	}
	if (e) {
		e->must = backed;
		e->ordered = j->large_operands || stored;
	}
	return e;
}

/* Ends a job whose end cannot be written to the journal, because there is no
 * memory for the entry. If the journal has the job, the daemon finds it there
 * as not ended when it starts again. */
static void end_unwritten(struct engine *g, struct job *j, enum job_state s,
                          const struct err *why,
                          void (*then)(struct engine *g, struct job *j,
                                       enum job_state s,
                                       const struct err *why))
{
	static const struct err full = {
		.code = ERR_MEMORY, .retry_s = 1,
		.text = "no memory to store the outputs",
	};

	if (j->backing) {
		keep_confirm(j->keeping);
		then(g, j, s, why);
	} else {
		fail(j);
		then(g, j, JOB_FAILED, &full);
	}
}

void journaled_end(struct engine *g, struct job *j, enum job_state s,
                   const struct err *why,
                   void (*then)(struct engine *g, struct job *j,
                                enum job_state s, const struct err *why))
{
	struct ending *x = ending_new(g, j, s, why, then);
	struct journal_entry *e = x ? end_entry(g, j, s, why) : NULL;

	if (!e) {
		ending_free(x);
		end_unwritten(g, j, s, why, then);
		return;
	}
	e->then = on_ended;
	e->arg = x;
	journal_submit(g->journal, e);
}

static void end(struct backing *b, struct engine *g, struct job *j,
                enum job_state s, const struct err *why,
                void (*then)(struct engine *g, struct job *j,
                             enum job_state s, const struct err *why))
{
	(void)b;
	journaled_end(g, j, s, why, then);
}

static void expire(struct backing *b, struct engine *g, const struct job *j)
{
	(void)b;
	submit_one(g, j, JOURNAL_EXPIRE_JOB);
}

static void forget(struct backing *b, struct engine *g, const struct job *j)
{
	(void)b;
	submit_one(g, j, JOURNAL_REMOVE_JOB);
}

struct backing journaled = {
	.begin = begin, .put_back = put_back, .leave = leave, .end = end,
	.expire = expire, .forget = forget,
};
