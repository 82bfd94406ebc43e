/* ask.c - finds and lists jobs of the fleet, for replies about them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/asking.h"
#include "fleet/chunks.h"

/* --- one job */

struct finding {
	struct asking asking;
	depot_job_fn *then;
	bool results;			/* are wanted and, once the row has been
					 * read, exist */
	bool reads_large;		/* the row has been read, and work() is
					 * called again for its chunks or its
					 * file */
	struct memory_pool *memory;
	struct pg_answer *row;
	struct matrix result[RECORD_RESULTS];
	size_t n;
	int64_t run;			/* the epoch of the run that made the
					 * results */
	uint64_t bytes;			/* of the results' payload */
	struct shared *shared;
};

static int read_inline(struct finding *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = { pg_text(x->asking.id) };
	struct pg_answer *a = pg_ask(p, S_RESULTS, v, e);
	int rc;

	if (!a)
		return -1;
	rc = pg_rows(a) == 0 || pg_is_null(a, 0, 0) ?
	     depot_no_job(x->asking.id, e) :
	     payload_unpack(pg_get(a, 0, 0), pg_length(a, 0, 0),
	                    x->asking.id, x->result, RECORD_RESULTS, &x->n,
	                    x->memory, e);
	pg_answer_free(a);
	return rc;
}

static int read_large(struct finding *x, struct pg *p, struct err *e)
{
	const char *file = view_result_file(x->row, 0);

	return *file ? shared_read(x->shared, file, x->bytes, x->result,
	                           RECORD_RESULTS, &x->n, x->memory, e) :
	       chunks_read(p, x->asking.id, x->run, x->bytes, x->result,
	                   RECORD_RESULTS, &x->n, x->memory, e);
}

static int find(struct call *c, struct pg *p, struct err *e)
{
	struct finding *const x = (struct finding *)c;
	const struct pg_value v[] = {
		pg_text(x->asking.id), asking_tenant(&x->asking),
	};

	if (x->reads_large)
		return read_large(x, p, e);
	pg_answer_free(x->row);
	x->row = pg_ask(p, S_FIND, v, e);
	if (!x->row)
		return -1;
	if (pg_rows(x->row) == 0)
		return depot_no_job(x->asking.id, e);
	x->results &= view_has_results(x->row, 0, &x->run, &x->bytes);
	return x->results && x->bytes <= CHUNK_INLINE ? read_inline(x, p, e) :
	                                                0;
}

static void tell_found(struct finding *x, void *arg)
{
	struct err e = x->asking.call.err;
	struct job *j = e.code ? NULL :
	                view_of(x->asking.fleet, x->row, 0, &e);

	if (j && x->results &&
	    record_take_results(j, x->result, x->n, &e)) {
		job_unref(j);
		j = NULL;
	}
	x->then(arg, j, &e);
	job_unref(j);
}

/* Submits the call a second time if the results are not in the row, because it
 * may be slow then. */
static void found(struct call *c)
{
	struct finding *const x = (struct finding *)c;
	struct asker *by;

	if (x->asking.ask.by && !c->err.code && x->results &&
	    !x->reads_large && x->bytes > CHUNK_INLINE) {
		x->reads_large = true;
		c->slow = x->bytes > CHUNK_SLOW;
		crew_submit(x->asking.fleet->front, c);
		return;
	}
	by = ask_end(&x->asking.ask);
	if (by)
		tell_found(x, by->arg);
	for (size_t i = 0; i < x->n; i++)
		matrix_fini(&x->result[i]);
	pg_answer_free(x->row);
	free(x);
}

void fleet_find(struct depot *d, const char *id, const struct tenant *t,
                bool results, depot_job_fn *then, struct asker *by)
{
	struct finding *x = NULL;
	struct err e = { 0 };

	if (fleet_is_id(id))
		x = asking_new(d, sizeof *x, id, t, find, found, &e);
	else
		depot_no_job(id, &e);
	if (!x) {
		then(by->arg, NULL, &e);
		return;
	}
	x->then = then;
	x->results = results;
	x->shared = x->asking.fleet->shared;
	x->memory = x->asking.fleet->options.memory;
	asking_submit(&x->asking, by);
}

/* --- a list of jobs */

struct listing {
	struct asking asking;
	depot_jobs_fn *then;
	struct depot_selection selection;
	struct pg_answer *rows;
};

static int list(struct call *c, struct pg *p, struct err *e)
{
	struct listing *const x = (struct listing *)c;
	const int state = x->selection.state;
	char most[PG_DIGITS];
	const struct pg_value v[] = {
		asking_tenant(&x->asking), pg_text(state < 0 ? NULL :
		    job_state_name((enum job_state)state)),
		pg_number(x->selection.most, most),
	};

	pg_answer_free(x->rows);
	x->rows = pg_ask(p, S_LIST, v, e);
	return x->rows ? 0 : -1;
}

/* Leaves out jobs whose rows this version of linalgd cannot read. */
static void tell_listed(struct listing *x, void *arg)
{
	const int rows = x->asking.call.err.code ? 0 : pg_rows(x->rows);
	struct job **jobs = calloc((size_t)rows + 1, sizeof *jobs);
	struct err e = x->asking.call.err;
	int n = 0;

	if (!jobs)
		err_set(&e, ERR_MEMORY, "no memory for a list");
	for (int i = 0; jobs && i < rows; i++) {
		jobs[n] = view_of(x->asking.fleet, x->rows, i,
		                  &(struct err){ 0 });
		n += jobs[n] != NULL;
	}
	if (e.code)
		x->then(arg, NULL, 0, &e);
	else
		depot_tell_list(&x->asking.fleet->depot, &x->selection, jobs,
		                n, x->then, arg);
	for (int i = 0; i < n; i++)
		job_unref(jobs[i]);
	free(jobs);
}

static void listed(struct call *c)
{
	struct listing *const x = (struct listing *)c;
	struct asker *const by = ask_end(&x->asking.ask);

	if (by)
		tell_listed(x, by->arg);
	pg_answer_free(x->rows);
	free(x);
}

void fleet_list(struct depot *d, const struct depot_selection *s,
                depot_jobs_fn *then, struct asker *by)
{
	struct err e = { 0 };
	struct listing *x = asking_new(d, sizeof *x, "", s->tenant, list,
	                               listed, &e);

	if (!x) {
		then(by->arg, NULL, 0, &e);
		return;
	}
	x->then = then;
	x->selection = *s;
	asking_submit(&x->asking, by);
}
