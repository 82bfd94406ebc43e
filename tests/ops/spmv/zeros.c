/* zeros.c - the zeros of a dense matrix are kept where they are multiplied by
 * an infinity or a NaN. */
#include <math.h>

#include "tests/ops/spmv/spmv.h"

static void release(struct matrix *in, int n)
{
	for (int i = 0; i < n; i++)
		matrix_fini(&in[i]);
}

START_TEST(a_dense_matrix_is_made_sparse)
{
	static const double dense[] = { 1, 0, NAN, 0, 0, 2 };
	struct matrix in[] = { matrix_of(FLOAT64, dense, 2, (size_t)2,
	                                 (size_t)3),
	                       matrix_of(FLOAT64, (double[]){ 1e308, 3, 0 },
	                                 2, (size_t)3, (size_t)1) };
	struct args a;

	op_run("spmv", in, 2, &a, NULL);
	ck_assert_uint_eq(a.in[0].nnz, 3);
	ck_assert_int_eq(a.out[0].ndim, 2);
	ck_assert_uint_eq(a.out[0].dim[1], 1);
	ck_assert(isnan(matrix_get(&a.out[0], 0)));
	ck_assert_double_eq(matrix_get(&a.out[0], 1), 0);
	args_fini(&a);
	release(in, 2);
}
END_TEST

/* The result is matmul's, whichever elements of x are not finite. Zeros that a
 * sparse matrix stores take part; those that it does not store do not. */
static void as_matmul(const struct variant *v)
{
	static const double dense[] = { 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 3, 3 };
	static const double xs[][3] = {
		{ INFINITY, 1, 2 }, { 1, -INFINITY, 2 }, { 1, 2, NAN },
		{ INFINITY, 1, INFINITY }, { INFINITY, -INFINITY, 1 },
	};

	for (size_t k = 0; k < 2 * COUNT(xs); k++) {
		const enum dtype t = k % 2 ? FLOAT32 : FLOAT64;
		struct matrix in[] = {
			matrix_of(t, dense, 2, (size_t)4, (size_t)3),
			matrix_of(t, xs[k / 2], 2, (size_t)3, (size_t)1),
			matrix_of(t, (double[]){ 5, 6, 7, 8 }, 2, (size_t)4,
			          (size_t)1),
		};
		struct args a, b, c;

		op_run("spmv", in, 2, &a, "variant", v->name, NULL);
		op_run("spmv", in, 3, &b, "variant", v->name, "accumulate",
		       "true", NULL);
		op_run("matmul", in, 2, &c, NULL);
		for (size_t i = 0; i < 4; i++) {
			const double want = matrix_get(&c.out[0], i);
			const double got = matrix_get(&a.out[0], i);
			const double sum = matrix_get(&b.out[0], i);

			ck_assert_msg(got == want || (isnan(got) &&
			              isnan(want)), "%s: y[%zu] is %g, wanted "
			              "%g", v->name, i, got, want);
			ck_assert(isnan(want) ? isnan(sum) : sum == want);
		}
		args_fini(&a);
		args_fini(&b);
		args_fini(&c);
		release(in, 3);
	}
}

START_TEST(zeros_of_a_dense_matrix_meet_infinity)
{
	each_variant("spmv", as_matmul);
}
END_TEST

/* y1 = (inf, 0) and y2 = A y1, where 0 inf is NaN. */
START_TEST(products_between_may_not_overflow_unseen)
{
	static const double dense[] = { 0, 1e308, 0, 0 };
	struct matrix in[] = { matrix_of(FLOAT64, dense, 2, (size_t)2,
	                                 (size_t)2),
	                       matrix_of(FLOAT64, (double[]){ 1, 10 }, 1,
	                                 (size_t)2) };
	struct err e = { 0 };
	struct args a;

	ck_refused(op_try("spmv", in, 2, &a, &e, "repeat", "2", NULL), &e,
	           ERR_NONFINITE);
	matrix_set(&in[1], 1, 1e-3);
	op_run("spmv", in, 2, &a, "repeat", "2", NULL);
	ck_assert_double_eq(matrix_get(&a.out[0], 0), 0);
	args_fini(&a);
	release(in, 2);
}
END_TEST

void spmv_zeros_tests(TCase *c)
{
	tcase_add_test(c, a_dense_matrix_is_made_sparse);
	tcase_add_test(c, zeros_of_a_dense_matrix_meet_infinity);
	tcase_add_test(c, products_between_may_not_overflow_unseen);
}
