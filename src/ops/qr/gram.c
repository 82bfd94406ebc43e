/* gram.c - qr of tall matrices by Cholesky's factorization of A^T A
 * (CholeskyQR2; Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015). A pass is
 *
 *     G = Q^T Q,  G = L L^T,  Q = Q L^-T,  R = L^T R,
 *
 * where Q = A and R = I before the first pass. The pass whose G is near I is
 * the last one, and leaves Q as orthogonal as Householder's reflections do. If
 * no G is near I in PASSES passes, or if a pass fails because A is
 * ill-conditioned, all passes are repeated, the first one with G + s I in place
 * of G (shifted CholeskyQR3; Fukaya, Kannan, Nakatsukasa, Yamamoto and
 * Yanagisawa 2020). If these fail, too, another method factors the matrices.
 * Where the device has float64, quick.c is tried first, and these passes are
 * for matrices that are too ill-conditioned for it.
 *
 * The passes leave R with a positive diagonal. LAPACK's signs follow from the
 * upper n x n part of Q, from which Householder's vectors could be rebuilt
 * (Ballard, Demmel, Grigori, Jacquelin, Knight and Nguyen 2015). */
#include <math.h>
#include <stdlib.h>

#include "ops/blas/trsm.h"
#include "ops/cholesky/cholesky.h"
#include "ops/lu/residual.h"
#include "ops/qr/device.h"
#include "ops/room.h"

enum {
	ASPECT = 4, PASSES = 4, ROWS = 1024, ITEMS = 64,
	MOST = 1024			/* columns, an estimate: with more
					 * columns, products take most of the
					 * time, and blocked.c computes them on
					 * tensor cores */
};

struct gram {
	struct seq *s;			/* NULL while memory is counted */
	struct need *need;		/* NULL while a call runs */
	const struct args *a;
	struct qr_sizes z;
	size_t each, blocks;		/* G is a sum of `blocks` products of
					 * `each` rows, fewer in the last */
	struct buf q, r, other;		/* Q, R, and room for the next R */
	struct buf parts, g, state, exponents, bad;
	size_t ld;			/* of x, a multiple of the tile */
	struct buf x, room, signs;	/* of qr_find_signs() */
	double *host;			/* n x n for each matrix */
};

bool qr_gram_fits(const struct args *a, const struct sheet *d)
{
	const struct qr_sizes z = qr_sizes_of(a);

	return qr_blocked_fits(a, d) && !qr_is_small(&z, a->dtype, d) &&
	       !z.pivots && !z.raw && z.columns == z.n && z.n <= MOST &&
	       z.m >= ASPECT * z.n &&
	       z.m >= size_round_up(z.n, QR_NORMAL_TILE);
}

static struct buf room(const struct gram *t, size_t numbers, size_t bytes)
{
	return room_make(t->s, t->need, t->z.stack * numbers * bytes);
}

static void plan(struct gram *t, const struct sheet *d)
{
	const size_t n = t->z.n, bytes = dtype_bytes(t->a->dtype);
	const size_t wide = lu_wide_bytes(d);

	t->each = size_max(ROWS, ASPECT * n);
	t->blocks = size_blocks(t->z.m, t->each);
	if (t->a->out[QR_Q].ndim == MATRIX_ABSENT)
		t->q = room(t, t->z.m * n, bytes);
	else if (t->s)
		t->q = seq_output(t->s, &t->a->out[QR_Q]);
	t->r = room(t, n * n, bytes);
	t->other = room(t, n * n, bytes);
	t->parts = room(t, t->blocks * n * n, bytes);
	t->g = room(t, n * n, bytes);
	t->state = room(t, 2, sizeof(int32_t));
	t->exponents = room(t, n, sizeof(int32_t));
	t->bad = room(t, 1, sizeof(int32_t));
	t->ld = size_round_up(n, QR_NORMAL_TILE);
	t->x = room(t, t->ld * t->ld, wide);
	t->room = room(t, qr_signs_room(t->ld), wide);
	t->signs = room(t, t->ld, sizeof(int32_t));
}

void qr_gram_need(struct need *n, const struct sheet *d, const struct args *a)
{
	struct gram t = { .need = n, .a = a, .z = qr_sizes_of(a) };

	if (qr_normal_fits(t.z.n, d))
		qr_quick_need(n, d, a);
	plan(&t, d);
}

/* Computes G = Q^T Q as a sum over blocks of rows, whose products are computed
 * side by side. */
static void multiply(const struct gram *t)
{
	const size_t m = t->z.m, n = t->z.n, count = t->z.stack * n * n;
	const size_t whole = m / t->each, rest = m % t->each;
	struct blas_gemm g = { .stack = whole, .m = n, .n = n, .k = t->each,
	                       .alpha = 1, .lower = true };

	for (size_t i = 0; i < t->z.stack; i++) {
		struct blas_part q = { t->q, i * m * n, n, t->each * n, false };
		struct blas_part turned = q;
		struct blas_part c = { t->parts, i * t->blocks * n * n, n,
		                       n * n, false };

		turned.transposed = true;
		g.stack = whole;
		g.k = t->each;
		blas_gemm(t->s, &g, &turned, &q, &c);
		q.at = turned.at += whole * t->each * n;
		c.at += whole * n * n;
		g.stack = rest > 0;
		g.k = rest;
		blas_gemm(t->s, &g, &turned, &q, &c);
	}
	seq_launch(t->s, "qr_gram_sum", GRID1(count, ITEMS),
	           ARG_BUF(t->parts), ARG_INT(n), ARG_INT(t->blocks),
	           ARG_LONG(count), ARG_BUF(t->g));
}

/* Adds s I to G, where s = 11 (m n + n (n + 1)) u trace(G); the source has
 * |A|^2 in the 2-norm, of which the trace is an upper bound. */
static void shift(const struct gram *t)
{
	const double m = (double)t->z.m, n = (double)t->z.n;
	const double factor = 11 * (m * n + n * (n + 1)) *
	                      dtype_epsilon(t->a->dtype) / 2;
	const float single = (float)factor;
	const struct arg f = t->a->dtype == FLOAT64 ?
	    (struct arg){ sizeof factor, &factor, 0 } :
	    (struct arg){ sizeof single, &single, 0 };

	seq_launch(t->s, "qr_gram_shift", GRID1(t->z.stack, 1), ARG_BUF(t->g),
	           ARG_INT(t->z.n), f, ARG_LONG(t->z.stack));
}

/* Reads an n x n block of each matrix of the stack from b to t->host, as
 * doubles. The first block begins at element `from`, the others `step` elements
 * after each other. */
static void read_square(const struct gram *t, struct buf b, size_t from,
                        size_t step)
{
	const size_t size = t->z.n * t->z.n, bytes = dtype_bytes(t->a->dtype);
	float *const single = (float *)t->host;

	for (size_t i = 0; i < t->z.stack; i++)
		seq_read(t->s, b, (from + i * step) * bytes,
		         (char *)t->host + i * size * bytes, size * bytes);
	for (size_t i = t->z.stack * size; i-- > 0 &&
	     t->a->dtype == FLOAT32; )
		t->host[i] = single[i];
}

/* Returns whether |G - I| <= 1/2 in the Frobenius norm for all matrices. If so,
 * |I - Q^T Q| is of the order of the roundoff after this pass. */
static bool is_near_identity(const struct gram *t)
{
	const size_t n = t->z.n, size = n * n;

	read_square(t, t->g, 0, size);
	if (seq_failed(t->s))
		return false;
	for (size_t k = 0; k < t->z.stack; k++) {
		double sum = 0;

		for (size_t e = 0; e < size; e++) {
			const double x = t->host[k * size + e];
			const size_t i = e / n, j = e % n;

			if (j <= i)
				sum += (i == j ? 1 : 2) * (x - (i == j)) *
				       (x - (i == j));
		}
		if (!(sum <= 0.25))
			return false;
	}
	return true;
}

/* Returns whether one of the first `count` flags in b is not 0, or the flags
 * cannot be read. */
static bool any(const struct gram *t, struct buf b, size_t count)
{
	int32_t *const host = calloc(count + 1, sizeof *host);
	bool found = true;

	if (host) {
		seq_read(t->s, b, 0, host, count * sizeof *host);
		found = false;
		for (size_t i = 0; i < count; i++)
			found |= host[i] != 0;
	}
	free(host);
	return found || seq_failed(t->s);
}

/* G = L L^T; false: some G is not positive definite, or a device call
 * failed. */
static bool factor(const struct gram *t)
{
	const int32_t none = 0;

	seq_fill(t->s, t->state, 0, 2 * t->z.stack * sizeof none, &none,
	         sizeof none);
	cholesky_in_place(t->s, t->z.n, t->z.stack, t->g, t->state);
	return !any(t, t->state, t->z.stack);
}

/* Q = Q L^-T, R = L^T R */
static void apply(struct gram *t)
{
	const size_t m = t->z.m, n = t->z.n, size = n * n;
	const struct blas_trsm solve = { .stack = t->z.stack, .n = n,
	                                 .sides = m };
	const struct blas_gemm g = { .stack = t->z.stack, .m = n, .n = n,
	                             .k = n, .alpha = 1 };
	const struct blas_part l = { t->g, 0, n, size, false };
	const struct blas_part lt = { t->g, 0, n, size, true };
	const struct blas_part q = { t->q, 0, n, m * n, true };
	const struct blas_part r = { t->r, 0, n, size, false };
	const struct blas_part to = { t->other, 0, n, size, false };

	blas_trsm(t->s, &solve, &l, &q);
	blas_gemm(t->s, &g, &lt, &r, &to);
	t->other = r.b;
	t->r = to.b;
}

/* Makes passes until Q is orthogonal. Returns false if A has a NaN or an
 * infinity, if a pass fails, or if Q is not orthogonal after PASSES passes. */
static bool orthogonalize(struct gram *t, bool shifted)
{
	const size_t n = t->z.n, count = t->z.stack * n * n;

	qr_load(t->s, t->a, t->q, t->exponents, t->bad);
	if (any(t, t->bad, t->z.stack))
		return false;
	seq_launch(t->s, "qr_identity", GRID1(count, ITEMS), ARG_INT(n),
	           ARG_INT(n), ARG_LONG(count), ARG_BUF(t->r));
	for (int i = 0; i < PASSES; i++) {
		bool last;

		multiply(t);
		last = is_near_identity(t);
		if (i == 0 && shifted)
			shift(t);
		if (!factor(t))
			return false;
		apply(t);
		if (last)
			return true;
	}
	return false;
}

/* Q = Q S, R = S R; then R's columns are scaled back. */
static int give(const struct gram *t)
{
	const size_t m = t->z.m, n = t->z.n, stack = t->z.stack;
	const size_t count = stack * t->ld * t->ld;

	seq_launch(t->s, "qr_normal_top", GRID1(count, ITEMS), ARG_BUF(t->q),
	           ARG_INT(m), ARG_INT(n), ARG_INT(t->ld), ARG_LONG(count),
	           ARG_BUF(t->x));
	qr_find_signs(t->s, &(struct qr_signs){ stack, t->ld, t->x, t->room,
	                                        t->signs });
	seq_launch(t->s, "qr_signs", GRID1(stack * m * n, ITEMS),
	           ARG_BUF(t->q), ARG_INT(m), ARG_INT(n), ARG_BUF(t->signs),
	           ARG_INT(t->ld), ARG_INT(0), ARG_LONG(stack * m * n));
	seq_launch(t->s, "qr_signs", GRID1(stack * n * n, ITEMS),
	           ARG_BUF(t->r), ARG_INT(n), ARG_INT(n), ARG_BUF(t->signs),
	           ARG_INT(t->ld), ARG_INT(1), ARG_LONG(stack * n * n));
	if (t->a->out[QR_R].ndim != MATRIX_ABSENT)
		qr_give_r(t->s, t->a, t->r, n, t->exponents);
	return seq_failed(t->s) ? -1 : 0;
}

/* Factors the matrices by passes in the element type. The host waits after each
 * pass to decide whether another one is needed. */
static int careful(struct seq *s, const struct args *a, bool *done)
{
	struct gram t = { .s = s, .a = a, .z = qr_sizes_of(a) };
	int rc = 0;

	t.host = malloc(t.z.stack * t.z.n * t.z.n * sizeof *t.host);
	if (!t.host)
		return err_set(seq_err(s), ERR_MEMORY, "qr: no memory for %zu "
		               "matrices", t.z.stack);
	plan(&t, seq_sheet(s));
	*done = orthogonalize(&t, false) || orthogonalize(&t, true);
	if (*done)
		rc = give(&t);
	free(t.host);
	return seq_failed(s) ? -1 : rc;
}

int qr_gram_factor(struct seq *s, const struct args *a, bool *done)
{
	*done = false;
	if (qr_normal_fits(qr_sizes_of(a).n, seq_sheet(s)) &&
	    qr_quick_factor(s, a, done) < 0)
		return -1;
	return *done ? 0 : careful(s, a, done);
}
