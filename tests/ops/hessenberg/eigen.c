/* eigen.c - all eigenvalues of general matrices that the device reduces to
 * Hessenberg form: method=hessenberg. */
#include <math.h>
#include <string.h>

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

/* Small matrices are reduced on the device, too, if the client demands it. */
START_TEST(every_small_size_is_answered)
{
	static const size_t sizes[] = { 2, 3, 5, 33, 66 };

	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			struct matrix a = eigen_random_matrix(reals[t], 2,
			                                      sizes[i], 8);
			struct args r;

			answer(&a, &r);
			assert_trace(&a, &r);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 2, 5, 9);
	int calls = 0, rc = -1;

	for (; rc != 0; calls++) {
		struct err e = { 0 };
		struct args r;

		ck_assert_int_lt(calls, 2000);
		device_calls_left = calls;
		rc = op_try("eigen", &a, 1, &r, &e, "method", "hessenberg",
		            "which", "largest", NULL);
		device_calls_left = -1;
		ck_assert_msg(rc == 0 || e.code == ERR_DEVICE ||
		              e.code == ERR_MEMORY, "call %d: %s", calls,
		              e.text);
		if (rc == 0)
			args_fini(&r);
	}
	ck_assert_int_gt(calls, 10);
	matrix_fini(&a);
}
END_TEST

static void assert_refused(struct matrix *in, int n_in, const char *which,
                           enum err_code code, const char *words)
{
	struct err e = { 0 };
	struct args r;

	ck_assert_int_lt(op_try("eigen", in, n_in, &r, &e, "method",
	                        "hessenberg", "which", which, NULL), 0);
	ck_assert_int_eq(e.code, code);
	ck_assert_msg(strstr(e.text, words), "%s", e.text);
}

START_TEST(what_it_does_not_take_is_refused)
{
	struct matrix in[2] = { eigen_random_matrix(FLOAT64, 2, 4, 1),
	                        eigen_random_matrix(FLOAT64, 0, 4, 2) };
	struct matrix stack = random_matrix(FLOAT64, 3, 3, (size_t)2,
	                                    (size_t)4, (size_t)4);

	assert_refused(in, 1, "dominant", ERR_PARAMETER, "which=dominant");
	assert_refused(in, 2, "all", ERR_PARAMETER, "does not go with b");
	assert_refused(&stack, 1, "all", ERR_PARAMETER, "takes one matrix");
	matrix_set(&in[0], 5, NAN);
	assert_refused(in, 1, "all", ERR_NONFINITE, "row 1, column 1");
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	matrix_fini(&stack);
}
END_TEST

void hessenberg_eigen_tests(TCase *c)
{
	tcase_add_test(c, random_matrices_have_all_their_pairs);
	tcase_add_test(c, every_small_size_is_answered);
	tcase_add_test(c, failing_calls_are_survived);
	tcase_add_test(c, what_it_does_not_take_is_refused);
	tcase_add_test(c, a_block_between_triangles_is_reduced);
	tcase_add_test(c, scales_do_not_matter);
	tcase_add_test(c, the_zero_matrix_and_symmetric_ones_are_answered);
}
