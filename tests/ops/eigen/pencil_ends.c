/* pencil_ends.c - tests pairs of matrices whose elements are near overflow or
 * underflow, pairs in stacks, and calls that are refused. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/complex.h"
#include "ops/eigen/complex.h"
#include "ops/failure.h"
#include "tests/ops/complex.h"
#include "tests/ops/eigen/eigen.h"

static const enum dtype types[] = { FLOAT32, FLOAT64, COMPLEX64, COMPLEX128 };
static const char *const forms[] = { "definite", "definite-abx",
	"definite-bax", "general" };
enum { ABX = 1, BAX, GENERAL };

/* The eigenvalues of the pair (2^e A, 2^f B) are 2^(e-f) times those of (A, B)
 * or, for the problems with A B and B A, 2^(e+f) times. */
START_TEST(scales_at_the_ends_of_the_range_change_only_exponents)
{
	static const int powers[][2] = { { 900, 900 }, { -900, -900 },
		{ 900, -900 }, { -500, 500 } };

	for (size_t i = 0; i < COUNT(powers) * 2 * COUNT(forms); i++) {
		const enum dtype t = types[1 + 2 * (i % 2)];
		const int form = (int)(i / 2 % COUNT(forms));
		const int *p = powers[i / 2 / COUNT(forms)];
		const int power = form == ABX || form == BAX ? p[0] + p[1] :
		                                               p[0] - p[1];
		struct matrix m[] = { eigen_hermitian(t, 1, 5, 0),
		                      eigen_hermitian(t, 2, 5, 2) };
		struct args want, r;
		struct err e = { 0 };

		op_run("eigen", m, 2, &want, "which", "all", "problem",
		       forms[form], NULL);
		for (size_t k = 0; k < 50; k++) {
			const number x = complex_at(&m[k / 25], k % 25);

			complex_set(&m[k / 25], k % 25,
			            complex_of(ldexp(creal(x), p[k / 25]),
			                       ldexp(cimag(x), p[k / 25])));
		}
		if (form == GENERAL && power > 1023) {
			op_run("eigen", m, 2, &r, "which", "all", "problem",
			       forms[form], NULL);
			ck_assert(isinf(eigen_re(&r, 4)));
		} else if (op_try("eigen", m, 2, &r, &e, "which", "all",
		                  "problem", forms[form], NULL) < 0) {
			ck_assert_int_gt(power, 1023);
			ck_assert_int_eq(e.code, ERR_MATHEMATICS);
		} else {
			for (size_t k = 0; k < 5; k++)
				ck_assert_msg(eigen_re(&r, k) ==
				    ldexp(eigen_re(&want, k), power),
				    "%s, 2^%d and 2^%d: %a, not %a",
				    forms[form], p[0], p[1], eigen_re(&r, k),
				    ldexp(eigen_re(&want, k), power));
		}
		args_fini(&r);
		args_fini(&want);
		matrix_fini(&m[0]);
		matrix_fini(&m[1]);
	}
}
END_TEST

/* The eigenvalues are +-2^-1800 i, which underflow, but their eigenvectors are
 * complex. */
START_TEST(a_conjugate_pair_that_underflows_stays_a_pair)
{
	const double a[] = { 0, 0x1p-900, -0x1p-900, 0 };
	const double b[] = { 0x1p900, 0, 0, 0x1p900 };
	struct matrix m[] = {
		matrix_of(FLOAT64, a, 2, (size_t)2, (size_t)2),
		matrix_of(FLOAT64, b, 2, (size_t)2, (size_t)2),
	};
	struct args r;

	op_run("eigen", m, 2, &r, "which", "all", "problem", "general",
	       "return", "eigenvalues,eigenvectors,alpha_beta", NULL);
	for (size_t k = 0; k < 2; k++) {
		const double sign = k ? -1 : 1;
		const struct matrix *v = &r.out[VECTORS];

		ck_assert_double_gt(sign * matrix_get_imaginary(
		    &r.out[ALPHA_BETA], k), 0x1p-901);
		/* A x = l B x: x_2 = +-i x_1 */
		ck_assert(cabs(complex_element(v, 1, k) - sign *
		               complex_of(0, 1) * complex_element(v, 0, k)) <
		          1e-14);
	}
	ck_assert_double_lt(r.verdict.residual, 20);
	args_fini(&r);
	matrix_fini(&m[0]);
	matrix_fini(&m[1]);
}
END_TEST

/* The second of the two matrices B is not hermitian, not positive definite or
 * not finite. */
START_TEST(a_bad_pair_of_a_stack_fails_alone)
{
	static const struct { double b[4]; enum err_code code; } cases[] = {
		{ { 1, 2, 2, 1 }, ERR_NOT_POSITIVE },
		{ { 1, 2, 1, 9 }, ERR_MATHEMATICS },
		{ { 1, 0, INFINITY, 1 }, ERR_NONFINITE },
	};

	for (size_t i = 0; i < COUNT(cases) * COUNT(types); i++) {
		const enum dtype t = types[i / COUNT(cases)];
		const double *const x = cases[i % COUNT(cases)].b;
		struct matrix a = eigen_hermitian(t, 1, 2, 0);
		struct matrix b = { .dtype = t, .ndim = 3,
		                    .dim = { 3, 2, 2 } };
		struct err e = { 0 };
		struct args r;

		ck_assert_int_eq(matrix_alloc(&b, test_pool, &e), 0);
		for (size_t k = 0; k < 12; k++)
			complex_set(&b, k, k / 4 == 1 ? x[k % 4] :
			            k % 4 % 3 == 0);
		op_run("eigen", ((struct matrix[]){ a, b }), 2, &r, "which",
		       "all", "return", "eigenvalues,eigenvectors", NULL);
		ck_assert_uint_eq(r.failures, 1);
		ck_assert(args_has_failed(&r, 1));
		ck_assert_int_eq(r.first_failure.detail.code,
		                 cases[i % COUNT(cases)].code);
		ck_assert(complex_at(&r.out[VALUES], 0) ==
		          complex_at(&r.out[VALUES], 4));
		args_fini(&r);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}
END_TEST

START_TEST(parameters_of_pairs_that_do_not_go_together_are_refused)
{
	static const struct {
		const char *pair[4];
		int operands;
		const char *pointer;
	} cases[] = {
		{ { "problem", "general", "which", "all" }, 1, "/problem" },
		{ { "problem", "definite-abx", "which", "all" }, 1,
		  "/problem" },
		{ { "problem", "general", "structure", "symmetric" }, 2,
		  "/structure" },
		{ { "problem", "definite", "return", "alpha_beta" }, 2,
		  "/return" },
		{ { "problem", "general", "method", "tridiagonal" }, 2,
		  "/method" },
	};

	for (size_t i = 0; i < COUNT(cases) * 2; i++) {
		const enum dtype t = i % 2 ? COMPLEX128 : FLOAT64;
		struct matrix m[] = { eigen_hermitian(t, 1, 3, 0),
		                      eigen_hermitian(t, 2, 3, 2) };
		const char *const *const p = cases[i / 2].pair;
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("eigen", m, cases[i / 2].operands, &r, &e,
		    p[0], p[1], p[2], p[3],
		    strcmp(p[2], "which") == 0 ? NULL : "which", "all", NULL),
		    &e, ERR_PARAMETER);
		ck_assert_str_eq(e.pointer, cases[i / 2].pointer);
		matrix_fini(&m[0]);
		matrix_fini(&m[1]);
	}
}
END_TEST

/* A pair of 97 rows, two of whose eigenvalues are infinite, is solved in memory
 * that holds a NaN everywhere else. */
START_TEST(what_memory_held_before_does_not_matter)
{
	enum { N = 97, SQUARE = N * N };
	struct matrix m[] = { random_complex(COMPLEX128, 1, N, N),
	                      random_complex(COMPLEX128, 2, N, N) };
	cplx *const room = malloc((2 * SQUARE + 7 * N) * sizeof *room);
	struct eigen_complex_set x = {
		.n = N, .vectors = true, .a = matrix_data(&m[0]),
		.b = matrix_data(&m[1]), .right = room,
		.left = room + SQUARE, .alpha = room + 2 * SQUARE,
		.beta = room + 2 * SQUARE + N,
		.values = room + 2 * SQUARE + 2 * N,
	};
	struct err e = { 0 };
	const struct lapack_call c = { .l = lapack_load(NULL, N, &e) };
	size_t infinite = 0;

	ck_assert_ptr_nonnull(c.l);
	memset(x.b, 0, 2 * N * sizeof *x.b);
	memset(room, 255, (2 * SQUARE + 7 * N) * sizeof *room);
	ck_assert_int_eq(eigen_complex_qz(&c, &x, (struct complex_room){
	                 (char *)(x.values + N) }), 0);
	for (size_t i = 0; i < N; i++)
		infinite += x.beta[i] == 0;
	ck_assert_uint_eq(infinite, 2);
	free(room);
	matrix_fini(&m[0]);
	matrix_fini(&m[1]);
}
END_TEST

void eigen_pencil_end_tests(TCase *c)
{
	tcase_add_test(c, what_memory_held_before_does_not_matter);
	tcase_add_test(c,
	    scales_at_the_ends_of_the_range_change_only_exponents);
	tcase_add_test(c, a_conjugate_pair_that_underflows_stays_a_pair);
	tcase_add_test(c, a_bad_pair_of_a_stack_fails_alone);
	tcase_add_test(c,
	    parameters_of_pairs_that_do_not_go_together_are_refused);
}
