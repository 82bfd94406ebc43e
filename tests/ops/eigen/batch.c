/* batch.c - Jacobi's method for stacks of small symmetric matrices: the kernels
 * of all variants against LAPACK. */
#include <math.h>

#include "ops/failure.h"
#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const size_t sizes[] = { 1, 2, 3, 4, 5, 8, 15, 16, 17, 32 };

enum kind { RANDOM, HILBERT, ZERO, DIAGONAL, ONES, TINY, HUGE_ONES, KINDS };

static double element(enum kind kind, size_t i, size_t j, double random)
{
	switch (kind) {
	case RANDOM:   return random;
	case HILBERT:  return 1 / (double)(i + j + 1);
	case ZERO:     return 0;
	case DIAGONAL: return i == j ? 3.0 - (double)i : 0;
	case ONES:     return 1;
	case TINY:     return random * 1e-30;
	default:       return random * 1e30;
	}
}

/* Makes a stack of `count` matrices, whose kinds alternate. */
static struct matrix stack_of(enum dtype t, size_t count, size_t n)
{
	struct matrix a = random_matrix(t, 11, 3, count, n, n);

	for (size_t m = 0; m < count; m++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j <= i; j++) {
				const size_t at = m * n * n;
				const double x = element((enum kind)(m % KINDS),
				    i, j, matrix_get(&a, at + i * n + j));

				matrix_set(&a, at + i * n + j, x);
				matrix_set(&a, at + j * n + i, x);
			}
	return a;
}

static double largest_of(const struct args *r, size_t first, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(eigen_re(r, first + i)));
	return most;
}

static void against_lapack(const struct variant *v, const char *method,
                           enum dtype t, size_t count, size_t n)
{
	struct matrix a = stack_of(t, count, n);
	struct args r, other;

	op_run("eigen", &a, 1, &r, "which", "all", "method", method,
	       "variant", v->name, "return", "eigenvalues,eigenvectors", NULL);
	op_run("eigen", &a, 1, &other, "which", "all", "method", "lapack",
	       NULL);
	ck_assert_int_eq(r.out[VALUES].dtype, t);
	ck_assert_double_lt(r.verdict.residual, 30);
	ck_assert_double_lt(r.verdict.orthogonality, 30);
	for (size_t m = 0; m < count; m++) {
		const double unit = 30 * (double)n * dtype_epsilon(t) *
		                    largest_of(&other, m * n, n);

		eigen_assert_several(&a, NULL, &r, m, VECTORS);
		for (size_t i = m * n; i < (m + 1) * n; i++) {
			ck_assert_double_le(fabs(eigen_re(&r, i) -
			                         eigen_re(&other, i)), unit);
			ck_assert(i == m * n ||
			          eigen_re(&r, i) >= eigen_re(&r, i - 1));
		}
	}
	args_fini(&r);
	args_fini(&other);
	matrix_fini(&a);
}

static void every_size(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++)
			against_lapack(v, "jacobi", reals[t], 2 * KINDS + 1,
			               sizes[i]);
}

START_TEST(jacobi_agrees_with_lapack)
{
	every_size(op_variant(op_find("eigen"), "fused-group"));
	if (device_sheet(test_device)->type == DEVICE_CPU)
		every_size(op_variant(op_find("eigen"), "fused"));
}
END_TEST

/* The sizes that the kernel keeps in local memory, and larger ones. */
START_TEST(ql_agrees_with_lapack)
{
	static const size_t large[] = { 63, 65, 100, 129 };
	const struct variant *v = op_variant(op_find("eigen"), "fused-group");

	for (size_t t = 0; t < COUNT(reals); t++) {
		for (size_t i = 0; i < COUNT(sizes); i++)
			against_lapack(v, "ql", reals[t], 2 * KINDS + 1,
			               sizes[i]);
		for (size_t i = 0; i < COUNT(large); i++)
			against_lapack(v, "ql", reals[t], KINDS, large[i]);
	}
}
END_TEST

/* The values do not depend on whether vectors are wanted, nor on the other
 * matrices of the stack. */
START_TEST(a_matrix_of_a_stack_is_answered_as_alone)
{
	const size_t n = 6, count = 20;
	struct matrix a = stack_of(FLOAT64, count, n);
	struct matrix one = random_matrix(FLOAT64, 1, 2, n, n);
	struct args r, alone;

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&one, i, matrix_get(&a, 18 * n * n + i));
	op_run("eigen", &a, 1, &r, "which", "all", "method", "jacobi",
	       "return", "eigenvalues,eigenvectors", NULL);
	op_run("eigen", &one, 1, &alone, "which", "all", "method", "jacobi",
	       NULL);
	for (size_t i = 0; i < n; i++)
		ck_assert_double_eq_tol(eigen_re(&r, 18 * n + i),
		                        eigen_re(&alone, i), 1e-14);
	args_fini(&r);
	args_fini(&alone);
	matrix_fini(&a);
	matrix_fini(&one);
}
END_TEST

START_TEST(matrices_that_are_not_symmetric_are_no_obstacle)
{
	const size_t n = 4, count = 9;
	struct matrix a = stack_of(FLOAT64, count, n);
	struct args r;

	matrix_set(&a, 2 * n * n + 1, 7);
	matrix_set(&a, 5 * n * n + 6, NAN);
	op_run("eigen", &a, 1, &r, "which", "all", NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert(args_has_failed(&r, 5));
	args_fini(&r);
	op_run("eigen", &a, 1, &r, "which", "all", "method", "jacobi", NULL);
	ck_assert_uint_eq(r.failures, 2);
	ck_assert(args_has_failed(&r, 2) && args_has_failed(&r, 5));
	ck_assert_double_nan(eigen_re(&r, 2 * n));
	ck_assert(!isnan(eigen_re(&r, 3 * n)));
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

START_TEST(jacobi_refuses_what_it_cannot_do)
{
	struct matrix a = eigen_hilbert(FLOAT64, 65);
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("eigen", &a, 1, &r, &e, "which", "all", "method",
	                  "jacobi", NULL), &e, ERR_PARAMETER);
	matrix_fini(&a);
}
END_TEST

void eigen_batch_tests(TCase *c)
{
	tcase_add_test(c, jacobi_agrees_with_lapack);
	tcase_add_test(c, ql_agrees_with_lapack);
	tcase_add_test(c, a_matrix_of_a_stack_is_answered_as_alone);
	tcase_add_test(c, matrices_that_are_not_symmetric_are_no_obstacle);
	tcase_add_test(c, jacobi_refuses_what_it_cannot_do);
}
