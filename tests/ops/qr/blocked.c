/* blocked.c - tests that variant `blocked` of qr has LAPACK's factors, signs
 * included, whether a panel is factored by Cholesky's method or is too
 * ill-conditioned for that. */
#include <math.h>

#include "ops/qr/block.h"
#include "tests/ops/qr/factors.h"
#include "tests/ops/qr/qr.h"

enum { Q, R };

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* Returns the largest difference to LAPACK's R, relative to its norm. */
static double off_lapack(const struct matrix *x, const struct matrix *r)
{
	double most = 0;
	struct args a;

	op_run("qr", x, 1, &a, "variant", "host", NULL);
	for (size_t e = 0; e < matrix_elements(r); e++)
		most = fmax(most, fabs(matrix_get(&a.out[R], e) -
		                       matrix_get(r, e)));
	most /= factor_norm(&a.out[R], 0) + 1e-300;
	args_fini(&a);
	return most;
}

/* Asserts that the factors of x are accurate, and that R differs from LAPACK's
 * by at most `off`. */
static void check(const struct matrix *x, double off)
{
	struct args a;

	op_run("qr", x, 1, &a, "variant", "blocked", "quality", "full", NULL);
	ck_assert_double_lt(a.verdict.residual, 1);
	ck_assert_double_lt(a.verdict.orthogonality, 1);
	ck_assert_double_le(off_lapack(x, &a.out[R]), off);
	args_fini(&a);
}

/* Keeps the elements of an n x n matrix for which keep(i, j) is true. */
typedef bool keep_fn(size_t i, size_t j);

static bool is_upper(size_t i, size_t j)
{
	return i <= j;
}

static bool is_diagonal(size_t i, size_t j)
{
	return i == j;
}

static bool is_in_block(size_t i, size_t j)
{
	return i / 27 <= j / 27;
}

static bool is_permuted(size_t i, size_t j)
{
	return j == 89 * i % 150;
}

static bool is_hessenberg(size_t i, size_t j)
{
	return i <= j + 1;
}

static bool has_zero_columns(size_t i, size_t j)
{
	return i < 150 && j % 7 != 3;
}

/* LAPACK makes no reflection for a column that is 0 below the diagonal. The
 * elements on the diagonal are large, so that most panels are
 * well-conditioned. */
START_TEST(zeros_below_the_diagonal_keep_the_signs)
{
	static keep_fn *const kept[] = { is_upper, is_diagonal, is_in_block,
	                                 is_permuted, is_hessenberg,
	                                 has_zero_columns };
	const size_t n = 150;

	for (size_t k = 0; k < COUNT(kept) * COUNT(reals); k++) {
		struct matrix x = random_matrix(reals[k % 2], 3, 2, n, n);

		for (size_t e = 0; e < n * n; e++) {
			const size_t i = e / n, j = e % n;
			const double d = i != j ? 0 : i % 3 ? -9 : 9;

			matrix_set(&x, e, kept[k / 2](i, j) ?
			           matrix_get(&x, e) + d : 0);
		}
		check(&x, 1e3 * dtype_epsilon(reals[k % 2]));
		matrix_fini(&x);
	}
}
END_TEST

/* The columns differ by `apart` from multiples of each other, so that their
 * condition number is about 1 / apart. */
static struct matrix nearly_dependent(enum dtype t, double apart)
{
	struct matrix x = random_matrix(t, 4, 2, (size_t)220, (size_t)140);

	for (size_t e = 0; e < 220 * 140; e++) {
		const double first = matrix_get(&x, e / 140 * 140);

		if (e % 140 > 0)
			matrix_set(&x, e, first * (double)(e % 140) +
			           apart * matrix_get(&x, e));
	}
	return x;
}

START_TEST(ill_conditioned_panels)
{
	static const double apart[] = { 1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-13, 0 };

	for (size_t i = 0; i < COUNT(apart) * COUNT(reals); i++) {
		struct matrix x = nearly_dependent(reals[i % 2], apart[i / 2]);
		const double off = dtype_epsilon(reals[i % 2]) / apart[i / 2];

		check(&x, fmin(1e5 * off, 1));
		matrix_fini(&x);
	}
}
END_TEST

/* Factors the columns of a in blocks of `each` and returns Q^T A. */
static struct matrix reduced(const struct matrix *a, size_t each)
{
	const size_t m = matrix_rows(a), n = matrix_cols(a);
	struct matrix x = random_matrix(a->dtype, 1, 2, m, n);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, a->dtype, TIMING_NONE, &e);
	const struct blas_part c = { seq_scratch(s, matrix_size(a)), 0, n,
	                             m * n, false };
	struct qr_block b = qr_block_of(s, 1, m, n, n,
	                                seq_scratch(s, matrix_size(a)));

	b.each = each;
	seq_write(s, b.w, 0, matrix_data(a), matrix_size(a));
	seq_write(s, c.b, 0, matrix_data(a), matrix_size(a));
	for (size_t i = 0; i < n; i += QR_NB) {
		const size_t first = i / each * each;
		const size_t next = size_min(i + QR_NB, n);
		const struct blas_part w = { b.w, i * n + next, n, m * n,
		                             false };

		qr_block_factor(&b, i);
		qr_block_apply(&b, i, QR_NB, &w, n - next, true);
		if (i > first)
			qr_block_join(&b, first, i);
	}
	for (size_t i = 0; i < n; i += each) {
		struct blas_part rows = c;

		rows.at = i * n;
		qr_block_apply(&b, i, size_round_up(size_min(each, n - i),
		                                    QR_NB), &rows, n, true);
	}
	seq_read(s, c.b, 0, matrix_data(&x), matrix_size(&x));
	ck_assert_int_eq(seq_finish(s), 0);
	seq_free(s);
	return x;
}

/* The reflections of several panels, applied together, are the same as one
 * panel's after the other. */
START_TEST(joined_panels_reduce_the_matrix_alike)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = random_matrix(reals[t], 6, 2, (size_t)330,
		                                (size_t)210);
		struct matrix x = reduced(&a, QR_NB);
		struct matrix y = reduced(&a, 3 * QR_NB);
		const double size = factor_norm(&a, 0) *
		                    dtype_epsilon(reals[t]);

		for (size_t e = 0; e < 330 * 210; e++) {
			ck_assert_double_eq_tol(matrix_get(&x, e),
			                        matrix_get(&y, e), 10 * size);
			if (e / 210 > e % 210)
				ck_assert_double_eq_tol(matrix_get(&y, e), 0,
				                        10 * size);
		}
		matrix_fini(&a);
		matrix_fini(&x);
		matrix_fini(&y);
	}
}
END_TEST

START_TEST(the_kernels_want_a_device_that_has_room_for_them)
{
	struct sheet d = { .max_work_group_size = 1024, .float64 = true,
	                   .local_memory_bytes = 48 << 10 };

	ck_assert(qr_block_fits(&d));
	d.local_memory_bytes = 40 << 10;
	ck_assert(!qr_block_fits(&d));
	d.float64 = false;		/* half as much */
	ck_assert(qr_block_fits(&d));
	d.local_memory_bytes = 16 << 10;
	ck_assert(!qr_block_fits(&d));
	d.local_memory_bytes = 48 << 10;
	d.max_work_group_size = 512;
	ck_assert(!qr_block_fits(&d));
}
END_TEST

void qr_add_blocked_tests(TCase *c)
{
	tcase_add_test(c, the_kernels_want_a_device_that_has_room_for_them);
	tcase_add_test(c, zeros_below_the_diagonal_keep_the_signs);
	tcase_add_test(c, ill_conditioned_panels);
	tcase_add_test(c, joined_panels_reduce_the_matrix_alike);
}
