/* complex.c - the rows for complex matrices: LAPACK's ratios as the operations
 * compute them with quality=full, and products elementwise. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "check/rows.h"
#include "matrix/complex.h"

/* What a kind makes of operand 0; the others are random. The rows of a graded
 * matrix are scaled from 1 down to the machine epsilon; a tiny one is near the
 * square root of the underflow threshold, a huge one near that of overflow. */
enum shape { RANDOM, GRADED, TINY, HUGE_ONES, HERMITIAN, DEFINITE, DEFECTIVE };

static double scale_of(enum shape shape, enum dtype t, size_t i, size_t rows)
{
	const double part = rows > 1 ? (double)i / (double)(rows - 1) : 0;
	const double far = dtype_part(t) == FLOAT32 ? 1e-15 : 1e-140;

	return shape == GRADED ? pow(dtype_epsilon(t), part) :
	       shape == TINY ? far : shape == HUGE_ONES ? 1 / far : 1;
}

/* Element i, j of a square matrix: R + R^H, which DEFINITE makes dominant by
 * its diagonal, or a Jordan block with a complex eigenvalue. */
static double complex square_at(enum shape shape, uint64_t seed, size_t i,
                                size_t j, size_t n)
{
	if (shape == DEFECTIVE)
		return i == j ? complex_of(0.5, 0.5) : i + 1 == j;
	return check_random_complex(seed, i * n + j) +
	       conj(check_random_complex(seed, j * n + i)) +
	       (shape == DEFINITE && i == j ? 4 * (double)n : 0);
}

static int fill(const struct kind *k, struct args *a, struct err *e)
{
	(void)e;
	for (int o = 0; a->op->inputs[o].name; o++) {
		struct matrix *m = &a->in[o];
		const enum shape shape = o == 0 ? (enum shape)k->shape : RANDOM;
		const size_t n = m->ndim == MATRIX_ABSENT ? 0 : matrix_cols(m);

		for (size_t i = 0; n && i < matrix_elements(m); i++) {
			const double complex x = shape >= HERMITIAN ?
			    square_at(shape, 1, i / n % n, i % n, n) :
			    scale_of(shape, a->dtype, i / n % matrix_rows(m),
			             matrix_rows(m)) *
			    check_random_complex((uint64_t)o + 1, i);

			matrix_set_complex(m, i, creal(x), cimag(x));
		}
	}
	return 0;
}

static double complex element(const struct matrix *m, size_t i, size_t j)
{
	return complex_get(m, i * matrix_cols(m) + j);
}

/* Returns the largest error of an element of C = A B, over k eps |A| |B|. */
static double product_off(const struct args *a)
{
	const size_t m = matrix_rows(&a->in[0]), k = matrix_cols(&a->in[0]);
	double worst = 0;

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < matrix_cols(&a->in[1]); j++) {
			double complex sum = -element(&a->out[0], i, j);
			double size = 0;

			for (size_t p = 0; p < k; p++) {
				const double complex x =
				    element(&a->in[0], i, p);
				const double complex y =
				    element(&a->in[1], p, j);

				sum += x * y;
				size += cabs(x) * cabs(y);
			}
			if (!(cabs(sum) <= worst * size))
				worst = cabs(sum) / size;
		}
	return worst / ((double)k * dtype_epsilon(a->dtype));
}

static const size_t square[][3] = {
	{ 1 }, { 2 }, { 3 }, { 10 }, { 50 }, { 130 }, CHECK_END
}, any[][3] = {
	{ 1, 1 }, { 3, 2 }, { 2, 3 }, { 50, 10 }, { 10, 50 }, CHECK_END
}, products[][3] = {
	{ 1, 1, 1 }, { 3, 2, 5 }, { 50, 65, 33 }, { 130, 70, 200 }, CHECK_END
};

static const struct kind general[] = {
	KIND("random", fill, .shape = RANDOM),
	KIND("graded rows", fill, .shape = GRADED),
	KIND("tiny", fill, .shape = TINY),
	KIND("huge", fill, .shape = HUGE_ONES),
	{ 0 }
}, factored[] = {
	KIND("random", fill, .shape = RANDOM),
	KIND("graded rows", fill, .shape = GRADED),
	KIND("hermitian", fill, .shape = HERMITIAN),
	{ 0 }
}, definite[] = {
	KIND("definite", fill, .shape = DEFINITE),
	{ 0 }
}, spectral[] = {
	/* Without graded rows: LAPACK balances them, and its ratio is then
	 * bounded in the norm of the balanced matrix alone. */
	KIND("random", fill, .shape = RANDOM),
	KIND("hermitian", fill, .shape = HERMITIAN),
	KIND("defective", fill, .shape = DEFECTIVE),
	{ 0 }
};

static const struct judge ratio[] = {
	{ "its own ratio", check_own_ratio, 30 },
	{ 0 }
}, both[] = {
	{ "its own ratio", check_own_ratio, 30 },
	{ "its own orthogonality", check_own_orthogonality, 30 },
	{ 0 }
}, product[] = {
	{ "|AB - C| / k|A||B|eps", product_off, 4 },
	{ 0 }
};

/* The operation's name; the shapes of its operands, the sizes, kinds and
 * judges. */
#define ROW(name, title, sizes_, kinds_, judges_, ...)                    \
	{ .what = title ", complex", .op = name, .dtypes = DTYPE_COMPLEXES, \
	  .operands = { __VA_ARGS__ }, .sizes = sizes_, .kinds = kinds_,  \
	  .judges = judges_ }

const struct check_row check_complex_rows[] = {
	ROW("matmul", "A B", products, general, product, "mk", "kn"),
	ROW("lu", "P A = L U", any, general, ratio, "mn"),
	ROW("det", "det A", square, factored, ratio, "mm"),
	ROW("solve", "A X = B", square, factored, ratio, "mm", "m"),
	ROW("inverse", "A^-1", square, factored, ratio, "mm"),
	ROW("cholesky", "A = L L^H", square, definite, ratio, "mm"),
	ROW("qr", "A = Q R", any, general, both, "mn"),
	{ .what = "h and tau, complex", .op = "qr",
	  .dtypes = DTYPE_COMPLEXES, .operands = { "mn" },
	  .params = { "mode", "raw" }, .sizes = any, .kinds = general,
	  .judges = both },
	ROW("svd", "A = U S V^H", any, general, both, "mn"),
	ROW("lstsq", "min |B - A X|", any, factored, ratio, "mn", "m"),
	{ .what = "all eigenpairs, complex", .op = "eigen",
	  .params = { "which", "all" }, .dtypes = DTYPE_COMPLEXES,
	  .want = ~0u, .operands = { "mm" }, .sizes = square,
	  .kinds = spectral, .judges = ratio },
	ROW("eigen", "the dominant eigenpair", square, spectral, ratio, "mm"),
	{ 0 }
};
