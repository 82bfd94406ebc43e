/* few.c - for normal.c: the rank of one matrix A, and the solution for that
 * rank, from a few singular values (extremes.h). The device computes the
 * products with G = A^T A and with G^-1 = Y^T Y, where Y = U^-T; the few
 * vectors go to the host and back between two products.
 *
 * If some singular values count as 0, the solution is P G^-1 P A^T b, where P
 * removes their singular vectors. A is a float32 matrix then, so that x needs
 * no correction (normal.c). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/blas/gemm.h"
#include "ops/dense.h"
#include "ops/lstsq/extremes.h"
#include "ops/lstsq/normal.h"
#include "ops/room.h"
#include "ops/solve/solve.h"

enum {
	ITEMS = 256, LANES = 64, SIDE = 16,	/* kernels/lstsq/lstsq.cl */
	VECTORS = EXTREMES_VECTORS
};

/* The relative distance of all singular values from the threshold of the rank,
 * which exceeds the effect of rounding errors (host_normal.c). */
static const double MARGIN = 1.1;

/* s_1 is at most this multiple of the smallest singular value that counts
 * (normal.c); no limit for float64 matrices, whose x is known to be
 * accurate. */
static const double MOST_SINGLE = 0x1p20;

struct task {
	struct seq *s;			/* NULL while memory is counted */
	struct need *need;		/* NULL while a call runs */
	const struct lstsq_few *q;
	size_t n;
	struct buf sums;		/* vectors in columns of n + 1 numbers,
					 * as lstsq_down reads them */
	struct buf from, z, to;		/* vectors in columns of n */
	struct buf g;			/* n x n: G */
	double *host;			/* (n + 1) x VECTORS numbers */
};

static struct buf room(const struct task *t, size_t numbers)
{
	return room_make(t->s, t->need, numbers * sizeof(double));
}

static void make_room(struct task *t)
{
	t->sums = room(t, (t->n + 1) * VECTORS);
	t->from = room(t, t->n * VECTORS);
	t->z = room(t, t->n * VECTORS);
	t->to = room(t, t->n * VECTORS);
	t->g = room(t, t->n * t->n);
}

bool lstsq_few_fits(const struct args *a)
{
	return a->stack == 1 && !dense_has(a, LSTSQ_S);
}

void lstsq_few_need(struct need *n, const struct args *a)
{
	struct task t = { .need = n, .n = systems_of(NULL, a).n };

	make_room(&t);
}

/* Mirrors the upper triangle of G at the diagonal. */
static void mirror(const struct task *t)
{
	const struct qr_normal *g = t->q->normal;
	const size_t count = t->n * t->n;

	qr_normal_matrix(g);
	seq_launch(t->s, "lstsq_mirror", GRID1(count, LANES), ARG_BUF(g->x),
	           ARG_INT(t->n), ARG_INT(g->ld), ARG_LONG(count),
	           ARG_BUF(t->g));
}

/* to = G from */
static void multiply(const struct task *t, const double *v, size_t columns)
{
	const struct blas_gemm size = { .stack = 1, .m = columns, .n = t->n,
	                                .k = t->n, .alpha = 1 };
	const struct blas_part from = { .b = t->from, .ld = t->n };
	const struct blas_part g = { .b = t->g, .ld = t->n };
	const struct blas_part to = { .b = t->to, .ld = t->n };

	seq_write(t->s, t->from, 0, v, t->n * columns * sizeof *v);
	seq_set_dtype(t->s, FLOAT64);
	blas_gemm(t->s, &size, &from, &g, &to);
	seq_set_dtype(t->s, t->q->normal->dtype);
}

/* to = G^-1 v */
static void divide(const struct task *t, const double *v, size_t columns)
{
	const struct qr_normal *g = t->q->normal;
	const size_t n = t->n, down = size_blocks(n, SIDE);
	const size_t up = size_blocks(n, LANES);

	for (size_t c = 0; c < columns; c++) {
		memcpy(t->host + c * (n + 1), v + c * n, n * sizeof *v);
		t->host[c * (n + 1) + n] = 0;
	}
	seq_write(t->s, t->sums, 0, t->host,
	          (n + 1) * columns * sizeof *t->host);
	seq_launch(t->s, "lstsq_down", GRID1(down * ITEMS, ITEMS),
	           ARG_BUF(g->y), ARG_INT(n), ARG_INT(g->ld),
	           ARG_BUF(t->sums), ARG_INT(columns), ARG_BUF(t->z));
	seq_launch(t->s, "lstsq_up", GRID1(up * ITEMS, ITEMS), ARG_BUF(g->y),
	           ARG_INT(n), ARG_INT(g->ld), ARG_BUF(t->z),
	           ARG_INT(columns), ARG_INT(0), ARG_BUF(t->to));
}

static bool apply(const void *how, bool inverse, double *v, size_t columns)
{
	const struct task *t = how;

	(inverse ? divide : multiply)(t, v, columns);
	seq_read(t->s, t->to, 0, v, t->n * columns * sizeof *v);
	return !seq_failed(t->s);
}

/* --- the solution, without the singular vectors that count as 0 */

/* Sets r->x, VECTORS right-hand sides at a time. */
static bool solve(const struct task *t, const struct lapack *l,
                  const struct extremes_found *f, struct lstsq_rank *r)
{
	const size_t n = t->n, sides = t->q->sides;
	double shares[VECTORS * VECTORS];

	r->x = malloc(n * sides * sizeof *r->x);
	if (!r->x) {
		err_set(seq_err(t->s), ERR_MEMORY, "lstsq: no memory for %zu "
		        "solutions", sides);
		return false;
	}
	for (size_t c = 0; c < sides; c++)
		memcpy(r->x + c * n, t->q->before + c * (n + 1),
		       n * sizeof *r->x);
	for (size_t c = 0; c < sides; c += VECTORS) {
		const size_t count = size_min(VECTORS, sides - c);
		double *const x = r->x + c * n;

		extremes_project(l, n, f, x, count, shares);
		if (!apply(t, true, x, count))
			return false;
		extremes_project(l, n, f, x, count, shares);
	}
	return true;
}

static bool run(struct task *t, double *start, double *work,
                struct lstsq_rank *r)
{
	const struct lapack *l = lapack_load(t->s, t->n, seq_err(t->s));
	const double rcond = dense_rcond(t->q->a, LSTSQ_RCOND);
	const bool single = t->q->normal->dtype == FLOAT32;
	const struct extremes e = {
		.l = l, .n = t->n, .start = start, .room = work,
		.largest = t->q->largest, .above = MARGIN * rcond,
		.below = rcond / MARGIN,
		.accurate = single ? MOST_SINGLE : INFINITY,
		.turn = EXTREMES_TURN * FLT_EPSILON,
		.apply = apply, .how = t,
	};
	struct extremes_found f;

	if (!l)
		return false;
	make_room(t);
	mirror(t);
	extremes_start(start, t->n);
	if (!extremes_find(&e, &f) || (f.rank < t->n && !single))
		return false;
	r->rank = f.rank;
	r->first = f.first;
	r->next = f.next;
	return f.rank == t->n || solve(t, l, &f, r);
}

bool lstsq_few(const struct lstsq_few *q, struct lstsq_rank *r)
{
	struct task t = { .s = q->normal->s, .q = q, .n = q->normal->n };
	double *const start = malloc((EXTREMES_START(t.n) + EXTREMES_ROOM(t.n) +
	                              (t.n + 1) * VECTORS) * sizeof *start);
	bool done = false;

	if (start) {
		t.host = start + EXTREMES_START(t.n) + EXTREMES_ROOM(t.n);
		done = run(&t, start, start + EXTREMES_START(t.n), r);
	} else {
		err_set(seq_err(t.s), ERR_MEMORY, "lstsq: no memory for "
		        "vectors of %zu numbers", t.n);
	}
	free(start);
	return done;
}
