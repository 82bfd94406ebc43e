/* det.c - the determinant of a square matrix, or of every one of a stack: the
 * product of U's diagonal in P A = L U, with the sign of P. The host multiplies
 * mantissas and adds exponents, so that nothing overflows on the way. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/power.h"
#include "matrix/pages.h"
#include "ops/dense.h"
#include "ops/det/det.h"
#include "ops/lapack/lapack.h"
#include "ops/lu/judged.h"

enum { DET = DET_DET, SIGN = DET_SIGN, LOGABSDET = DET_LOGABSDET };
enum { LANES = 64 };

/* The number sign * fraction * 2^power. fraction is in [0.5, 1), or 0, infinity
 * or NaN. */
struct product {
	double sign, fraction;
	int64_t power;
};

static int shape(struct args *a, struct err *e)
{
	(void)e;
	dense_shape(a, DET, a->dtype, 0, 0, 0);
	dense_shape(a, SIGN, a->dtype, 0, 0, 0);
	dense_shape(a, LOGABSDET, dtype_part(a->dtype), 0, 0, 0);
	return 0;
}

static double flops(const struct args *a)
{
	const double n = (double)matrix_rows(&a->in[0]);

	return (double)matrix_stack(&a->in[0]) * (lu_flops(n, n) + n);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]);
}

static void multiply(struct product *p, double u)
{
	int power = 0, carry = 0;

	p->sign *= isnan(u) ? u : (u > 0) - (u < 0);
	p->fraction = frexp(p->fraction * frexp(fabs(u), &power), &carry);
	if (isfinite(p->fraction) && p->fraction > 0)
		p->power += power + carry;
}

static struct product product_of(const double *diagonal, const int32_t *swaps,
                                 size_t n)
{
	struct product p = { .sign = 1, .fraction = 0.5, .power = 1 };

	for (size_t i = 0; i < n; i++) {
		multiply(&p, diagonal[i]);
		if (swaps[i] != (int32_t)i)
			p.sign = -p.sign;
	}
	return p;
}

static double det_of(const struct product *p)
{
	if (p->sign == 0 || isnan(p->sign))
		return p->sign;
	return p->sign * power_ldexp(p->fraction, p->power);
}

/* Where |det| is a normal number, its logarithm is taken, because the sum of
 * those of its two factors may cancel. */
static double log_of(const struct product *p)
{
	const double det = fabs(det_of(p));

	if (isnan(det) || p->sign == 0)
		return isnan(det) ? det : -INFINITY;
	return isnormal(det) ? log(det) :
	       log(p->fraction) + (double)p->power * log(2);
}

/* Stores the wanted outputs. NaN and infinity in A reach the determinant as in
 * IEEE arithmetic. */
static void put(struct args *a, size_t index, const struct product *p)
{
	if (args_wants(a, DET))
		matrix_set(&a->out[DET], index, det_of(p));
	if (args_wants(a, SIGN))
		matrix_set(&a->out[SIGN], index, p->sign == 0 ? 0 : p->sign);
	if (args_wants(a, LOGABSDET))
		matrix_set(&a->out[LOGABSDET], index, log_of(p));
}

static void widen(enum dtype t, double *x, size_t n)
{
	for (size_t i = n; i-- > 0 && t == FLOAT32; )
		x[i] = ((const float *)x)[i];
}

/* --- matrices whose factors overflow or underflow */

/* Returns whether A has elements which are not 0 and whose product with others
 * of A may underflow to 0. */
static bool has_small(const struct matrix *m, size_t index, size_t n,
                      double least)
{
	for (size_t i = 0; i < n * n; i++) {
		const double x = fabs(matrix_get(m, index * n * n + i));

		if (x > 0 && x < sqrt(least))
			return true;
	}
	return false;
}

/* Returns whether U's diagonal may have lost digits to underflow: an element of
 * it is subnormal, or 0 though that of A's exact factors may be none. */
static bool has_underflown(const struct matrix *m, size_t index, size_t n,
                           const double *diagonal)
{
	const double least = m->dtype == FLOAT32 ? FLT_MIN : DBL_MIN;
	bool zero = false;

	for (size_t i = 0; i < n; i++) {
		if (diagonal[i] != 0 && fabs(diagonal[i]) < least)
			return true;
		zero |= diagonal[i] == 0;
	}
	return zero && has_small(m, index, n, least);
}

/* Loads matrix `index` of the operand, each row of it scaled by the power of
 * two that brings its largest element near 1; *power is the sum of the powers.
 * Returns false if an element is not finite. */
static bool load(const struct matrix *m, size_t index, size_t n, double *x,
                 int64_t *power)
{
	*power = 0;
	for (size_t i = 0; i < n; i++, x += n) {
		double most = 0;
		int of_row;

		for (size_t j = 0; j < n; j++) {
			x[j] = matrix_get(m, (index * n + i) * n + j);
			if (!isfinite(x[j]))
				return false;
			most = fmax(most, fabs(x[j]));
		}
		frexp(most, &of_row);
		for (size_t j = 0; j < n; j++)
			x[j] = ldexp(x[j], -of_row);
		*power += of_row;
	}
	return true;
}

/* Factors that matrix on the host, and sets *p to its determinant, unless an
 * element is not finite. x has room for it, swaps and pivots for n integers. */
static void factor_scaled(const struct lapack *l, const struct args *a,
                          size_t index, size_t n, double *x, int32_t *swaps,
                          int *pivots, struct product *p)
{
	int64_t power;

	if (!load(&a->in[0], index, n, x, &power))
		return;
	l->d.getrf(LAPACK_COLUMNS, (int)n, (int)n, x, (int)n, pivots);
	for (size_t i = 0; i < n; i++) {
		x[i] = x[i * (n + 1)];
		swaps[i] = pivots[i] - 1;
	}
	*p = product_of(x, swaps, n);
	p->power += power;
}

/* Does the same for a matrix whose factors have overflowed or underflowed. */
static int repair(struct seq *s, const struct args *a, size_t index, size_t n,
                  struct product *p)
{
	const struct lapack *l = lapack_load(s, n, seq_err(s));
	double *x = pages_new(n * n * sizeof *x);
	int32_t *swaps = malloc(n * sizeof *swaps);
	int *pivots = malloc(n * sizeof *pivots);
	const bool room = x && swaps && pivots;

	seq_host_begin(s);
	if (l && room)
		factor_scaled(l, a, index, n, x, swaps, pivots, p);
	seq_host_end(s);
	free(x);
	free(swaps);
	free(pivots);
	if (l && !room)
		return err_set(seq_err(s), ERR_MEMORY, "det: no memory for a "
		               "matrix of %zu rows", n);
	return l ? 0 : -1;
}

static int finish(struct seq *s, struct args *a, const struct factors *f,
                  struct buf diagonal)
{
	const size_t rows = f->stack * f->n;
	double *u = malloc((rows + 1) * sizeof *u);
	int32_t *swaps = malloc((rows + 1) * sizeof *swaps);
	const bool room = u && swaps;
	int rc = 0;

	if (room) {
		seq_read(s, diagonal, 0, u, rows * dtype_bytes(a->dtype));
		seq_read(s, f->swaps, 0, swaps, rows * sizeof *swaps);
		widen(a->dtype, u, rows);
	}
	for (size_t i = 0; room && rc == 0 && i < f->stack && !seq_failed(s);
	     i++) {
		struct product p = product_of(u + i * f->n, swaps + i * f->n,
		                              f->n);

		if (!isfinite(p.fraction) || isnan(p.sign) ||
		    has_underflown(&a->in[0], i, f->n, u + i * f->n))
			rc = repair(s, a, i, f->n, &p);
		put(a, i, &p);
	}
	free(u);
	free(swaps);
	return room ? rc : err_set(seq_err(s), ERR_MEMORY, "det: no memory for "
	                          "%zu diagonals", f->stack);
}

/* The functions by which a variant factors. */
struct way {
	lu_factor_fn *factor;
	lu_need_fn *need;
};

static struct factors factors_of(const struct args *a)
{
	return (struct factors){
		.stack = matrix_stack(&a->in[0]),
		.m = matrix_rows(&a->in[0]), .n = matrix_rows(&a->in[0]),
		.pivoting = true,
	};
}

static int run(struct seq *s, struct args *a)
{
	const struct way *way = a->variant->how;
	struct factors f = factors_of(a);
	struct buf diagonal;

	f.a = seq_input(s, &a->in[0]);
	factors_alloc(s, &f);
	way->factor(s, &f);
	diagonal = seq_scratch(s, f.stack * f.n * dtype_bytes(a->dtype));
	seq_launch(s, "det_diagonal", GRID2(f.n, f.stack, LANES, 1),
	           ARG_BUF(f.lu), ARG_INT(f.n), ARG_BUF(diagonal));
	/* The judge's kernels run before the host waits for the diagonals. */
	if (a->quality != QUALITY_NONE &&
	    lu_judge(s, a, &f, lu_permutation(s, &f)) < 0)
		return -1;
	return finish(s, a, &f, diagonal) < 0 ? -1 : seq_finish(s);
}

/* `run` has already judged the factors, because they are no output. */
static int residual(struct seq *s, struct args *a)
{
	(void)a;
	return seq_finish(s);
}

static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *n)
{
	const struct way *way = v->how;
	const struct factors f = factors_of(a);

	need_matrix(n, d, &a->in[0]);
	need_buffer(n, matrix_size(&a->in[0]));
	need_buffer(n, factors_swaps(&f));
	way->need(n, d, a->dtype, &f);
	need_buffer(n, f.stack * f.n * dtype_bytes(a->dtype));
	if (a->quality == QUALITY_NONE)
		return;
	lu_permutation_need(n, &f);
	lu_judge_need(n, d, a, &f);
}

#define KERNELS \
	" det_diagonal " LU_PERMUTATION_KERNELS " " LU_RESIDUAL_KERNELS
#define WAY(name) &(const struct way){ lu_factor_##name, lu_need_##name }

const struct op op_det = {
	.name = "det",
	.summary = "the determinant of a square matrix, with its sign and "
	           "logarithm, by LU",
	.details = "det is infinite or 0 where the determinant is beyond the "
	           "range of its type; sign and logabsdet, the natural "
	           "logarithm of its magnitude, remain correct there, as "
	           "those of NumPy's slogdet do. If U has an exact zero on "
	           "its diagonal, det and sign are 0 and logabsdet is minus "
	           "infinity (null in JSON).",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.inputs = (const struct operand[]){
		{ "a", "the square matrix, or a stack of them", 2, false,
		  DENSE },
		{ 0 }
	},
	.params = (const struct param[]){ { 0 } },
	.outputs = (const struct output[]){
		[DET] = { "det", "the determinant", false },
		[SIGN] = { "sign", "the sign of the "
		  "determinant: 1, -1 or 0; of a complex one the number of "
		  "modulus 1 with its direction", false },
		[LOGABSDET] = { "logabsdet", "the natural logarithm of the "
		  "determinant's magnitude", false },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "blocked", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
		  LU_BLOCKED_KERNELS KERNELS, "linalgd", run, .need = need,
		  .how = WAY(blocked) },
		{ "spread", NEEDS_SM80, DEVICE_GPU, DTYPE_REALS,
		  LU_SPREAD_KERNELS KERNELS, "linalgd", run, .need = need,
		  .how = WAY(spread) },
		{ "tiled", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  LU_TILED_KERNELS KERNELS, "linalgd", run, .need = need,
		  .how = WAY(tiled) },
		{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_COMPLEXES, "", "LAPACK", det_complex,
		  .need = NULL },
		{ 0 }
	},
	.check = dense_check_square,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.residual = residual,
	.sample = dense_sample,
};
