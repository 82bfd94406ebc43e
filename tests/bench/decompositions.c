/* decompositions.c - the judges of factorizations, decompositions and
 * Kronecker products: they find no error in a right result, and a wrong
 * element. */
#include "tests/bench/rows.h"

/* Judges the row's results, right as they are, and then with each of their
 * elements changed in turn. */
static void check_judge(const char *work, const struct matrix *in,
                        struct matrix *out, int n_out)
{
	const struct bench_row *row = bench_row_of(work);

	ck_assert_msg(row->error(in, out) < 1e-15, "%s", work);
	for (int o = 0; o < n_out; o++)
		for (size_t i = 0; i < matrix_elements(&out[o]); i++) {
			const double right = matrix_get(&out[o], i);

			matrix_set(&out[o], i, right + 0.5);
			ck_assert_msg(row->error(in, out) > 0.01,
			              "%s: element %zu of result %d", work, i,
			              o);
			matrix_set(&out[o], i, right);
		}
}

START_TEST(qr_is_judged_by_its_product)
{
	static const double a[] = { 1.2, 2, 1.6, 1 };
	static const double q[] = { 0.6, 0.8, 0.8, -0.6 };
	static const double r[] = { 2, 2, 0, 1 };
	struct matrix in = bench_matrix(a, 2, 2);
	struct matrix out[] = { bench_matrix(q, 2, 2), bench_matrix(r, 2, 2) };

	check_judge("qr", &in, out, 2);
	for (int i = 0; i < 2; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

/* U = [0.6 -0.8; 0.8 0.6], S = (2, 1), V = I. */
START_TEST(svd_is_judged_by_its_product)
{
	static const double a[] = { 1.2, -0.8, 1.6, 0.6 };
	static const double u[] = { 0.6, -0.8, 0.8, 0.6 };
	static const double s[] = { 2, 1 }, vh[] = { 1, 0, 0, 1 };
	struct matrix in = bench_matrix(a, 2, 2);
	struct matrix out[] = { bench_matrix(u, 2, 2), bench_matrix(s, 2, 1),
	                        bench_matrix(vh, 2, 2) };

	check_judge("svd", &in, out, 3);
	for (int i = 0; i < 3; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

/* The line through (0, 1), (1, 2), (2, 6) is 1/2 + 5/2 t. */
START_TEST(least_squares_are_judged_by_the_normal_equations)
{
	static const double a[] = { 1, 0, 1, 1, 1, 2 }, b[] = { 1, 2, 6 };
	static const double x[] = { 0.5, 2.5 };
	struct matrix in[] = { bench_matrix(a, 3, 2), bench_matrix(b, 3, 1) };
	struct matrix out = bench_matrix(x, 2, 1);

	check_judge("lstsq", in, &out, 1);
	for (int i = 0; i < 2; i++)
		matrix_fini(&in[i]);
	matrix_fini(&out);
}
END_TEST

START_TEST(a_pseudoinverse_is_judged_by_its_product)
{
	static const double a[] = { 2, 0, 0, 4, 0, 0 };
	static const double x[] = { 0.5, 0, 0, 0, 0.25, 0 };
	struct matrix in = bench_matrix(a, 3, 2);
	struct matrix out = bench_matrix(x, 2, 3);

	ck_assert(bench_row_of("pinv")->error(&in, &out) == 0);
	matrix_set(&out, 4, 0.5);
	ck_assert(bench_row_of("pinv")->error(&in, &out) > 0.01);
	matrix_fini(&in);
	matrix_fini(&out);
}
END_TEST

START_TEST(a_cholesky_factor_is_judged_by_its_product)
{
	static const double m[] = { 4, 2, 2, 5 }, factor[] = { 2, 0, 1, 2 };
	const struct bench_row *cholesky = bench_row_of("cholesky");
	struct matrix in = bench_matrix(m, 2, 2);
	struct matrix l = bench_matrix(factor, 2, 2);

	ck_assert(cholesky->error(&in, &l) == 0);
	matrix_set(&l, 2, 1.5);
	ck_assert(cholesky->error(&in, &l) > 0.1);
	matrix_fini(&in);
	matrix_fini(&l);
}
END_TEST

START_TEST(a_kronecker_product_is_judged_element_by_element)
{
	static const double x[] = { 1, 2, 3, 4 }, y[] = { 1, 3, 2, 5 };
	static const double right[] = { 1, 3, 2, 6, 2, 5, 4, 10,
	                                3, 9, 4, 12, 6, 15, 8, 20 };
	const struct bench_row *kron = bench_row_of("kron");
	struct matrix in[2] = { bench_matrix(x, 2, 2), bench_matrix(y, 2, 2) };
	struct matrix out = bench_matrix(right, 4, 4);

	ck_assert(kron->error(in, &out) == 0);
	matrix_set(&out, 7, 11);
	ck_assert(kron->error(in, &out) > 0.05);
	for (int i = 0; i < 2; i++)
		matrix_fini(&in[i]);
	matrix_fini(&out);
}
END_TEST

START_TEST(an_eigenpair_is_judged_by_its_residual)
{
	static const double m[] = { 2, 0, 0, 1 }, value[] = { 2 };
	static const double vector[] = { 1, 0 };
	const struct bench_row *eigen = bench_row_of("eigen hilbert");
	struct matrix in = bench_matrix(m, 2, 2);
	struct matrix out[2] = { bench_matrix(value, 1, 1),
	                         bench_matrix(vector, 2, 1) };

	ck_assert(eigen->error(&in, out) == 0);
	matrix_set(&out[0], 0, 2.5);
	ck_assert(eigen->error(&in, out) > 0.1);
	matrix_set(&out[0], 0, NAN);
	ck_assert(!(eigen->error(&in, out) < 1e9));
	for (int i = 0; i < 2; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

/* The eigenvalues of [0 -1; 1 0] are i and -i, its vectors (1, -+i). */
START_TEST(complex_eigenpairs_are_judged_in_both_parts)
{
	static const double m[] = { 0, -1, 1, 0 };
	const struct bench_row *eig = bench_row_of("eig");
	struct matrix in = bench_matrix(m, 2, 2), out[2] = {
		{ .dtype = COMPLEX128, .ndim = 1, .dim = { 2 } },
		{ .dtype = COMPLEX128, .ndim = 2, .dim = { 2, 2 } },
	};
	struct err e = { 0 };

	for (int i = 0; i < 2; i++)
		ck_ok(matrix_alloc(&out[i], test_pool, &e), &e);
	for (size_t k = 0; k < 2; k++) {
		const double sign = k ? -1 : 1;

		matrix_set_complex(&out[0], k, 0, sign);
		matrix_set_complex(&out[1], k, 1, 0);
		matrix_set_complex(&out[1], 2 + k, 0, -sign);
	}
	ck_assert(eig->error(&in, out) == 0);
	matrix_set_complex(&out[0], 1, 0, -0.5);
	ck_assert(eig->error(&in, out) > 0.1);
	matrix_set_complex(&out[0], 1, 0, -1);
	matrix_set_complex(&out[1], 3, 0.5, 1);
	ck_assert(eig->error(&in, out) > 0.1);
	for (int i = 0; i < 2; i++)
		matrix_fini(&out[i]);
	matrix_fini(&in);
}
END_TEST

TCase *tcase_bench_decompositions(void)
{
	TCase *t = tcase_create("bench_decompositions");

	tcase_add_test(t, qr_is_judged_by_its_product);
	tcase_add_test(t, svd_is_judged_by_its_product);
	tcase_add_test(t, least_squares_are_judged_by_the_normal_equations);
	tcase_add_test(t, a_pseudoinverse_is_judged_by_its_product);
	tcase_add_test(t, a_cholesky_factor_is_judged_by_its_product);
	tcase_add_test(t, a_kronecker_product_is_judged_element_by_element);
	tcase_add_test(t, an_eigenpair_is_judged_by_its_residual);
	tcase_add_test(t, complex_eigenpairs_are_judged_in_both_parts);
	return t;
}
