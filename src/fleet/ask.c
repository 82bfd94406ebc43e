/* ask.c - finds and lists jobs of the fleet. */
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
	bool results;			/* are wanted, and */
	bool in_pieces;			/* yet to be read */
	struct memory_pool *memory;
	struct pg_answer *record;
	struct matrix m[RECORD_RESULTS];
	size_t n;
	int64_t run;
	uint64_t bytes;
};

static int read_small(struct finding *x, struct pg *p, struct err *e)
{
	const struct pg_value v[] = { pg_text(x->asking.id) };
	struct pg_answer *a = pg_ask(p, S_RESULTS, v, e);
	int rc;

	if (!a)
		return -1;
	rc = pg_rows(a) == 0 || pg_is_null(a, 0, 0) ?
	     asking_not_found(&x->asking, e) :
	     payload_unpack(pg_get(a, 0, 0), pg_length(a, 0, 0),
	                    x->asking.id, x->m, RECORD_RESULTS, &x->n,
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

	if (x->in_pieces)
		return chunks_read(p, x->asking.id, x->run, x->bytes, x->m,
		                   RECORD_RESULTS, &x->n, x->memory, e);
	pg_answer_free(x->record);
	x->record = pg_ask(p, S_FIND, v, e);
	if (!x->record)
		return -1;
	if (pg_rows(x->record) == 0)
		return asking_not_found(&x->asking, e);
	x->results &= view_has_results(x->record, 0, &x->run, &x->bytes);
	return x->results && x->bytes <= CHUNK_INLINE ? read_small(x, p, e) :
	                                                0;
}

static void tell_found(struct finding *x)
{
	struct err e = x->asking.call.err;
	struct job *j = e.code ? NULL :
	                view_of(x->asking.fleet, x->record, 0, &e);

	if (j && x->results &&
	    record_take_results(j, x->m, x->n, &e)) {
		job_unref(j);
		j = NULL;
	}
	x->then(x->arg, j, &e);
	job_unref(j);
}

/* Results in pieces are read by a second, slow call. */
static void found(struct call *c)
{
	struct finding *const x = (struct finding *)c;

	if (!x->asking.ask.cancelled && !c->err.code && x->results &&
	    !x->in_pieces && x->bytes > CHUNK_INLINE) {
		x->in_pieces = true;
		c->slow = x->bytes > 8 * CHUNK_BYTES;
		crew_submit(x->asking.fleet->front, c);
		return;
	}
	if (!x->asking.ask.cancelled)
		tell_found(x);
	for (size_t i = 0; i < x->n; i++)
		matrix_fini(&x->m[i]);
	pg_answer_free(x->record);
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

/* --- many */

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

/* A job whose record this version cannot read is left out. */
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
