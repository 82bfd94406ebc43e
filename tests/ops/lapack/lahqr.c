/* lahqr.c - the QR algorithm for small Hessenberg matrices: DLAHQR's promises.
 * Matrices are column-major, with gaps of GAP elements between columns. */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "ops/lapack/exported.h"
#include "tests/ops/lapack/lapack.h"
#include "tests/ops/op.h"

enum { GAP = 3, MOST = 300 };

static const size_t sizes[] = { 1, 2, 3, 4, 5, 8, 17, 64, 75, 130, 256, 257 };

/* H, its form T, and Z, of rows `low` to `high`, counted from 0. */
struct form {
	size_t n, ld, low, high;
	double *h, *t, *z, re[MOST], im[MOST];
};

static void form_init(struct form *f, size_t n)
{
	const size_t all = n * (n + GAP);

	f->n = n;
	f->ld = n + GAP;
	f->low = 0;
	f->high = n - 1;
	f->h = calloc(all, sizeof *f->h);
	f->t = calloc(all, sizeof *f->t);
	f->z = calloc(all, sizeof *f->z);
	ck_assert(f->h && f->t && f->z);
}

static void form_fini(struct form *f)
{
	free(f->h);
	free(f->t);
	free(f->z);
}

static double *at(const struct form *f, double *x, size_t i, size_t j)
{
	return x + i + j * f->ld;
}

/* --- matrices */

static double random_element(size_t i, size_t j)
{
	return sin(12.9898 * (double)(i + 1) + 78.233 * (double)(j + 1)) +
	       cos(39.425 * (double)((i + 1) * (j + 3)));
}

static double graded(size_t i, size_t j)
{
	return random_element(i, j) * pow(2, -(double)(i + j) / 2);
}

/* The eigenvalues are the roots of unity, on which the usual shifts fail. */
static double cyclic(size_t i, size_t j)
{
	return i == j + 1 ? 1 : 0;
}

static double jordan(size_t i, size_t j)
{
	return i == j ? 2 : j == i + 1 ? 1 : i == j + 1 ? 1e-18 : 0;
}

static double split(size_t i, size_t j)
{
	return i == j + 1 && j % 3 == 2 ? 0 : random_element(i, j);
}

static double zero(size_t i, size_t j)
{
	(void)i;
	(void)j;
	return 0;
}

static double huge(size_t i, size_t j)
{
	return 1e300 * random_element(i, j);
}

static double tiny(size_t i, size_t j)
{
	return 1e-250 * random_element(i, j);
}

typedef double (*element)(size_t i, size_t j);

static const element kinds[] = { random_element, graded, cyclic, jordan, split,
                                 zero, huge, tiny };

/* Fills H; rows outside f->low and f->high are triangular. */
static void fill(struct form *f, element x)
{
	for (size_t j = 0; j < f->n; j++)
		for (size_t i = 0; i < size_min(j + 2, f->n); i++) {
			const bool below = i == j + 1 && (j < f->low ||
			                                  i > f->high);

			*at(f, f->h, i, j) = below ? 0 : x(i, j);
		}
	if (x == cyclic)
		*at(f, f->h, 0, f->n - 1) = 1;
}

/* --- calls */

/* Sets T = H and Z = I; the gaps between columns become 7. */
static void reset(struct form *f)
{
	for (size_t j = 0; j < f->n; j++)
		for (size_t i = 0; i < f->ld; i++) {
			*at(f, f->t, i, j) = i < f->n ? *at(f, f->h, i, j) : 7;
			*at(f, f->z, i, j) = i < f->n ? i == j : 7;
		}
}

/* Calls DLAHQR for rows `first` to `last` of Z = I. Returns INFO. */
static int run(struct form *f, bool whole, bool vectors, size_t first,
               size_t last)
{
	const int n = (int)f->n, ld = (int)f->ld, t = whole, z = vectors;
	const int low = (int)f->low + 1, high = (int)f->high + 1;
	const int from = (int)first + 1, to = (int)last + 1;
	int info = -1;

	reset(f);
	dlahqr_(&t, &z, &n, &low, &high, f->t, &ld, f->re, f->im, &from, &to,
	        f->z, &ld, &info);
	for (size_t j = 0; j < f->n; j++)
		for (size_t i = f->n; i < f->ld; i++) {
			ck_assert_double_eq(*at(f, f->t, i, j), 7);
			ck_assert_double_eq(*at(f, f->z, i, j), 7);
		}
	return info;
}

static double size_of(const struct form *f, double *x)
{
	double most = 0;

	for (size_t j = 0; j < f->n; j++)
		for (size_t i = 0; i < f->n; i++)
			most = fmax(most, fabs(*at(f, x, i, j)));
	return most;
}

/* Sum over k and l of z_ik t_kl z_jl, with T = I if `t` is NULL. */
static double product(const struct form *f, const double *t, size_t i,
                      size_t j)
{
	double sum = 0;

	for (size_t k = 0; k < f->n; k++) {
		double row = t ? 0 : *at(f, f->z, j, k);

		for (size_t l = 0; t && l < f->n; l++)
			row += t[k + l * f->ld] * *at(f, f->z, j, l);
		sum += *at(f, f->z, i, k) * row;
	}
	return sum;
}

/* H = Z T Z^T and Z Z^T = I, up to rounding errors. Some elements of large
 * products are enough. */
static void check_transform(const struct form *f)
{
	const double bound = 10 * (double)f->n * DBL_EPSILON;
	const double scale = fmax(size_of(f, f->h), DBL_MIN);
	const size_t step = f->n > 64 ? 7 : 1;

	for (size_t j = 0; j < f->n; j += step)
		for (size_t i = 0; i < f->n; i += step) {
			ck_assert_double_eq_tol(product(f, f->t, i, j) / scale,
			    *at(f, f->h, i, j) / scale, bound);
			ck_assert_double_eq_tol(product(f, NULL, i, j), i == j,
			                        bound);
		}
}

/* T is quasi-triangular, with the eigenvalues on its diagonal. The blocks of
 * pairs have equal diagonal elements, and others of opposite sign. */
static void check_form(const struct form *f)
{
	for (size_t j = 0; j < f->n; j++)
		for (size_t i = j + 2; i < f->n; i++)
			ck_assert_double_eq(*at(f, f->t, i, j), 0);
	for (size_t i = f->low; i <= f->high; i++) {
		ck_assert_double_eq(f->re[i], *at(f, f->t, i, i));
		if (f->im[i] <= 0)
			continue;
		ck_assert_double_eq(f->re[i + 1], f->re[i]);
		ck_assert_double_eq(f->im[i + 1], -f->im[i]);
		ck_assert(*at(f, f->t, i + 1, i) *
		          *at(f, f->t, i, i + 1) <= 0);
		ck_assert(*at(f, f->t, i + 1, i) != 0);
	}
	for (size_t i = 0; i + 1 < f->n; i++)
		ck_assert(*at(f, f->t, i + 1, i) == 0 ||
		          (i >= f->low && f->im[i] > 0));
}

START_TEST(a_small_matrix_has_a_real_schur_form)
{
	for (size_t i = 0; i < COUNT(sizes); i++)
		for (size_t k = 0; k < COUNT(kinds); k++) {
			struct form f;

			form_init(&f, sizes[i]);
			fill(&f, kinds[k]);
			ck_assert_int_eq(run(&f, true, true, 0, f.n - 1), 0);
			check_form(&f);
			check_transform(&f);
			form_fini(&f);
		}
}
END_TEST

START_TEST(rows_outside_of_the_range_are_left_triangular)
{
	struct form f;

	form_init(&f, 40);
	f.low = 5;
	f.high = 33;
	fill(&f, random_element);
	ck_assert_int_eq(run(&f, true, true, 0, f.n - 1), 0);
	check_form(&f);
	check_transform(&f);
	for (size_t i = 0; i < f.n; i++)
		if (i < f.low || i > f.high)
			ck_assert_double_eq(*at(&f, f.t, i, i),
			                    *at(&f, f.h, i, i));
	form_fini(&f);
}
END_TEST

/* The rows of Z that a call names become those of the whole Z; the others stay
 * as they are. T and Z do not depend on each other. */
START_TEST(a_call_transforms_the_rows_that_it_names)
{
	struct form f, g;

	form_init(&f, 50);
	form_init(&g, 50);
	fill(&f, random_element);
	fill(&g, random_element);
	ck_assert_int_eq(run(&f, true, true, 0, f.n - 1), 0);
	ck_assert_int_eq(run(&g, true, true, 3, 41), 0);
	for (size_t j = 0; j < f.n; j++)
		for (size_t i = 0; i < f.n; i++) {
			const bool named = i >= 3 && i <= 41;

			ck_assert_double_eq(*at(&g, g.z, i, j),
			    named ? *at(&f, f.z, i, j) : i == j);
			ck_assert_double_eq(*at(&g, g.t, i, j),
			                    *at(&f, f.t, i, j));
		}
	ck_assert_int_eq(run(&g, true, false, 0, 0), 0);
	for (size_t j = 0; j < f.n; j++)
		ck_assert_double_eq(*at(&g, g.t, 0, j), *at(&f, f.t, 0, j));
	form_fini(&f);
	form_fini(&g);
}
END_TEST

START_TEST(eigenvalues_alone_are_those_of_the_whole_form)
{
	struct form f, g;

	form_init(&f, 60);
	form_init(&g, 60);
	fill(&f, random_element);
	fill(&g, random_element);
	ck_assert_int_eq(run(&f, true, true, 0, f.n - 1), 0);
	ck_assert_int_eq(run(&g, false, false, 0, 0), 0);
	for (size_t i = 0; i < f.n; i++) {
		double nearest = INFINITY;

		for (size_t j = 0; j < f.n; j++)
			nearest = fmin(nearest, hypot(f.re[i] - g.re[j],
			                              f.im[i] - g.im[j]));
		ck_assert_double_le(nearest, 1e-11 * size_of(&f, f.h));
	}
	form_fini(&f);
	form_fini(&g);
}
END_TEST

START_TEST(a_matrix_with_nan_has_no_form)
{
	struct form f;
	int info;

	form_init(&f, 12);
	fill(&f, random_element);
	*at(&f, f.h, 4, 4) = NAN;
	info = run(&f, true, true, 0, f.n - 1);
	ck_assert_int_gt(info, 0);
	ck_assert_int_le(info, (int)f.n);
	form_fini(&f);
}
END_TEST

/* DLAQR4 of a matrix of n rows, by which DLAQR3 decomposes its windows. */
static void by_laqr4(struct form *f)
{
	const int n = (int)f->n, ld = (int)f->ld, one = 1, query = -1;
	double length, *work;
	int info = -1, lwork;

	reset(f);
	dlaqr4_(&one, &one, &n, &one, &n, f->t, &ld, f->re, f->im, &one, &n,
	        f->z, &ld, &length, &query, &info);
	lwork = (int)length;
	ck_assert_int_ge(lwork, n);
	work = malloc((size_t)lwork * sizeof *work);
	ck_assert_ptr_nonnull(work);
	dlaqr4_(&one, &one, &n, &one, &n, f->t, &ld, f->re, f->im, &one, &n,
	        f->z, &ld, work, &lwork, &info);
	free(work);
	ck_assert_int_eq(info, 0);
}

START_TEST(windows_of_any_size_have_a_real_schur_form)
{
	static const size_t rows[] = { 20, 76, 191, 192 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct form f;

		form_init(&f, rows[i]);
		fill(&f, random_element);
		by_laqr4(&f);
		check_form(&f);
		check_transform(&f);
		form_fini(&f);
	}
}
END_TEST

START_TEST(lapack_calls_the_exported_functions)
{
	void *found = dlsym(RTLD_DEFAULT, "dlahqr_");
	__typeof__(dlahqr_) *const small = dlahqr_;
	__typeof__(dlaqr4_) *const window = dlaqr4_;

	ck_assert_mem_eq(&found, &small, sizeof found);
	ck_assert(inner.d.lahqr != small);
	found = dlsym(RTLD_DEFAULT, "dlaqr4_");
	ck_assert_mem_eq(&found, &window, sizeof found);
	ck_assert(inner.d.laqr4 != window);
}
END_TEST

void lapack_lahqr_tests(TCase *c)
{
	tcase_add_test(c, a_small_matrix_has_a_real_schur_form);
	tcase_add_test(c, rows_outside_of_the_range_are_left_triangular);
	tcase_add_test(c, a_call_transforms_the_rows_that_it_names);
	tcase_add_test(c, eigenvalues_alone_are_those_of_the_whole_form);
	tcase_add_test(c, a_matrix_with_nan_has_no_form);
	tcase_add_test(c, windows_of_any_size_have_a_real_schur_form);
	tcase_add_test(c, lapack_calls_the_exported_functions);
}
