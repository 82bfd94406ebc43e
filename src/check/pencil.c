/* pencil.c - the check's rows for the eigenproblems of a pair of matrices, in
 * all types. The ratios are, in the 1-norm,
 *
 *     |A x - l B x| / ((|A| + |l| |B|) n eps)
 *     |A B x - l x| / (|A| |B| n eps), and the same for B A
 *     |b A x - a B x| / ((|a| |B| + |b| |A|) n eps) for any B, with l = a / b
 *
 * They are those of LAPACK's tests DSGT01, to whose denominator |B| is added,
 * and DGET52. For left eigenvectors, A^H, B^H and the conjugates of l, a and b
 * take their places. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <math.h>
#include <stdlib.h>

#include "check/rows.h"
#include "matrix/complex.h"
#include "ops/eigen/many.h"

typedef double _Complex number;

static void put(struct matrix *m, size_t i, number x)
{
	if (dtype_is_complex(m->dtype))
		matrix_set_complex(m, i, creal(x), cimag(x));
	else
		matrix_set(m, i, creal(x));
}

/* The operand B of a kind. DEFINITE makes it positive definite and A hermitian;
 * otherwise A is random. In a SINGULAR B every third column is 0. */
enum shape { DEFINITE, ANY, SINGULAR };

static int fill(const struct kind *k, struct args *a, struct err *e)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);

	(void)e;
	for (size_t o = 0; o < 2; o++)
		for (size_t i = 0; i < n * n; i++) {
			const size_t row = i / n, column = i % n;
			number x = check_random_complex(o + 1, i);

			if (k->shape == DEFINITE)
				x += conj(check_random_complex(o + 1,
				    column * n + row));
			if (k->shape == DEFINITE && o == 1 && row == column)
				x += 4 * (double)n;
			if (k->shape == SINGULAR && o == 1 && column % 3 == 2)
				x = 0;
			put(&a->in[o], i, x);
		}
	return 0;
}

static double norm(const struct matrix *m)
{
	const size_t n = matrix_rows(m);
	double most = 0;

	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += cabs(complex_get(m, i * n + j));
		most = fmax(most, sum);
	}
	return most;
}

/* y = M x or, if `turned`, M^H x */
static void times(const struct matrix *m, bool turned, const number *x,
                  number *y)
{
	const size_t n = matrix_rows(m);

	for (size_t i = 0; i < n; i++) {
		y[i] = 0;
		for (size_t j = 0; j < n; j++)
			y[i] += x[j] * (turned ?
			        conj(complex_get(m, j * n + i)) :
			        complex_get(m, i * n + j));
	}
}

/* A pair of matrices, their norms, and three vectors of n elements: an
 * eigenvector x, and scratch. */
struct pencil {
	const struct args *args;
	size_t n;
	double norm[2];
	number *x, *y, *z;
};

/* Returns the ratio of the eigenvalue alpha / beta and its right or left
 * eigenvector p->x. */
static double ratio_of(const struct pencil *p, bool left, number alpha,
                       number beta)
{
	const struct matrix *const m = p->args->in;
	const enum eigen_form form = eigen_form(p->args);
	const bool product = form == EIGEN_DEFINITE_ABX ||
	                     form == EIGEN_DEFINITE_BAX;
	const int first = (form == EIGEN_DEFINITE_ABX) != left;
	double sum = 0, scale = fabs(creal(beta)) * p->norm[0] +
	                        cabs(alpha) * p->norm[1];

	if (product) {
		scale = p->norm[0] * p->norm[1];
		times(&m[first], left, p->x, p->z);
		times(&m[!first], left, p->z, p->y);
	} else {
		times(&m[0], left, p->x, p->y);
		times(&m[1], left, p->x, p->z);
	}
	for (size_t i = 0; i < p->n; i++)
		sum += cabs(beta * p->y[i] - (left ? conj(alpha) : alpha) *
		            (product ? p->x[i] : p->z[i]));
	return sum == 0 ? 0 : sum / (scale * (double)p->n *
	                             dtype_epsilon(p->args->dtype));
}

static double worst_of(const struct pencil *p, int output)
{
	const struct matrix *v = &p->args->out[output];
	const struct matrix *w = &p->args->out[EIGEN_VALUES];
	const struct matrix *pair = &p->args->out[EIGEN_ALPHA_BETA];
	const bool has_pair = args_wants(p->args, EIGEN_ALPHA_BETA);
	double worst = 0, ratio;

	for (size_t k = 0; k < p->n; k++) {
		for (size_t i = 0; i < p->n; i++)
			p->x[i] = complex_get(v, i * p->n + k);
		ratio = ratio_of(p, output == EIGEN_LEFT_VECTORS,
		                 complex_get(has_pair ? pair : w, k),
		                 has_pair ? complex_get(pair, p->n + k) : 1);
		if (!(ratio <= worst))
			worst = ratio;
	}
	return worst;
}

static double judge(const struct args *a, int output)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	number *const room = malloc(3 * n * sizeof *room);
	const struct pencil p = {
		.args = a, .n = n, .x = room, .y = room + n, .z = room + 2 * n,
		.norm = { norm(&a->in[EIGEN_A]), norm(&a->in[EIGEN_B]) },
	};
	const double worst = room ? worst_of(&p, output) : INFINITY;

	free(room);
	return worst;
}

static double right(const struct args *a)
{
	return judge(a, EIGEN_VECTORS);
}

static double left(const struct args *a)
{
	return judge(a, EIGEN_LEFT_VECTORS);
}

static const size_t sizes[][3] = {
	{ 1 }, { 2 }, { 3 }, { 10 }, { 50 }, { 97 }, CHECK_END
};

static const struct kind definite[] = {
	KIND("definite", fill, .shape = DEFINITE), { 0 }
}, general[] = {
	KIND("random", fill, .shape = ANY),
	KIND("singular B", fill, .shape = SINGULAR), { 0 }
};

static const struct judge sides[] = {
	{ "residual of x", right, 20 }, { "residual of y", left, 20 },
	{ "its own ratio", check_own_ratio, 20 }, { 0 }
};

enum { SIDES = 1u << EIGEN_VALUES | 1u << EIGEN_VECTORS |
               1u << EIGEN_LEFT_VECTORS };

#define ROW(...) { .op = "eigen", .except = "seed",                         \
	           .operands = { "mm", "mm" },                              \
	           .dtypes = DTYPE_REALS | DTYPE_COMPLEXES,                 \
	           .sizes = sizes, .judges = sides, __VA_ARGS__ }

const struct check_row check_pencil_rows[] = {
	ROW(.what = "a definite pair", .params = { "which", "all" },
	    .vary = "problem", .want = SIDES, .kinds = definite),
	ROW(.what = "any pair", .params = { "which", "all", "problem",
	    "general" }, .want = SIDES | 1u << EIGEN_ALPHA_BETA,
	    .kinds = general),
	{ 0 }
};
