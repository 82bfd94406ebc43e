/* blocked.c - qr on the device by blocks of QR_NB Householder reflections,
 *
 *     H_1 ... H_NB = I - V T V^T    (compact WY; Schreiber and Van Loan 1989).
 *
 * A block is applied to the columns to the right of its panel, and for Q to the
 * identity, by matrix products (block.h). Small and tall matrices are factored
 * by other kernels (device.h). With column pivoting LAPACK factors all matrices
 * that are not small. */
#include <limits.h>
#include <stdlib.h>

#include "ops/lapack/stack.h"
#include "ops/qr/block.h"
#include "ops/qr/device.h"

enum {
	SCALE_LANES = 64, SCALE_ROWS = 256,	/* kernels/qr/panel.cl */
	ITEMS = 64
};

/* The buffer of that output, or `other` if the answer does not have it. */
static struct buf output_or(struct seq *s, const struct args *a, int output,
                            struct buf other)
{
	return dense_has(a, output) ? seq_output(s, &a->out[output]) : other;
}

static void factor_small(struct seq *s, const struct args *a, struct buf bad)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const struct buf none = { 0 };

	qr_small_factor(s, &z, &(struct qr_small){
		.a = seq_input(s, &a->in[0]), .bad = bad,
		.q = output_or(s, a, QR_Q, none),
		.r = output_or(s, a, QR_R, none),
		.p = output_or(s, a, QR_P, none),
		.h = output_or(s, a, QR_H, none),
		.tau = output_or(s, a, QR_TAU, none) });
}

/* --- large matrices */

/* A call on large matrices: its buffers and their layout. */
struct task {
	struct seq *s;
	const struct args *a;
	struct qr_sizes z;
	struct qr_block b;		/* W is the scaled A, later R */
	struct buf exponents, bad;
};

/* The bytes of each buffer. */
struct sizes { size_t w, exponents; };

static struct sizes sizes_of(const struct qr_sizes *z, enum dtype t)
{
	return (struct sizes){
		.w = dtype_bytes(t) * z->stack * z->m * z->n,
		.exponents = z->stack * z->n * sizeof(int32_t),
	};
}

static struct task task_of(struct seq *s, const struct args *a,
                           struct buf bad)
{
	struct task t = { .s = s, .a = a, .z = qr_sizes_of(a), .bad = bad };
	const struct sizes z = sizes_of(&t.z, a->dtype);

	t.exponents = seq_scratch(s, z.exponents);
	t.b = qr_block_of(s, t.z.stack, t.z.m, t.z.n,
	                  size_max(t.z.n, t.z.columns), seq_scratch(s, z.w));
	t.b.tau = output_or(s, a, QR_TAU, (struct buf){ 0 });
	return t;
}

void qr_load(struct seq *s, const struct args *a, struct buf w,
             struct buf exponents, struct buf bad)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const int32_t none = INT32_MIN, zero = 0;
	const size_t count = z.stack * z.m * z.n;
	const struct buf from = seq_input(s, &a->in[0]);
	const size_t groups = size_blocks(z.n, SCALE_LANES) *
	                      size_blocks(z.m, SCALE_ROWS) * z.stack;

	seq_fill(s, exponents, 0, z.stack * z.n * sizeof none, &none,
	         sizeof none);
	seq_fill(s, bad, 0, z.stack * sizeof zero, &zero, sizeof zero);
	seq_launch(s, "qr_scale", GRID1(groups * SCALE_LANES, SCALE_LANES),
	           ARG_BUF(from), ARG_INT(z.m), ARG_INT(z.n),
	           ARG_BUF(exponents), ARG_BUF(bad));
	seq_launch(s, "qr_load", GRID1(count, ITEMS), ARG_BUF(from),
	           ARG_INT(z.m), ARG_INT(z.n), ARG_BUF(exponents),
	           ARG_LONG(count), ARG_BUF(w));
}

/* Applies the reflections of columns begin to end - 1 to columns first to last
 * - 1 of the m x n matrices in c. */
static void apply(const struct task *t, size_t begin, size_t end, struct buf c,
                  size_t n, size_t first, size_t last, bool transposed)
{
	const struct blas_part part = { c, begin * n + first, n, t->z.m * n,
	                                false };

	qr_block_apply(&t->b, begin, size_round_up(end - begin, QR_NB), &part,
	               last - first, transposed);
}

/* Factors columns begin to end - 1, and applies their reflections to the
 * columns from `end` on. */
static void factor_columns(const struct task *t, size_t begin, size_t end)
{
	const size_t n = t->z.n;

	for (size_t i = begin; i < end; i += QR_NB) {
		const size_t next = size_min(i + QR_NB, end);

		qr_block_factor(&t->b, i);
		if (next < end)
			apply(t, i, next, t->b.w, n, next, end, true);
		if (i > begin)
			qr_block_join(&t->b, begin, i);
	}
	apply(t, begin, end, t->b.w, n, end, n, true);
}

/* Q = (I - Y_1 V_1^T) (I - Y_2 V_2^T) ... I, from the last block on */
static void make_q(const struct task *t)
{
	const struct qr_sizes *z = &t->z;
	const struct buf q = seq_output(t->s, &t->a->out[QR_Q]);
	const size_t count = z->stack * z->m * z->columns, each = t->b.each;
	const size_t blocks = size_blocks(z->k, each);

	seq_launch(t->s, "qr_identity", GRID1(count, ITEMS), ARG_INT(z->m),
	           ARG_INT(z->columns), ARG_LONG(count), ARG_BUF(q));
	for (size_t i = blocks; i-- > 0; ) {
		apply(t, i * each, size_min(i * each + each, z->k), q,
		      z->columns, i * each, z->columns, false);
		seq_progress(t->s, 1 - (double)i / (double)blocks / 2);
	}
}

void qr_give_r(struct seq *s, const struct args *a, struct buf w, size_t rows,
               struct buf exponents)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const size_t count = z.stack * z.columns * z.n;
	const struct buf r = seq_output(s, &a->out[QR_R]);

	seq_launch(s, "qr_give_r", GRID1(count, ITEMS), ARG_BUF(w),
	           ARG_INT(rows), ARG_INT(z.n), ARG_INT(z.columns),
	           ARG_BUF(exponents), ARG_LONG(count), ARG_BUF(r));
	seq_output_done(s, r, 0, count * dtype_bytes(a->dtype));
}

static void give_h(const struct task *t)
{
	const struct qr_sizes *z = &t->z;
	const size_t count = z->stack * z->m * z->n;

	seq_launch(t->s, "qr_give_h", GRID1(count, ITEMS), ARG_BUF(t->b.w),
	           ARG_INT(z->m), ARG_INT(z->n), ARG_BUF(t->b.v),
	           ARG_INT(t->b.ld), ARG_BUF(t->exponents), ARG_LONG(count),
	           ARG_BUF(seq_output(t->s, &t->a->out[QR_H])));
}

/* Sets host[i] as factor() does, before it launches everything else: on
 * NVIDIA's driver, a later read would wait for the download of R, which takes
 * long for a stack. */
static void factor_large(struct seq *s, const struct args *a, struct buf bad,
                         int32_t *host)
{
	const struct task t = task_of(s, a, bad);

	qr_load(s, a, t.b.w, t.exponents, bad);
	seq_read(s, bad, 0, host, t.z.stack * sizeof *host);
	for (size_t i = 0; i < t.z.k; i += t.b.each) {
		const size_t end = size_min(i + t.b.each, t.z.k);

		factor_columns(&t, i, end);
		seq_progress(s, (double)end / (double)t.z.k / 2);
	}
	if (dense_has(a, QR_R))
		qr_give_r(s, a, t.b.w, t.z.m, t.exponents);
	if (dense_has(a, QR_Q))
		make_q(&t);
	if (dense_has(a, QR_H))
		give_h(&t);
}

/* --- the call */

bool qr_blocked_fits(const struct args *a, const struct sheet *d)
{
	const struct qr_sizes z = qr_sizes_of(a);

	return z.stack > 0 && z.k > 0 &&
	       (qr_is_small(&z, a->dtype, d) ||
	        (!z.pivots && qr_block_fits(d)));
}

void qr_blocked_need(struct need *n, const struct sheet *d,
                     const struct args *a)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const struct sizes b = sizes_of(&z, a->dtype);

	if (qr_is_tall(&z, a->dtype, d)) {
		qr_tall_need(n, d, a);
		return;
	}
	need_buffer(n, z.stack * sizeof(int32_t));
	if (qr_is_small(&z, a->dtype, d))
		return;
	need_buffer(n, b.w);
	need_buffer(n, b.exponents);
	qr_block_need(n, d, a->dtype, z.stack, z.m, z.n,
	              size_max(z.n, z.columns));
}

void qr_fail_nonfinite(struct args *a, size_t i)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	const size_t at = lapack_find_nonfinite(a->dtype, lapack_in(a, 0, i),
	                                        m * n);

	args_fail(a, &(struct failure){ i, {
		.code = ERR_NONFINITE, .x = (double)(at / n),
		.y = (double)(at % n),
	} });
}

static void record(struct args *a, const int32_t *bad)
{
	for (size_t i = 0; i < matrix_stack(&a->in[0]); i++)
		if (bad[i] != 0)
			qr_fail_nonfinite(a, i);
}

/* Factors all matrices, which are not tall. Sets host[i] to 1 if matrix i has a
 * NaN or an infinity, else to 0. */
static int factor(struct seq *s, const struct args *a, int32_t *host)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const size_t size = z.stack * sizeof *host;
	const struct buf bad = seq_scratch(s, size);

	if (qr_is_small(&z, a->dtype, seq_sheet(s))) {
		factor_small(s, a, bad);
		seq_read(s, bad, 0, host, size);
	} else {
		factor_large(s, a, bad, host);
	}
	return seq_failed(s) ? -1 : 0;
}

int qr_blocked(struct seq *s, struct args *a)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const struct sheet *d = seq_sheet(s);
	int32_t *bad;
	int rc;

	if (!qr_blocked_fits(a, d))
		return qr_host(s, a);
	bad = malloc(z.stack * sizeof *bad);
	if (!bad)
		return err_set(seq_err(s), ERR_MEMORY, "qr: no memory for %zu "
		               "matrices", z.stack);
	rc = qr_is_tall(&z, a->dtype, d) ? qr_tall_factor(s, a, bad) :
	                                   factor(s, a, bad);
	if (rc == 0)
		record(a, bad);
	free(bad);
	return rc < 0 ? -1 : seq_finish(s);
}
