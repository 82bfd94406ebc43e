/* kron.c - the Kronecker product: every shape, vectors and broadcast
 * stacks. */
#include "tests/ops/op.h"

/* Is matrix z of C the product of matrices i of A and k of B? Random float32
 * values are exact in a double's product, which is rounded once. */
static void ck_product(const struct matrix *c, size_t z,
                       const struct matrix *a, size_t i,
                       const struct matrix *b, size_t k, const size_t d[4])
{
	const size_t m = d[0], n = d[1], p = d[2], q = d[3];

	for (size_t row = 0; row < m * p; row++)
		for (size_t col = 0; col < n * q; col++) {
			const double want =
			    matrix_get(a, (i * m + row / p) * n + col / q) *
			    matrix_get(b, (k * p + row % p) * q + col % q);

			ck_assert_double_eq(
			    matrix_get(c, (z * m * p + row) * n * q + col),
			    a->dtype == FLOAT32 ? (float)want : want);
		}
}

static void one(enum dtype t, size_t m, size_t n, size_t p, size_t q,
                const char *variant)
{
	struct matrix in[] = {
		random_matrix(t, 1, 2, m, n), random_matrix(t, 2, 2, p, q),
	};
	struct args r;

	op_run("kron", in, 2, &r, "variant", variant, NULL);
	ck_assert_int_eq(r.out[0].dtype, t);
	ck_assert_uint_eq(matrix_rows(&r.out[0]), m * p);
	ck_assert_uint_eq(matrix_cols(&r.out[0]), n * q);
	ck_product(&r.out[0], 0, &in[0], 0, &in[1], 0,
	           (size_t[]){ m, n, p, q });
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void every_size(const struct variant *v)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 7, 17 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t j = 0; j < COUNT(sizes); j++) {
			one(FLOAT32, sizes[i], 3, 2, sizes[j], v->name);
			one(FLOAT64, 2, sizes[i], sizes[j], 5, v->name);
			one(FLOAT64, 3, 2, sizes[i], sizes[j], v->name);
		}
	one(FLOAT32, 3, 400, 5, 3, v->name);	/* several chunks of a row */
	one(FLOAT64, 3, 5, 40, 64, v->name);
}

START_TEST(every_shape)
{
	each_variant("kron", every_size);
}
END_TEST

/* The products are so large that the CPU's stores bypass its caches. */
static void large(const struct variant *v)
{
	one(FLOAT64, 33, 17, 61, 64, v->name);
}

START_TEST(a_large_product)
{
	each_variant("kron", large);
}
END_TEST

/* A is a stack of 2 x 1 matrices, each 2 x 3, and B one of three, each
 * 3 x 2. */
START_TEST(stacks_are_paired_as_matmuls)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 4, (size_t)2, (size_t)1, (size_t)2,
		              (size_t)3),
		random_matrix(FLOAT64, 2, 3, (size_t)3, (size_t)3, (size_t)2),
	};
	struct args r;

	op_run("kron", in, 2, &r, NULL);
	ck_assert_int_eq(r.out[0].ndim, 4);
	ck_assert_uint_eq(r.out[0].dim[0], 2);
	ck_assert_uint_eq(r.out[0].dim[1], 3);
	ck_assert_uint_eq(r.out[0].dim[2], 6);
	ck_assert_uint_eq(r.out[0].dim[3], 6);
	for (size_t z = 0; z < 6; z++)
		ck_product(&r.out[0], z, &in[0], z / 3, &in[1], z % 3,
		           (size_t[]){ 2, 3, 3, 2 });
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(vectors_are_rows)
{
	struct matrix in[] = {
		matrix_of(FLOAT64, (double[]){ 1, 2 }, 1, (size_t)2),
		matrix_of(FLOAT64, (double[]){ 3, 5, 7 }, 1, (size_t)3),
	};
	static const double want[] = { 3, 5, 7, 6, 10, 14 };
	struct args r;

	op_run("kron", in, 2, &r, NULL);
	ck_assert_int_eq(r.out[0].ndim, 1);
	ck_assert_uint_eq(r.out[0].dim[0], 6);
	for (size_t i = 0; i < 6; i++)
		ck_assert_double_eq(matrix_get(&r.out[0], i), want[i]);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(leading_dimensions_must_agree)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 3, (size_t)2, (size_t)2, (size_t)2),
		random_matrix(FLOAT64, 2, 3, (size_t)3, (size_t)2, (size_t)2),
	};
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("kron", in, 2, &r, &e, NULL), &e, ERR_SHAPE);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 3, (size_t)2, (size_t)2, (size_t)2),
		random_matrix(FLOAT64, 2, 2, (size_t)3, (size_t)2),
	};

	op_survives_failing_calls("kron", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_kron(void)
{
	TCase *c = tcase_create("kron");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_shape);
	tcase_add_test(c, a_large_product);
	tcase_add_test(c, stacks_are_paired_as_matmuls);
	tcase_add_test(c, vectors_are_rows);
	tcase_add_test(c, leading_dimensions_must_agree);
	tcase_add_test(c, failing_calls_are_survived);
	return c;
}
