/* streamed_sweep.c - solves with factors in the host's memory; see streamed.h.
 * The device gets those rows of a strip that a triangle has:
 *
 *     L, L^T   rows from the diagonal down     L X, U^T X: first strip first
 *     U, U^T   rows down to the diagonal       U X, L^T X: last strip first
 *
 * A solve with a triangle T takes, for strip k,
 *
 *     T:    X_k = T_kk^-1 X_k              then all other rows -= T_ik X_k
 *     T^T:  X_k -= T_ik^T of all others    then X_k = T_kk^-T X_k
 *
 * while the next strip is uploaded. */
#include "ops/solve/streamed.h"

struct columns solve_streamed_strip(const struct solve_streamed *t, size_t k)
{
	const struct columns c = { .m = t->h.n, .n = t->h.n, .width = t->most,
	                           .parts = size_blocks(t->h.n, t->most) };

	return columns_part(&c, k);
}

/* One solve with a triangle. */
struct sweep {
	struct solve_streamed *t;
	size_t cols, strips;
	bool upper, transposed;
};

/* A strip of the triangle. */
struct piece {
	size_t j, w;			/* its columns: from j on, w of them */
	struct region at;		/* its elements in the factors */
	size_t other, others;		/* the rows that are not those of its
					 * diagonal block: the first of them,
					 * and how many */
};

static struct piece piece_of(const struct sweep *w, size_t step)
{
	const bool back = w->upper != w->transposed;
	const size_t k = back ? w->strips - 1 - step : step;
	const struct columns c = solve_streamed_strip(w->t, k);
	const size_t j = k * c.width, n = w->t->h.n;
	struct piece p = { .j = j, .w = c.own };

	p.other = w->upper ? 0 : j + c.own;
	p.others = w->upper ? j : n - j - c.own;
	p.at = (struct region){ (w->upper ? 0 : j) * n + j, p.others + c.own,
	                        c.own, n };
	return p;
}

static void send(void *sweep, size_t step)
{
	const struct sweep *const w = sweep;
	const struct piece p = piece_of(w, step);

	seq_load(w->t->h.s, &w->t->factors, &p.at, w->t->strip[step % 2]);
}

/* Subtracts the products with the rows outside of the diagonal block: from
 * these rows of X or, transposed, from those of the block. */
static void subtract(const struct sweep *w, const struct piece *p,
                     const struct blas_part *t, const struct blas_part *xk,
                     const struct blas_part *others)
{
	struct blas_gemm g = { .stack = 1, .m = p->others, .n = w->cols,
	                       .k = p->w, .alpha = -1, .beta = 1 };

	if (p->others == 0)
		return;
	if (w->transposed) {
		g.m = p->w;
		g.k = p->others;
		blas_gemm(w->t->h.s, &g, t, others, xk);
	} else {
		blas_gemm(w->t->h.s, &g, t, xk, others);
	}
}

static void apply(void *sweep, size_t step)
{
	const struct sweep *const w = sweep;
	const struct piece p = piece_of(w, step);
	const struct buf strip = w->t->strip[step % 2], x = w->t->x;
	const struct blas_part diagonal = {
		.b = strip, .at = w->upper ? p.others * p.w : 0, .ld = p.w,
		.transposed = w->transposed,
	};
	const struct blas_part outside = {
		.b = strip, .at = w->upper ? 0 : p.w * p.w, .ld = p.w,
		.transposed = w->transposed,
	};
	const struct blas_part xk = { .b = x, .at = p.j * w->cols,
	                              .ld = w->cols };
	const struct blas_part others = { .b = x, .at = p.other * w->cols,
	                                  .ld = w->cols };

	if (w->transposed)
		subtract(w, &p, &outside, &xk, &others);
	blas_trsm(w->t->h.s, &(struct blas_trsm){ .stack = 1, .n = p.w,
	          .sides = w->cols, .upper = w->upper != w->transposed,
	          .unit = !w->upper }, &diagonal, &xk);
	if (!w->transposed)
		subtract(w, &p, &outside, &xk, &others);
}

/* Replaces x by U^-1 L^-1 x or, transposed, by L^-T U^-T x. */
static void sweep(struct solve_streamed *t, double *x, size_t cols,
                  bool transposed)
{
	const struct columns all = { .n = t->h.n, .width = t->h.n, .parts = 1,
	                             .own = t->h.n };

	if (cols == 0 || t->h.n == 0)
		return;
	solve_hosted_write(&t->h, &all, true, x, cols, t->x);
	for (int i = 0; i < 2; i++) {
		struct sweep w = { t, cols, size_blocks(t->h.n, t->most),
		                   (i == 1) != transposed, transposed };

		strips_apply(t->h.s, w.strips, send, apply, &w);
	}
	solve_hosted_read(&t->h, &all, true, t->x, x, cols);
}

void solve_streamed_substitute(void *task, double *x, size_t cols)
{
	sweep(task, x, cols, false);
}

void solve_streamed_substitute_transposed(void *task, double *x, size_t cols)
{
	sweep(task, x, cols, true);
}
