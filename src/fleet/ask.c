/* ask.c - finds and lists jobs of the fleet, for replies about them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/asking.h"
#include "fleet/chunks.h"

/* --- one job */

struct finding {
	struct asking asking;
	void (*then)(void *arg, struct job *j, const struct err *e);
	void *arg;
	bool results;			/* are wanted and, once the row has been
					 * read, exist */
	bool reads_chunks;		/* the row has been read, and work() is
					 * called again for its chunks */
	struct memory_pool *memory;
	struct pg_answer *row;
	struct matrix result[RECORD_RESULTS];
	size_t n;
	int64_t run;			/* the epoch of the run that made the
					 * results */
	uint64_t bytes;			/* of the results' payload */
};

static int read_inline(struct finding *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = { pg_text(x->asking.id) };
	struct pg_answer *a = pg_ask(p, S_RESULTS, v, e);
	int rc;

	if (!a)
		return -1;
	rc = pg_rows(a) == 0 || pg_is_null(a, 0, 0) ?
	     asking_not_found(&x->asking, e) :
	     payload_unpack(pg_get(a, 0, 0), pg_length(a, 0, 0),
	                    x->asking.id, x->result, RECORD_RESULTS, &x->n,
	                    x->memory, e);
	pg_answer_free(a);
	return rc;
}

static int find(struct call *c, struct pg *p, struct err *e)
{
	struct finding *const x = (struct finding *)c;
	const struct pg_value v[] = {
		pg_text(x->asking.id), asking_tenant(&x->asking),
	};

	if (x->reads_chunks)
		return chunks_read(p, x->asking.id, x->run, x->bytes,
		                   x->result, RECORD_RESULTS, &x->n, x->memory,
		                   e);
	pg_answer_free(x->row);
	x->row = pg_ask(p, S_FIND, v, e);
	if (!x->row)
		return -1;
	if (pg_rows(x->row) == 0)
		return asking_not_found(&x->asking, e);
	x->results &= view_has_results(x->row, 0, &x->run, &x->bytes);
	return x->results && x->bytes <= CHUNK_INLINE ? read_inline(x, p, e) :
	                                                0;
}

static void tell_found(struct finding *x)
{
	struct err e = x->asking.call.err;
	struct job *j = e.code ? NULL :
	                view_of(x->asking.fleet, x->row, 0, &e);

	if (j && x->results &&
	    record_take_results(j, x->result, x->n, &e)) {
		job_unref(j);
		j = NULL;
	}
	x->then(x->arg, j, &e);
	job_unref(j);
}

/* Submits the call a second time if the results are in chunks, because it may
 * be slow then. */
static void found(struct call *c)
{
	struct finding *const x = (struct finding *)c;

	if (!x->asking.ask.cancelled && !c->err.code && x->results &&
	    !x->reads_chunks && x->bytes > CHUNK_INLINE) {
		x->reads_chunks = true;
		c->slow = x->bytes > CHUNK_SLOW;
		crew_submit(x->asking.fleet->front, c);
		return;
	}
	if (!x->asking.ask.cancelled)
		tell_found(x);
	for (size_t i = 0; i < x->n; i++)
		matrix_fini(&x->result[i]);
	pg_answer_free(x->row);
	free(x);
}

struct fleet_ask *fleet_find(struct fleet *f, const char *id,
                             const struct tenant *t, bool results,
                             void (*then)(void *arg, struct job *j,
                                          const struct err *e), void *arg,
                             struct err *e)
{
	struct finding *x;

	if (!fleet_is_id(id)) {
		err_set(e, ERR_NOT_FOUND, "there is no job %.40s (any more)",
		        id);
		return NULL;
	}
	x = asking_new(f, sizeof *x, id, t, find, found, e);
	if (!x)
		return NULL;
	x->then = then;
	x->arg = arg;
	x->results = results;
	x->memory = f->options.memory;
	crew_submit(f->front, &x->asking.call);
	return &x->asking.ask;
}

/* --- a list of jobs */

struct listing {
	struct asking asking;
	void (*then)(void *arg, struct job *const *jobs, int n,
	             const struct err *e);
	void *arg;
	const char *state;
	int most;
	struct pg_answer *rows;
};

static int list(struct call *c, struct pg *p, struct err *e)
{
	struct listing *const x = (struct listing *)c;
	char most[PG_DIGITS];
	const struct pg_value v[] = {
		asking_tenant(&x->asking), pg_text(x->state),
		pg_number(x->most, most),
	};

	pg_answer_free(x->rows);
	x->rows = pg_ask(p, S_LIST, v, e);
	return x->rows ? 0 : -1;
}

/* Leaves out jobs whose rows this version of linalgd cannot read. */
static void tell_listed(struct listing *x)
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
	x->then(x->arg, jobs, n, &e);
	for (int i = 0; i < n; i++)
		job_unref(jobs[i]);
	free(jobs);
}

static void listed(struct call *c)
{
	struct listing *const x = (struct listing *)c;

	if (!x->asking.ask.cancelled)
		tell_listed(x);
	pg_answer_free(x->rows);
	free(x);
}

struct fleet_ask *fleet_list(struct fleet *f, const struct tenant *t,
                             int state, int most,
                             void (*then)(void *arg, struct job *const *jobs,
                                          int n, const struct err *e),
                             void *arg, struct err *e)
{
	struct listing *x = asking_new(f, sizeof *x, "", t, list, listed, e);

	if (!x)
		return NULL;
	x->then = then;
	x->arg = arg;
	x->state = state < 0 ? NULL : job_state_name((enum job_state)state);
	x->most = most;
	crew_submit(f->front, &x->asking.call);
	return &x->asking.ask;
}
