/* far.c - products, sums and means of elements so large or small that the
 * kernels leave the range of float64 on the way to an answer within it. */
#include <math.h>

#include "matrix/complex.h"
#include "tests/ops/complex.h"
#include "tests/ops/reduce/reduce.h"

/* n elements that alternate between two values. What the kernels compute of
 * them leaves the range of float64; the wanted answer may be within it. */
static const struct {
	enum dtype type;
	enum reduce_op op;
	double x[2];
	size_t n;
	double wanted;
} far[] = {
	{ FLOAT64, REDUCE_PROD, { 0x1p-700, 0x1p700 }, 4, 1 },
	{ FLOAT64, REDUCE_PROD, { 0x1p-700, -0x1p700 }, 3, -0x1p-700 },
	{ FLOAT64, REDUCE_PROD, { 0x3p700, 0x1p-700 }, 60, 205891132094649 },
	{ FLOAT64, REDUCE_PROD, { 0x1p-1074, 0x1p1023 }, 2, 0x1p-51 },
	{ FLOAT64, REDUCE_PROD, { 0x1p-500, 0x1p500 }, 20001, 0x1p-500 },
	{ FLOAT64, REDUCE_PROD, { 0x1p700, 0x1p100 }, 64, HUGE_VAL },
	{ FLOAT64, REDUCE_PROD, { 0x1p-700, 0x1p100 }, 64, 0 },
	{ FLOAT64, REDUCE_PROD, { 0x1p700, 0 }, 9, 0 },
	{ FLOAT64, REDUCE_SUM, { 0x1p1023, -0x1p1023 }, 301, 0x1p1023 },
	{ FLOAT64, REDUCE_SUM, { 0x1p1023, 0x1p1023 }, 3, HUGE_VAL },
	{ FLOAT64, REDUCE_MEAN, { 0x1p1023, 0x1p1023 }, 9000, 0x1p1023 },
	{ FLOAT32, REDUCE_PROD, { 0x1p-100, 0x1p100 }, 20001, 0x1p-100 },
	{ FLOAT32, REDUCE_PROD, { 0x3p100, 0x1p-100 }, 24, 531441 },
	{ FLOAT32, REDUCE_PROD, { 0x1p-100, 0x1p80 }, 64, 0 },
};

/* As a vector, and as a column beside one of ones. */
void reduce_check_far(const char *variant)
{
	for (size_t k = 0; k < COUNT(far); k++) {
		const size_t n = far[k].n;
		struct matrix m = random_matrix(far[k].type, 1, 1, n);
		struct matrix two = random_matrix(far[k].type, 1, 2, n,
		                                  (size_t)2);
		struct matrix r;
		double got;

		for (size_t i = 0; i < n; i++) {
			matrix_set(&m, i, far[k].x[i % 2]);
			matrix_set(&two, 2 * i, far[k].op == REDUCE_SUM ?
			           i == 0 : 1);
			matrix_set(&two, 2 * i + 1, far[k].x[i % 2]);
		}
		got = reduce_value(&m, far[k].type, far[k].op, variant);
		ck_assert_msg(got == far[k].wanted, "%s: row %zu: %g", variant,
		              k, got);
		r = reduce(&two, far[k].type, far[k].op, "0", variant);
		ck_assert_double_eq(matrix_get(&r, 0), 1);
		ck_assert_double_eq(matrix_get(&r, 1), far[k].wanted);
		matrix_fini(&r);
		matrix_fini(&two);
		matrix_fini(&m);
	}
}

START_TEST(what_leaves_the_range_on_the_way_is_repaired)
{
	EACH_VARIANT(v)
		reduce_check_far(*v);
}
END_TEST

/* (2^-700 i) (2^700 i) ... is real for an even number of elements. */
START_TEST(complex_products_and_sums_are_repaired)
{
	for (int t = 0; t < 2; t++)
		for (int op = 0; op < 2; op++) {
			const double x = t ? 0x1p100 : op ? 0x1p1023 : 0x1p700;
			struct matrix m = random_complex(t ? COMPLEX64 :
			    COMPLEX128, 1, (size_t)8, (size_t)1);
			struct args r;

			for (size_t i = 0; i < 8; i++)
				matrix_set_complex(&m, i, 0, op ? (i ? x : -x) :
				                   i % 2 ? x : 1 / x);
			op_run("reduce", &m, 1, &r, "op", op ? "mean" : "prod",
			       NULL);
			ck_assert_double_eq(matrix_get(&r.out[0], 0), !op);
			ck_assert_double_eq(matrix_get_imaginary(&r.out[0], 0),
			                    op ? 0.75 * x : 0);
			args_fini(&r);
			matrix_fini(&m);
		}
}
END_TEST

void reduce_far_tests(TCase *tc)
{
	tcase_add_test(tc, what_leaves_the_range_on_the_way_is_repaired);
	tcase_add_test(tc, complex_products_and_sums_are_repaired);
}
