/* complex.c - solves A X = B with complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. A general matrix is factored by ZGETRF, the solution
 * computed by ZGETRS, refined and its error bounded by ZGERFS, and the
 * condition number estimated by ZGECON. With a triangular matrix, ZTRSM
 * substitutes, ZTRRFS bounds the error, and ZTRCON estimates the condition
 * number; there are no factors and no refinement. If the client names the
 * structure, only one triangle of A is read. A symmetric or positive definite
 * matrix is hermitian here. Factors that the client gives are used as they
 * are. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/complex.h"
#include "ops/lapack/exported.h"
#include "ops/solve/structure.h"

/* The errors of so many right-hand sides of a triangular system are bounded,
 * and with quality=full those of all. */
enum { SOME = 16 };

/* What all systems of a call have in common. */
struct plan {
	size_t n, sides;
	enum solve_kind kind;
	bool turned;			/* solve A^T X = B */
};

static bool is_triangle(const struct plan *h)
{
	return h->kind == KIND_UPPER || h->kind == KIND_LOWER;
}

static char triangle_of(const struct plan *h)
{
	return h->kind == KIND_UPPER ? 'U' : 'L';
}

/* One system. */
struct system {
	cplx *a;			/* n x n */
	cplx *lu;			/* A's factors; unused for a triangular
					 * A */
	cplx *b, *x;			/* n x sides */
	int *pivots;
};

static const void *operand(const struct args *a, int i, size_t index)
{
	const struct matrix *m = &a->in[i];
	const int as = i == SOLVE_B ? 1 : 0;

	return (const char *)matrix_data(m) + systems_matrix(a, as, index) *
	       matrix_rows(m) * matrix_cols(m) * dtype_bytes(m->dtype);
}

/* Sets the triangle that is not read: to the conjugate transpose of the other
 * one for a hermitian matrix, and to 0 for a triangular one. */
static void complete(cplx *a, size_t n, enum solve_kind kind)
{
	const bool mirrored = kind == KIND_SPD || kind == KIND_SYMMETRIC;

	for (size_t j = 0; j < n && kind != KIND_GENERAL; j++) {
		if (mirrored)
			a[j * n + j] = creal(a[j * n + j]);
		for (size_t i = 0; i < j; i++)
			if (kind == KIND_UPPER)
				a[i * n + j] = 0;
			else
				a[j * n + i] = mirrored ? conj(a[i * n + j]) :
				                          0;
	}
}

/* Reads the pivots that belong to the client's factors. Returns the index of
 * the first that is not the number of a row, or n. */
static size_t read_pivots(const struct lapack_call *c, size_t index, size_t n,
                          int *pivots)
{
	const struct matrix *p = &c->a->in[SOLVE_PIVOTS];
	const size_t first = systems_matrix(c->a, 0, index) * n;

	for (size_t i = 0; i < n; i++) {
		const double at = matrix_get(p, first + i);

		if (!(at >= 0 && at < (double)n) || at != rint(at))
			return i;
		pivots[i] = (int)at + 1;
	}
	return n;
}

/* Returns ERR_SINGULAR with the place of the first zero on the diagonal, or
 * ERR_NONE if there is none. */
static struct failure_detail find_zero(const cplx *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i * (n + 1)] == 0)
			return (struct failure_detail){ .code = ERR_SINGULAR,
			                                .at = (int32_t)i };
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail take_factors(const struct lapack_call *c,
                                          size_t index,
                                          const struct system *y)
{
	const struct plan *h = complex_how(c);
	const size_t bad = read_pivots(c, index, h->n, y->pivots);

	complex_load(operand(c->a, SOLVE_FACTORS, index), c->a->dtype, h->n,
	             h->n, y->lu);
	if (bad < h->n)
		return (struct failure_detail){ .code = ERR_MATHEMATICS,
		                                .at = (int32_t)bad };
	return find_zero(y->lu, h->n);
}

static struct failure_detail factor(const struct lapack_call *c, size_t index,
                                    const struct system *y)
{
	const struct plan *h = complex_how(c);
	const int n = (int)h->n;
	const size_t bytes = h->n * h->n * sizeof *y->a;
	int info = 0;

	complex_load(operand(c->a, SOLVE_A, index), c->a->dtype, h->n, h->n,
	             y->a);
	complete(y->a, h->n, h->kind);
	if (is_triangle(h))
		return find_zero(y->a, h->n);
	memcpy(y->lu, y->a, bytes);
	if (h->kind == KIND_SPD)
		info = c->l->z.potrf(LAPACK_COLUMNS, 'L', n, y->lu, n);
	if (info > 0)
		return (struct failure_detail){ .code = ERR_NOT_POSITIVE,
		                                .at = info };
	memcpy(y->lu, y->a, bytes);
	info = c->l->z.getrf(LAPACK_COLUMNS, n, n, y->lu, n, y->pivots);
	if (info > 0)
		return (struct failure_detail){ .code = ERR_SINGULAR,
		                                .at = info - 1 };
	return (struct failure_detail){ .code = ERR_NONE };
}

/* Overwrites X, which holds B, by the solution. */
static void substitute(const struct lapack_call *c, const struct system *y)
{
	const struct plan *h = complex_how(c);
	const int n = (int)h->n, sides = (int)h->sides;
	const char uplo[] = { triangle_of(h), '\0' };
	const char *const trans = h->turned ? "T" : "N";
	const cplx one = 1;

	if (is_triangle(h))
		ztrsm_("L", uplo, trans, "N", &n, &sides, &one, y->a, &n, y->x,
		       &n);
	else
		c->l->z.getrs(LAPACK_COLUMNS, *trans, n, sides, y->lu, n,
		              y->pivots, y->x, n);
}

/* Returns the largest |b - op(A) x| / (|op(A)| |x|) of a column, in the 1-norm,
 * for X as it is stored. y->a must hold op(A), and `norm` its norm. Overwrites
 * B by B - op(A) X. */
static double ratio(const struct plan *h, const struct system *y, double norm,
                    enum dtype t)
{
	const int n = (int)h->n, sides = (int)h->sides;
	const cplx one = 1, minus = -1;
	double worst = 0;

	complex_round(y->x, h->n * h->sides, t);
	zgemm_("N", "N", &n, &sides, &n, &minus, y->a, &n, y->x, &n, &one,
	       y->b, &n);
	for (size_t j = 0; j < h->sides; j++)
		worst = verdict_worse(worst, complex_ratio(
		    complex_sum(y->b + j * h->n, h->n),
		    norm * complex_sum(y->x + j * h->n, h->n)));
	return worst;
}

static void transpose(cplx *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i < j; i++) {
			const cplx x = a[j * n + i];

			a[j * n + i] = a[i * n + j];
			a[i * n + j] = x;
		}
}

/* Refines X, unless A is triangular, and sets the verdict. LAPACK's work arrays
 * are `room`, of 2 n elements, and `reals`, of 3 n + 2 sides. */
static void refine(const struct lapack_call *c, size_t index,
                   const struct system *y, cplx *room, double *reals)
{
	const struct plan *h = complex_how(c);
	const int n = (int)h->n;
	const size_t bounded = is_triangle(h) &&
	    c->a->quality != QUALITY_FULL ? size_min(h->sides, SOME) : h->sides;
	const int sides = (int)bounded;
	const double eps = dtype_epsilon(c->a->dtype);
	double *const forward = reals + h->n, *const back = forward + h->sides;
	const char trans = h->turned ? 'T' : 'N', of = h->turned ? 'I' : '1';
	struct verdict *v = complex_told(c, index);
	double norm;

	if (!is_triangle(h))
		c->l->z.gerfs(LAPACK_COLUMNS, trans, n, sides, y->a, n, y->lu,
		              n, y->pivots, y->b, n, y->x, n, forward, back,
		              room, reals);
	if (!complex_is_judged(c))
		return;
	if (is_triangle(h)) {
		c->l->z.trrfs(LAPACK_COLUMNS, triangle_of(h), trans, 'N', n,
		              sides, y->a, n, y->b, n, y->x, n, forward, back,
		              room, reals);
		c->l->z.trcon(LAPACK_COLUMNS, of, triangle_of(h), 'N', n, y->a,
		              n, &v->rcond, room, forward + 2 * h->sides);
	}
	if (h->turned)
		transpose(y->a, h->n);
	norm = complex_norm1(y->a, h->n, h->n);
	if (!is_triangle(h))
		c->l->z.gecon(LAPACK_COLUMNS, of, n, y->lu, n, norm, &v->rcond,
		              room, forward + 2 * h->sides);
	v->residual = ratio(h, y, norm, c->a->dtype) /
	              ((double)h->n * eps / 2);
	for (size_t j = 0; j < bounded; j++)
		v->forward_error = verdict_worse(v->forward_error, forward[j] +
		    (c->a->dtype == COMPLEX64 ? eps / 2 : 0));
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct plan *h = complex_how(c);
	const size_t n = h->n;
	struct complex_room r = { room };
	const struct system y = {
		.a = complex_array(&r, n * n, sizeof(cplx)),
		.lu = complex_array(&r, n * n, sizeof(cplx)),
		.b = complex_array(&r, n * h->sides, sizeof(cplx)),
		.x = complex_array(&r, n * h->sides, sizeof(cplx)),
		.pivots = complex_array(&r, n, sizeof(int)),
	};
	cplx *const more = complex_array(&r, 2 * n, sizeof *more);
	double *const reals = complex_array(&r, 3 * n + 2 * h->sides,
	                                    sizeof *reals);
	struct failure_detail d = { .code = ERR_NONE };

	if (n == 0 || h->sides == 0)
		return d;
	d = (h->kind == KIND_FACTORS ? take_factors : factor)(c, index, &y);
	if (d.code != ERR_NONE)
		return d;
	complex_load(operand(c->a, SOLVE_B, index), c->a->dtype, n, h->sides,
	             y.b);
	memcpy(y.x, y.b, n * h->sides * sizeof(cplx));
	substitute(c, &y);
	if (h->kind != KIND_FACTORS)
		refine(c, index, &y, more, reals);
	complex_store(y.x, n, n, h->sides, c->a->dtype,
	              lapack_out(c->a, 0, index));
	return d;
}

int solve_complex(struct seq *s, struct args *a)
{
	const struct systems y = systems_of(NULL, a);
	const struct plan h = { .n = y.n, .sides = y.sides,
	                        .kind = solve_named(a),
	                        .turned = solve_turned(a) };
	const int matrices = h.kind == KIND_FACTORS ? SOLVE_FACTORS : SOLVE_A;

	return complex_run(&(struct lapack_call){
		.rows = y.n, .in = operand, .one = one, .how = &h,
		.operands = 1u << matrices | 1u << SOLVE_B,
		.room = 2 * COMPLEX_BYTES(y.n * y.n) +
		        2 * COMPLEX_BYTES(y.n * y.sides) +
		        COMPLEX_BYTES(5 * y.n + 2 * y.sides) +
		        2 * COMPLEX_BYTES(y.n),
	}, s, a);
}
