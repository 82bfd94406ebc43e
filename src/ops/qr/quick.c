/* quick.c - qr of tall matrices by Cholesky's factorization of the normal
 * matrix in float64, with a single wait for the device. A pass is
 *
 *     G = A^T A,  G = U^T U,  Q = A U^-1,
 *
 * with G, U, U^-1 and the sums of the products in float64. One pass makes a
 * float32 Q as orthogonal as rounding allows, unless A is ill-conditioned. For
 * an ill-conditioned A, and for float64, a second pass factors Q = Q_2 U_2, and
 * R = U_2 U (CholeskyQR2; Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015).
 *
 * After the passes the host reads two numbers, which tell whether the result is
 * accurate enough to be the answer:
 *
 * - trace(D G^-1 D) with D^2 = diag(G). This trace is n if A's columns are
 *   orthogonal, and at most n times the square of the condition number of A
 *   D^-1. After one pass |Q^T Q - I| is about the trace times the roundoff of
 *   float64, and |A - Q R| is about the square root of the trace times as large
 *   as for an A with orthogonal columns.
 * - |U_2^-1 - I|, whose square is at most OFF only if |G_2 - I| <= 1/2 for the
 *   G_2 of the second pass. If so, Q is orthogonal but for roundoff (gram.c).
 *
 * If the result is not accurate enough, or a matrix has a NaN or an infinity,
 * *done becomes false, and gram.c factors the matrices by another method. */
#include "ops/blas/gemm.h"
#include "ops/qr/device.h"
#include "ops/qr/normal.h"

enum { TILE = QR_NORMAL_TILE, ITEMS = QR_NORMAL_ITEMS };

/* Bounds of the trace after the first pass: ONCE if it is the only pass,
 * TWICE_SINGLE or TWICE_DOUBLE n (for float32 or float64) if there are two; OFF
 * bounds |U_2^-1 - I|^2. */
static const double ONCE = 0x1p24, TWICE_SINGLE = 0x1p48;
static const double TWICE_DOUBLE = 0x1p12, OFF = 1.0 / 36;

struct quick {
	const struct args *a;
	struct qr_sizes z;
	struct qr_normal normal;
	struct buf signs;
	struct buf first;		/* Q after the first of two passes */
};

/* to = `from` U^-1, multiplied by the signs S if `is_signed`. If `to` is { 0 },
 * only the first ld rows of the product are computed, and become X. */
static void apply(const struct quick *t, struct buf from, struct buf to,
                  bool is_signed)
{
	const struct qr_normal *g = &t->normal;
	const struct qr_sizes *z = &t->z;
	const size_t blocks = to.id ? size_blocks(z->m, TILE) : g->tiles;
	const size_t groups = z->stack * blocks * g->tiles;

	seq_work(g->s, 2.0 * TILE * TILE * TILE * z->stack * blocks * g->pairs,
	         0);
	seq_launch(g->s, "qr_normal_apply", GRID1(groups * ITEMS, ITEMS),
	           ARG_BUF(from), ARG_INT(z->m), ARG_INT(z->n),
	           ARG_INT(blocks), ARG_BUF(g->y), ARG_INT(g->ld),
	           ARG_BUF(t->signs), ARG_INT(is_signed),
	           ARG_BUF(to.id ? to : from), ARG_BUF(g->x),
	           ARG_INT(!to.id));
}

/* Computes S, Q and R, where `from` U^-1 = Q S. */
static void give(const struct quick *t, struct buf from, bool twice)
{
	const struct qr_normal *g = &t->normal;
	const struct args *a = t->a;
	struct seq *const s = g->s;
	const size_t n = t->z.n, count = t->z.stack * n * n;
	const size_t step = g->ld * g->ld;
	const struct blas_part u = { g->u[0], 0, g->ld, step, false };
	const struct blas_part v = { g->u[1], 0, g->ld, step, false };
	const struct blas_part x = { g->x, 0, g->ld, step, false };
	const struct blas_gemm all = { .stack = t->z.stack, .m = n, .n = n,
	                             .k = n, .alpha = 1, .tile = TILE };

	apply(t, from, (struct buf){ 0 }, false);
	qr_find_signs(s, &(struct qr_signs){
		t->z.stack, g->ld, g->x, g->parts, t->signs });
	if (dense_has(a, QR_Q))
		apply(t, from, seq_output(s, &a->out[QR_Q]), true);
	if (!dense_has(a, QR_R))
		return;
	if (twice) {
		/* U = U_2 U_1 */
		seq_set_dtype(s, FLOAT64);
		blas_gemm(s, &all, &v, &u, &x);
		seq_set_dtype(s, a->dtype);
	}
	seq_launch(s, "qr_normal_r", GRID1(count, TILE),
	           ARG_BUF(twice ? g->x : g->u[0]), ARG_INT(n),
	           ARG_INT(g->ld), ARG_BUF(t->signs), ARG_LONG(count),
	           ARG_BUF(seq_output(s, &a->out[QR_R])));
}

/* Factors the matrices in `passes` passes. Returns whether the result is
 * accurate enough. *again becomes true if a second pass may make the result
 * accurate enough. */
static bool attempt(struct quick *t, int passes, bool *again)
{
	const bool single = t->a->dtype == FLOAT32;
	const double twice = single ? TWICE_SINGLE :
	                     TWICE_DOUBLE * (double)t->z.n;
	double told[2][QR_NORMAL_NUMBERS] = { { 0 } };
	struct buf from = seq_input(t->normal.s, &t->a->in[0]);

	for (int i = 0; i < passes; i++) {
		if (i > 0) {
			apply(t, from, t->first, false);
			from = t->first;
		}
		qr_normal_factor(&t->normal, from, i);
		seq_progress(t->normal.s, (i + 1.0) / (passes + 1));
	}
	give(t, from, passes > 1);
	*again = qr_normal_told(&t->normal, passes, told) &&
	         told[0][QR_NORMAL_SIZE] <= twice;
	return *again && (passes > 1 ? told[1][QR_NORMAL_OFF] <= OFF :
	                  told[0][QR_NORMAL_SIZE] <= ONCE);
}

static struct quick quick_of(const struct args *a, const struct sheet *d)
{
	const struct qr_sizes z = qr_sizes_of(a);

	return (struct quick){
		.a = a, .z = z,
		.normal = qr_normal_of(z.stack, z.m, z.n, a->dtype, d),
	};
}

/* The bytes of the signs, and of Q after the first of two passes. */
static size_t signs_bytes(const struct quick *t)
{
	return t->z.stack * t->normal.ld * sizeof(int32_t);
}

static size_t first_bytes(const struct quick *t)
{
	return t->z.stack * t->z.m * t->z.n * dtype_bytes(t->a->dtype);
}

void qr_quick_need(struct need *n, const struct sheet *d, const struct args *a)
{
	struct quick t = quick_of(a, d);

	t.normal.need = n;
	qr_normal_room(&t.normal);
	need_buffer(n, signs_bytes(&t));
	need_buffer(n, first_bytes(&t));
}

int qr_quick_factor(struct seq *s, const struct args *a, bool *done)
{
	struct quick t = quick_of(a, seq_sheet(s));
	bool again = true;

	t.normal.s = s;
	qr_normal_room(&t.normal);
	t.signs = seq_scratch(s, signs_bytes(&t));
	*done = a->dtype == FLOAT32 && attempt(&t, 1, &again);
	if (!*done && again) {
		t.first = seq_scratch(s, first_bytes(&t));
		*done = attempt(&t, 2, &again);
	}
	return seq_failed(s) ? -1 : 0;
}
