/* lapack.c - random and Hilbert matrices against LAPACK, in every
 * variant and by every method. */
#include <math.h>

#include <lapacke.h>

#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const size_t sizes[] = { 1, 2, 3, 5, 7, 8, 9, 10, 50, 63, 64, 65, 127,
	300 };

struct matrix eigen_random_matrix(enum dtype t, int mode, size_t n,
                                  unsigned seed)
{
	struct matrix a = random_matrix(t, seed, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			const double x = matrix_get(&a, i * n + j);

			if (mode == 0 && j > i)
				matrix_set(&a, j * n + i, x);
			if (mode == 1)
				matrix_set(&a, i * n + j, fabs(x));
		}
	return a;
}

static struct matrix nearly_symmetric(size_t n, unsigned seed)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 0, n, seed);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const double x = matrix_get(&a, i * n + j);

			matrix_set(&a, i * n + j, x + 0x1p-45);
			matrix_set(&a, j * n + i, x - 0x1p-45);
		}
	return a;
}

void eigen_takes_the_mean(size_t n, const char *name, const char *value)
{
	struct matrix a = nearly_symmetric(n, 4);
	struct matrix b = eigen_random_matrix(FLOAT64, 0, n, 4);
	struct args r, exact;

	op_run("eigen", &a, 1, &r, "which", "all", "structure", "symmetric",
	       name, value, NULL);
	op_run("eigen", &b, 1, &exact, "which", "all", "structure", "symmetric",
	       name, value, NULL);
	for (size_t i = 0; i < n; i++)
		ck_assert_double_eq_tol(eigen_re(&r, i), eigen_re(&exact, i),
		                        1e-13);
	args_fini(&r);
	args_fini(&exact);
	matrix_fini(&a);
	matrix_fini(&b);
}

void eigen_reference(const struct matrix *a, double *re, double *im,
                      double *gap)
{
	const size_t n = matrix_rows(a);
	double *x = malloc(n * n * sizeof *x);
	double *wr = malloc(n * sizeof *wr), *wi = malloc(n * sizeof *wi);
	size_t top = 0;

	for (size_t i = 0; i < n * n; i++)
		x[i] = matrix_get(a, i);
	LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', (int)n, x, (int)n, wr, wi,
	              NULL, 1, NULL, 1);
	for (size_t i = 1; i < n; i++)
		if (hypot(wr[i], wi[i]) > hypot(wr[top], wi[top]))
			top = i;
	*re = wr[top];
	*im = fabs(wi[top]);
	*gap = 1;
	for (size_t i = 0; i < n; i++)
		if (i != top && (wr[i] != *re || fabs(wi[i]) != *im))
			*gap = fmin(*gap, 1 - hypot(wr[i], wi[i]) /
			                  hypot(*re, *im));
	free(x);
	free(wr);
	free(wi);
}

double eigen_top_of_symmetric(const struct matrix *a)
{
	const size_t n = matrix_rows(a);
	double *x = malloc(n * n * sizeof *x), *w = malloc(n * sizeof *w);
	double top;

	for (size_t i = 0; i < n * n; i++)
		x[i] = matrix_get(a, i);
	LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', (int)n, x, (int)n, w);
	top = fabs(w[0]) > fabs(w[n - 1]) ? w[0] : w[n - 1];
	free(x);
	free(w);
	return top;
}

static void against_lapack(enum dtype t, int mode, size_t n, unsigned seed,
                           const char *variant)
{
	struct matrix a = eigen_random_matrix(t, mode, n, seed);
	double re, im, gap;
	struct err e = { 0 };
	struct args r;
	int rc;

	eigen_reference(&a, &re, &im, &gap);
	rc = op_try("eigen", &a, 1, &r, &e, "variant", variant, NULL);
	ck_assert_msg(rc == 0, "n = %zu, mode %d, gap %g: %s", n, mode, gap,
	              e.text);
	if (im != 0)
		eigen_assert_complex(&a, &r, re, im, eigen_default_tol(t));
	else
		eigen_assert_pair(&a, &r, re, 1.01 * eigen_default_tol(t));
	ck_assert_double_ge(r.verdict.residual, 0);
	args_fini(&r);
	matrix_fini(&a);
}

static void random_in(const struct variant *v)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (int mode = 0; mode < 3; mode++)
			for (size_t i = 0; i < COUNT(sizes); i++)
				for (unsigned seed = 1; seed <= 3; seed++)
					against_lapack(reals[t], mode,
					               sizes[i], seed,
					               v->name);
}

START_TEST(random_matrices_match_lapack_in_every_variant)
{
	each_variant("eigen", random_in);
}
END_TEST

static void answer(const struct matrix *a, struct args *r, const char *how,
                   const char *variant)
{
	op_run("eigen", a, 1, r, "method", how, "variant", variant, NULL);
}

struct matrix eigen_hilbert(enum dtype t, size_t n)
{
	struct matrix a = random_matrix(t, 1, 2, n, n);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			matrix_set(&a, i * n + j, 1.0 / (double)(i + j + 1));
	return a;
}

static void hilbert_in(const struct variant *v)
{
	static const size_t orders[] = { 1, 2, 5, 16, 127, 128, 256, 512 };

	for (size_t i = 0; i < COUNT(orders); i++) {
		struct matrix a = eigen_hilbert(FLOAT64, orders[i]);
		const double top = eigen_top_of_symmetric(&a);
		struct args r;

		op_run("eigen", &a, 1, &r, "variant", v->name, NULL);
		eigen_assert_pair(&a, &r, top, 1e-12);
		ck_assert(r.want >> BRACKET & 1);
		/* the articles have 9 to 12 rounds for 1e-3 */
		ck_assert_double_le(eigen_get(&r, ITERATIONS),
		                    v->auto_for ? 22 : 30);
		args_fini(&r);
		op_run("eigen", &a, 1, &r, "variant", v->name, "tol", "1e-3",
		       "method", "similarity", NULL);
		ck_assert_double_le(eigen_get(&r, ITERATIONS), 14);
		args_fini(&r);
		matrix_fini(&a);
	}
}

START_TEST(hilbert_matrices_close_their_bracket_in_few_rounds)
{
	each_variant("eigen", hilbert_in);
}
END_TEST

static void methods_in(const struct variant *v)
{
	static const char *const all[] = { "auto", "similarity", "power",
		"krylov" };

	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t k = 0; k < COUNT(all); k++)
			for (size_t i = 1; i < COUNT(sizes); i++) {
				struct matrix a = eigen_random_matrix(reals[t],
				    1, sizes[i], 5);
				double re, im, gap;
				struct args r;

				eigen_reference(&a, &re, &im, &gap);
				answer(&a, &r, all[k], v->name);
				eigen_assert_pair(&a, &r, re,
				            3 * eigen_default_tol(reals[t]));
				args_fini(&r);
				matrix_fini(&a);
			}
}

START_TEST(every_method_agrees_on_positive_matrices)
{
	each_variant("eigen", methods_in);
}
END_TEST

START_TEST(random_symmetric_500_needs_no_more_than_the_default)
{
	struct matrix a = eigen_random_matrix(FLOAT64, 0, 500, 11);
	struct args r;

	op_run("eigen", &a, 1, &r, NULL);
	eigen_assert_pair(&a, &r, eigen_top_of_symmetric(&a), 1e-10);
	ck_assert_double_lt(eigen_get(&r, ITERATIONS), 300);
	args_fini(&r);
	matrix_fini(&a);
}
END_TEST

void eigen_lapack_tests(TCase *c)
{
	tcase_add_test(c, random_matrices_match_lapack_in_every_variant);
	tcase_add_test(c, hilbert_matrices_close_their_bracket_in_few_rounds);
	tcase_add_test(c, every_method_agrees_on_positive_matrices);
	tcase_add_test(c, random_symmetric_500_needs_no_more_than_the_default);
}
