/* stack.c - see stack.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copier.h"
#include "base/size.h"
#include "matrix/blocks.h"
#include "matrix/pages.h"
#include "ops/lapack/escape.h"
#include "ops/lapack/stack.h"

/* Bytes of workspaces that are kept for a while. malloc() keeps smaller ones,
 * too (lapack.c). */
enum { LEAST_KEPT = 32 << 20, MOST_KEPT = 64 << 20 };

/* Starting threads takes about as long as this many operations. */
#define FLOPS_OF_THREADS 2e6

/* The call reports its progress after about this many operations. */
#define FLOPS_OF_REPORT 5e8

static size_t size_of_one(const struct matrix *m)
{
	return matrix_rows(m) * matrix_cols(m);
}

static const char *element(const struct matrix *m, size_t i)
{
	return (const char *)matrix_data(m) + i * dtype_bytes(m->dtype);
}

const void *lapack_in(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->in[i];

	return element(m, matrix_stack(m) == 1 ? 0 : index * size_of_one(m));
}

void *lapack_out(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->out[i];
	const size_t each = a->stack ? matrix_elements(m) / a->stack : 0;

	return matrix_data(m) ? (char *)matrix_data(m) +
	       index * each * dtype_bytes(m->dtype) : NULL;
}

/* --- NaN and infinity */

struct failure_detail lapack_nonfinite(const struct args *a, int i,
                                       const void *x)
{
	const struct matrix *m = &a->in[i];
	const size_t n = size_of_one(m);
	const size_t at = lapack_find_nonfinite(m->dtype, x, n);

	if (at == n)
		return (struct failure_detail){ .code = ERR_NONE };
	return (struct failure_detail){
		.code = ERR_NONFINITE, .at = i,
		.x = (double)(at / matrix_cols(m)),
		.y = (double)(at % matrix_cols(m)),
	};
}

void lapack_poll(void)
{
	escape_poll();
}

static struct failure_detail search(const struct lapack_call *c, size_t index)
{
	struct failure_detail d = { .code = ERR_NONE };

	for (int i = 0; i < OP_INPUTS && d.code == ERR_NONE; i++)
		if (c->operands >> i & 1 && c->a->in[i].ndim != MATRIX_ABSENT)
			d = lapack_nonfinite(c->a, i,
			    (c->in ? c->in : lapack_in)(c->a, i, index));
	return d;
}

const char *lapack_which(const struct args *a, const struct failure *f,
                         char text[LAPACK_WHICH_TEXT])
{
	if (a->stack > 1)
		snprintf(text, LAPACK_WHICH_TEXT, "matrix %zu of the stack",
		         f->index);
	else
		snprintf(text, LAPACK_WHICH_TEXT, "matrix");
	return text;
}

void lapack_describe_nonfinite(const struct args *a, const struct failure *f,
                               struct err *e)
{
	const int i = f->detail.at >= 0 && f->detail.at < OP_INPUTS ?
	              f->detail.at : 0;
	const char *name = a->op->inputs[i].name;
	char which[LAPACK_WHICH_TEXT], pointer[64];

	snprintf(pointer, sizeof pointer, "/%s", name ? name : "");
	err_set_at(e, ERR_NONFINITE, pointer, "%s: %s has a NaN or an "
	           "infinity in row %.0f, column %.0f, counted from 0",
	           a->op->name, lapack_which(a, f, which), f->detail.x,
	           f->detail.y);
}

/* --- the stack */

struct work {
	struct lapack_call *c;
	struct failure_detail *details;	/* of every item */
	size_t count;
	size_t done;			/* items before those that run now */
	bool alone;			/* all items run on this thread */
};

/* Runs c->one, which lapack_poll() may leave. */
static struct failure_detail in_region(const struct lapack_call *c,
                                       size_t index, void *room)
{
	volatile struct failure_detail d = { .code = ERR_NONE };
	struct escape here;

	escape_begin(&here);
	if (setjmp(here.at) == 0)
		d = c->one(c, index, room);
	escape_end(&here);
	return d;
}

/* Runs c->one with a workspace. `alone`: on the call's own thread, whose large
 * workspaces are kept for the next call, since the system fills new pages with
 * zeros. */
static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 bool alone)
{
	struct failure_detail d = search(c, index);
	const bool kept = alone && c->room >= LEAST_KEPT &&
	                  c->room <= MOST_KEPT;
	size_t bytes = c->room;
	void *room;

	if (d.code != ERR_NONE || c->room == 0)
		return d.code != ERR_NONE ? d : in_region(c, index, NULL);
	room = kept ? blocks_take(c->room, &bytes) : pages_new(c->room);
	if (!room)
		return (struct failure_detail){ .code = ERR_MEMORY };
	d = in_region(c, index, room);
	if (kept)
		blocks_give(room, bytes);
	else
		free(room);
	return d;
}

static void piece(void *arg, size_t i)
{
	struct work *w = arg;

	w->details[w->done + i] = one(w->c, w->done + i, w->alone);
}

void lapack_parts(const struct lapack_call *c, size_t count,
                  void (*part)(void *arg, size_t i), void *arg)
{
	size_t done = 0;

	if (!c->threads)
		for (; done < count; done++)
			part(arg, done);
	else
		copier_begin(c->threads, part, arg);
	while (done < count) {
		const size_t next = size_min(done + COPIER_AHEAD, count);

		copier_allow(c->threads, next);
		done = copier_wait(c->threads, next);
	}
}

/* Runs the next `n` matrices. */
static void run_some(struct work *w, struct copier *threads, size_t n)
{
	if (threads) {
		copier_begin(threads, piece, w);
		copier_allow(threads, n);
		copier_wait(threads, n);
	} else {
		for (size_t i = 0; i < n; i++)
			piece(w, i);
	}
	w->done += n;
}

static void run_all(struct work *w, struct seq *s, struct copier *threads)
{
	const struct lapack_call *c = w->c;
	const size_t most = c->flops * COPIER_AHEAD < FLOPS_OF_REPORT ?
	    COPIER_AHEAD : size_max((size_t)(FLOPS_OF_REPORT / c->flops),
	                            threads ? (size_t)c->l->threads : 1);

	while (w->done < w->count && seq_goes_on(s)) {
		run_some(w, threads, size_min(most, w->count - w->done));
		seq_progress(s, (double)w->done / (double)w->count);
	}
}

static bool is_for_threads(const struct lapack_call *c, size_t count)
{
	return count > 1 && c->l->threads > 1 &&
	       c->rows <= LAPACK_ROWS_OF_ONE_THREAD &&
	       c->flops * (double)count > FLOPS_OF_THREADS;
}

/* Are the threads those of lapack_parts()? */
static bool is_for_parts(const struct lapack_call *c)
{
	return c->divided && c->l->threads > 1 &&
	       c->rows > LAPACK_ROWS_OF_ONE_THREAD;
}

static int check_memory(const struct work *w, struct seq *s)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->details[i].code == ERR_MEMORY)
			return err_set(seq_err(s), ERR_MEMORY, "%s: no memory "
			               "for a matrix of %zu rows",
			               w->c->a->op->name, w->c->rows);
	return seq_goes_on(s) ? 0 : -1;
}

int lapack_each(struct lapack_call *c, struct seq *s, struct args *a,
                size_t count, struct failure_detail *why)
{
	struct work w = { .c = c, .details = why, .count = count };
	struct copier *threads = NULL;

	c->a = a;
	c->l = lapack_load(s, c->rows, seq_err(s));
	if (!c->l)
		return -1;
	for (size_t i = 0; i < count; i++)
		why[i] = (struct failure_detail){ .code = ERR_NONE };
	seq_host_begin(s);
	if (is_for_threads(c, count) || is_for_parts(c))
		threads = copier_new(c->l->threads, seq_err(s));
	c->threads = is_for_parts(c) ? threads : NULL;
	w.alone = c->threads || !threads;
	run_all(&w, s, c->threads ? NULL : threads);
	copier_free(threads);
	seq_host_end(s);
	return check_memory(&w, s);
}

/* Runs all matrices; `why` has room for a result of each. */
static int run_with(struct lapack_call *c, struct seq *s, struct args *a,
                    struct failure_detail *why)
{
	const int rc = lapack_each(c, s, a, a->stack, why);

	for (size_t i = 0; rc == 0 && i < a->stack; i++)
		if (why[i].code != ERR_NONE)
			args_fail(a, &(struct failure){ i, why[i] });
	if (rc == 0 && c->judged)
		a->verdict.residual = args_worst(a, c->ratios, 1);
	if (atomic_load(c->fallback))
		a->verdict.fallback = 1;
	return rc < 0 ? -1 : seq_finish(s);
}

int lapack_run(struct lapack_call *c, struct seq *s, struct args *a)
{
	struct failure_detail *why = calloc(a->stack + 1, sizeof *why);
	atomic_bool fallback = false;
	int rc;

	c->fallback = &fallback;
	if (c->flops == 0 && a->stack > 0)
		c->flops = a->op->flops(a) / (double)a->stack;
	c->ratios = c->judged ? calloc(a->stack + 1, sizeof *c->ratios) : NULL;
	if (!why || (c->judged && !c->ratios))
		rc = err_set(seq_err(s), ERR_MEMORY, "%s: no memory for %zu "
		             "matrices", a->op->name, a->stack);
	else
		rc = run_with(c, s, a, why);
	free(why);
	free(c->ratios);
	return rc;
}
