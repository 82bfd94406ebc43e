/* host_tall.c - tests that tall matrices are factored on the host as accurately
 * as by Householder's reflections for every condition number, with LAPACK's
 * signs, and that only those are left to LAPACK that must be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/qr/host_tall.h"
#include "tests/ops/qr/qr.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Factors x in one thread. Returns whether LAPACK was not needed. */
static bool factor(const struct matrix *x, void *q, void *r)
{
	const size_t m = matrix_rows(x), n = matrix_cols(x);
	const struct qr_sizes z = { 1, m, n, n, n, false, false };
	const size_t bytes = dtype_bytes(x->dtype);
	struct err e = { 0 };
	struct lapack_call c = { .l = lapack_load(NULL, 1, &e) };
	struct host_tall t = {
		.c = &c, .m = m, .n = n, .a = matrix_data(x), .r = r,
		.q = q ? q : malloc(m * n * bytes), .wanted = q,
		.room = malloc(host_tall_room(&z) * bytes),
	};
	bool done;

	ck_assert(host_tall_fits(&z));
	done = x->dtype == FLOAT32 ? host_tall_s(&t) : host_tall_d(&t);
	free(t.room);
	if (!q)
		free(t.q);
	return done;
}

static bool succeeds(const struct args *a)
{
	return factor(&a->in[0], NULL, NULL);
}

static const struct qr_by_cholesky by = { "host", succeeds, 2 };

START_TEST(any_condition_number)
{
	qr_check_conditions(&by);
}
END_TEST

START_TEST(any_rank)
{
	qr_check_ranks(&by);
}
END_TEST

START_TEST(a_tall_triangle_is_its_own_r)
{
	qr_check_triangle(&by, 2000);
}
END_TEST

/* A zero column, and columns whose squares overflow or underflow. */
START_TEST(lapack_factors_what_cholesky_cannot)
{
	static const double factors[] = { 0, 1e-160, 1e160 };

	for (size_t k = 0; k < COUNT(factors); k++) {
		struct matrix x = random_matrix(FLOAT64, 2, 2, (size_t)1000,
		                                (size_t)70);
		struct args a;

		for (size_t i = 0; i < 1000; i++)
			matrix_set(&x, i * 70 + 7, factors[k] *
			           matrix_get(&x, i * 70 + 7));
		op_run("qr", &x, 1, &a, "variant", "host", "quality", "full",
		       NULL);
		ck_assert(!succeeds(&a));
		ck_assert_double_lt(a.verdict.residual, 1);
		ck_assert_double_lt(a.verdict.orthogonality, 1);
		args_fini(&a);
		matrix_fini(&x);
	}
}
END_TEST

static void have_bits(const struct args *a, int output, const void *bits)
{
	const struct matrix *m = &a->out[output];

	ck_assert_int_eq(memcmp(matrix_data(m), bits, matrix_size(m)), 0);
}

/* Whether Q, R or both are wanted, and whatever the number of threads. */
START_TEST(every_call_has_the_same_bits)
{
	static const char *const wanted[] = { "q", "r", "q,r" };

	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix x = random_matrix(reals[t], 2, 2, (size_t)3001,
		                                (size_t)66);
		void *q = malloc(matrix_size(&x)), *r = malloc(matrix_size(&x));

		ck_assert(factor(&x, q, r));
		for (size_t i = 0; i < COUNT(wanted); i++) {
			struct args a;

			op_run("qr", &x, 1, &a, "variant", "host", "return",
			       wanted[i], NULL);
			if (i != 1)
				have_bits(&a, QR_Q, q);
			if (i != 0)
				have_bits(&a, QR_R, r);
			args_fini(&a);
		}
		free(q);
		free(r);
		matrix_fini(&x);
	}
}
END_TEST

void qr_add_host_tall_tests(TCase *c)
{
	tcase_add_test(c, any_condition_number);
	tcase_add_test(c, any_rank);
	tcase_add_test(c, a_tall_triangle_is_its_own_r);
	tcase_add_test(c, lapack_factors_what_cholesky_cannot);
	tcase_add_test(c, every_call_has_the_same_bits);
}
