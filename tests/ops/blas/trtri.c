/* trtri.c - X = L^-1: the residual for sizes around the edges of blocks and of
 * pairs of them. The upper triangle of L must never be read. */
#include "ops/blas/trtri.h"
#include "tests/ops/op.h"

static struct matrix triangle(enum dtype t, size_t n)
{
	struct matrix l = random_matrix(t, 5, 2, n, n);

	for (size_t e = 0; e < n * n; e++) {
		const size_t i = e / n, j = e % n;

		matrix_set(&l, e, i < j ? NAN : i == j ? 2 :
		           matrix_get(&l, e) / (double)n);
	}
	return l;
}

static struct matrix identity(enum dtype t, size_t n)
{
	struct matrix x = random_matrix(t, 1, 2, n, n);

	for (size_t e = 0; e < n * n; e++)
		matrix_set(&x, e, e % (n + 1) == 0);
	return x;
}

/* Asserts |I - X L| <= (n + 2) eps |X| |L| for every element of the lower
 * triangle, and zeros above it. */
static void check(const struct matrix *l, const struct matrix *x)
{
	const size_t n = matrix_rows(l);

	for (size_t e = 0; e < n * n; e++) {
		const size_t i = e / n, j = e % n;
		double sum = -(double)(i == j), size = 1;

		if (i < j) {
			ck_assert_double_eq(matrix_get(x, e), 0);
			continue;
		}
		for (size_t k = j; k <= i; k++) {
			const double term = matrix_get(x, i * n + k) *
			                    matrix_get(l, k * n + j);

			sum += term;
			size += fabs(term);
		}
		ck_assert_msg(fabs(sum) <= (double)(n + 2) * size *
		              dtype_epsilon(l->dtype), "n = %zu: element %zu, "
		              "%zu is off by %g", n, i, j, sum);
	}
}

static void one(enum dtype t, size_t n)
{
	struct matrix l = triangle(t, n), x = identity(t, n);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, t, TIMING_NONE, &e);
	struct blas_trtri g = {
		.n = n, .l = seq_constant(s, matrix_data(&l), matrix_size(&l)),
		.x = seq_constant(s, matrix_data(&x), matrix_size(&x)),
		.room = seq_scratch(s, matrix_size(&x)),
	};

	blas_trtri(s, &g);
	seq_read(s, g.x, 0, matrix_data(&x), matrix_size(&x));
	ck_ok(seq_finish(s), &e);
	check(&l, &x);
	seq_free(s);
	matrix_fini(&l);
	matrix_fini(&x);
}

START_TEST(triangles_are_inverted)
{
	static const size_t sizes[] = { 1, 2, 63, 64, 65, 128, 130, 191, 192,
	                                193, 256, 300 };

	for (size_t i = 0; i < 2 * COUNT(sizes); i++)
		one(i % 2 ? FLOAT64 : FLOAT32, sizes[i / 2]);
}
END_TEST

void trtri_tests(TCase *c);

void trtri_tests(TCase *c)
{
	tcase_add_test(c, triangles_are_inverted);
}
