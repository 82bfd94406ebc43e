/* eigen.c - all eigenvalues of general matrices that the device reduces to
 * Hessenberg form: method=hessenberg. */
#include <math.h>

#include "tests/ops/eigen/eigen.h"
#include "tests/ops/hessenberg/hessenberg.h"

enum { ROWS = 270 };

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Asks for the method, which takes memory of the device only if it reduces the
 * matrix there. */
static void answer(struct matrix *a, struct args *r)
{
	op_run("eigen", a, 1, r, "method", "hessenberg", "which", "all",
	       "return", "eigenvalues,eigenvectors,left_eigenvectors",
	       "quality", "full", NULL);
	ck_assert_uint_gt(test_memory, matrix_rows(a) * matrix_rows(a) * 8);
	eigen_assert_several(a, NULL, r, 0, VECTORS);
	eigen_assert_several(a, NULL, r, 0, LEFT);
	ck_assert_double_lt(r->verdict.residual, 30);
}

static double trace_of(const struct matrix *a)
{
	double sum = 0;

	for (size_t i = 0; i < matrix_rows(a); i++)
		sum += matrix_get(a, i * matrix_rows(a) + i);
	return sum;
}

static void assert_trace(const struct matrix *a, const struct args *r)
{
	const size_t n = matrix_rows(a);
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += eigen_re(r, i);
	ck_assert_double_le(fabs(sum - trace_of(a)), 30 * (double)n *
	                    eigen_norm(a, 0) * dtype_epsilon(a->dtype));
}

START_TEST(random_matrices_have_all_their_pairs)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = eigen_random_matrix(reals[t], 2, ROWS, 4);
		struct args r, only;

		answer(&a, &r);
		assert_trace(&a, &r);
		op_run("eigen", &a, 1, &only, "method", "hessenberg", "which",
		       "all", NULL);
		assert_trace(&a, &only);
		args_fini(&r);
		args_fini(&only);
		matrix_fini(&a);
	}
}
END_TEST

/* Balancing permutes such a matrix, and only the block is reduced. */
START_TEST(a_block_between_triangles_is_reduced)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 2, ROWS, 5);
	struct args r;

	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < i; j++)
			if (j < 60 || i >= ROWS - 70)
				matrix_set(&a, i * ROWS + j, 0);
	answer(&a, &r);
	assert_trace(&a, &r);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(scales_do_not_matter)
{
	static const double scales[] = { 1e-300, 1e-20, 1e300 };

	for (size_t k = 0; k < COUNT(scales); k++) {
		struct matrix a = eigen_random_matrix(FLOAT64, 2, ROWS, 6);
		struct matrix b = eigen_random_matrix(FLOAT64, 2, ROWS, 6);
		struct args r, s;

		for (size_t i = 0; i < (size_t)ROWS * ROWS; i++)
			matrix_set(&b, i, scales[k] * matrix_get(&a, i));
		op_run("eigen", &a, 1, &r, "method", "hessenberg", "which",
		       "all", NULL);
		op_run("eigen", &b, 1, &s, "method", "hessenberg", "which",
		       "all", NULL);
		ck_assert_double_eq_tol(hypot(eigen_re(&s, 0), eigen_im(&s, 0))
		    / scales[k], hypot(eigen_re(&r, 0), eigen_im(&r, 0)),
		    1e-10 * eigen_norm(&a, 0));
		args_fini(&r);
		args_fini(&s);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}
END_TEST

START_TEST(the_zero_matrix_and_symmetric_ones_are_answered)
{
	struct matrix zero = eigen_random_matrix(FLOAT64, 2, ROWS, 7);
	struct matrix a = eigen_random_matrix(FLOAT64, 0, ROWS, 7);
	struct args r;

	for (size_t i = 0; i < (size_t)ROWS * ROWS; i++)
		matrix_set(&zero, i, 0);
	op_run("eigen", &zero, 1, &r, "method", "hessenberg", "which", "all",
	       "structure", "general", "return", "eigenvalues,eigenvectors",
	       NULL);
	for (size_t i = 0; i < ROWS; i++)
		ck_assert_double_eq(eigen_re(&r, i), 0);
	args_fini(&r);
	op_run("eigen", &a, 1, &r, "method", "hessenberg", "which", "all",
	       "return", "eigenvalues,eigenvectors", NULL);
	eigen_assert_several(&a, NULL, &r, 0, VECTORS);
	args_fini(&r);
	matrix_fini(&zero);
	matrix_fini(&a);
}
END_TEST

void hessenberg_eigen_tests(TCase *c)
{
	tcase_add_test(c, random_matrices_have_all_their_pairs);
	tcase_add_test(c, a_block_between_triangles_is_reduced);
	tcase_add_test(c, scales_do_not_matter);
	tcase_add_test(c, the_zero_matrix_and_symmetric_ones_are_answered);
}
