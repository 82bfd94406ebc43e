/* banded.c - the band factorization for shift-and-invert gives LAPACK's
 * solutions, detects singular matrices, and can be cancelled between blocks. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "ops/eigen/banded.h"
#include "ops/eigen/eigen.h"
#include "ops/need.h"
#include "tests/ops/eigen/eigen.h"

/* The same matrix in LAPACK's band storage, with leading dimension ld, and its
 * right-hand side. */
struct reference {
	int n, below, above, ld, *pivots;
	double *f, *x;
};

static double *reference_at(const struct reference *r, int i, int j)
{
	return &r->f[r->below + r->above + i - j + j * r->ld];
}

static struct reference reference_of(int n, int below, int above)
{
	const int ld = 2 * below + above + 1;

	return (struct reference){
		n, below, above, ld, calloc(n, sizeof(int)),
		calloc((size_t)ld * n, sizeof(double)),
		calloc(n, sizeof(double)),
	};
}

static void reference_fini(struct reference *r)
{
	free(r->pivots);
	free(r->f);
	free(r->x);
}

/* Allocates b, and fills b and *r with the same random matrix and r->x with
 * random numbers. Sets column `zero` to zero if 0 <= zero < n. */
static void fill(struct banded *b, struct reference *r, struct seq *s,
                 int zero)
{
	const int n = r->n;
	struct matrix m = random_matrix(FLOAT64, 7, 2, (size_t)n,
	                                (size_t)n + 1);

	ck_assert_int_eq(banded_clear(b, s), 0);
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++) {
			if (i > j + r->below || j > i + r->above || j == zero)
				continue;
			*reference_at(r, i, j) = matrix_get(&m, i * n + j);
			*banded_at(b, i, j) = matrix_get(&m, i * n + j);
		}
	for (int i = 0; i < n; i++)
		r->x[i] = matrix_get(&m, (size_t)n * n + i);
	matrix_fini(&m);
}

static struct seq *open_seq(struct err *e)
{
	struct seq *s = seq_new(test_device, FLOAT64, TIMING_NONE, e);

	ck_assert_ptr_nonnull(s);
	return s;
}

/* Returns max |x - y| / max |y|. */
static double distance(const double *x, const double *y, int n)
{
	double off = 0, size = 0;

	for (int i = 0; i < n; i++) {
		off = fmax(off, fabs(x[i] - y[i]));
		size = fmax(size, fabs(y[i]));
	}
	return off / size;
}

static double rcond_of(const struct reference *r, double norm)
{
	double rcond;

	LAPACKE_dgbcon(LAPACK_COL_MAJOR, '1', r->n, r->below, r->above, r->f,
	               r->ld, r->pivots, norm, &rcond);
	return rcond;
}

/* Asserts that the solutions of banded.h and of LAPACK agree up to their
 * errors, about n eps / rcond each. */
static void solves(int n, int below, int above, bool dense)
{
	struct reference r = reference_of(n, below, above);
	struct err e = { 0 };
	struct seq *s = open_seq(&e);
	struct banded b;
	bool singular;
	double *x = calloc(n, sizeof *x), norm;

	banded_plan(&b, n, below, above, dense);
	b.l = lapack_load(NULL, n, &e);
	fill(&b, &r, s, -1);
	memcpy(x, r.x, n * sizeof *x);
	norm = LAPACKE_dlangb(LAPACK_COL_MAJOR, '1', n, below, above,
	                      r.f + below, r.ld);
	ck_assert_int_eq(banded_factor(&b, s, &singular), 0);
	ck_assert(!singular);
	ck_assert_int_eq(banded_solve(&b, s, x), 0);
	LAPACKE_dgbtrf(LAPACK_COL_MAJOR, n, n, below, above, r.f, r.ld,
	               r.pivots);
	LAPACKE_dgbtrs(LAPACK_COL_MAJOR, 'N', n, below, above, 1, r.f, r.ld,
	               r.pivots, r.x, n);
	ck_assert_msg(distance(x, r.x, n) <= 10 * n * dtype_epsilon(FLOAT64) /
	              rcond_of(&r, norm), "n %d, band %d, %d, dense %d: %g",
	              n, below, above, dense, distance(x, r.x, n));
	banded_fini(&b);
	reference_fini(&r);
	seq_free(s);
	free(x);
}

/* The cases surround the sizes of blocks: below / 4 + 1 columns, at most 32,
 * for band matrices, and 128 columns for dense ones. */
START_TEST(solutions_are_lapacks)
{
	static const int sizes[][3] = {
		{ 1, 0, 0 }, { 2, 1, 0 }, { 5, 1, 1 }, { 40, 0, 3 },
		{ 40, 3, 0 }, { 50, 7, 2 }, { 97, 12, 30 }, { 300, 130, 20 },
		{ 300, 20, 130 }, { 130, 129, 129 }, { 257, 128, 140 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++) {
		solves(sizes[i][0], sizes[i][1], sizes[i][2], false);
		solves(sizes[i][0], sizes[i][1], sizes[i][2], true);
	}
}
END_TEST

static void is_singular(int n, int below, int above, int zero)
{
	struct reference r = reference_of(n, below, above);
	struct err e = { 0 };
	struct seq *s = open_seq(&e);

	for (int dense = 0; dense < 2; dense++) {
		struct banded b;
		bool singular;

		banded_plan(&b, n, below, above, dense);
		b.l = lapack_load(NULL, n, &e);
		fill(&b, &r, s, zero);
		ck_assert_int_eq(banded_factor(&b, s, &singular), 0);
		ck_assert(singular);
		banded_fini(&b);
	}
	reference_fini(&r);
	seq_free(s);
}

START_TEST(a_column_of_zeros_makes_it_singular)
{
	is_singular(1, 0, 0, 0);
	is_singular(60, 9, 9, 0);
	is_singular(60, 9, 9, 59);
	is_singular(300, 100, 50, 140);
}
END_TEST

static bool after(void *left)
{
	return --*(int *)left < 0;
}

/* Factors a dense matrix, which takes 2.25e9 operations, and cancels the call
 * at check number `question`, counted from 0. Sets *rc to the result. Returns
 * `question` less the number of checks that were made. */
static int cancelled_at(int question, int *rc)
{
	struct reference r = reference_of(1500, 1, 1);
	struct err e = { 0 };
	struct seq *s = open_seq(&e);
	int left = question;
	struct banded b;
	bool singular;

	banded_plan(&b, 1500, 1, 1, true);
	b.l = lapack_load(NULL, 1, &e);
	fill(&b, &r, s, -1);
	seq_on_cancel(s, after, &left);
	*rc = banded_factor(&b, s, &singular);
	banded_fini(&b);
	reference_fini(&r);
	seq_free(s);
	return left;
}

START_TEST(a_factorization_is_cancelled_between_blocks)
{
	int rc, asked;

	asked = 1000 - cancelled_at(1000, &rc);
	ck_assert_int_eq(rc, 0);
	ck_assert_int_ge(asked, 10);
	ck_assert_int_eq(cancelled_at(3, &rc), -1);
	ck_assert_int_eq(rc, -1);
}
END_TEST

/* The call is cancelled at the third check of the solution. */
START_TEST(a_solution_is_cancelled_between_blocks)
{
	struct reference r = reference_of(300, 20, 20);
	struct err e = { 0 };
	struct seq *s = open_seq(&e);
	struct banded b;
	bool singular;
	int left = 2;

	banded_plan(&b, 300, 20, 20, false);
	b.l = lapack_load(NULL, 1, &e);
	fill(&b, &r, s, -1);
	ck_assert_int_eq(banded_factor(&b, s, &singular), 0);
	seq_on_cancel(s, after, &left);
	ck_assert_int_eq(banded_solve(&b, s, r.x), -1);
	ck_assert_int_eq(left, -1);
	ck_assert_int_eq(e.code, ERR_DISMISSED);
	banded_fini(&b);
	reference_fini(&r);
	seq_free(s);
}
END_TEST

/* A matrix of 300 rows is within every bound of shifted.h. */
START_TEST(what_a_factorization_takes_is_counted)
{
	struct args near, far;
	struct sheet d = *device_sheet(test_device);
	struct need with, without;
	struct err e = { 0 };

	args_init(&near, op_find("eigen"));
	near.in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	    .dim = { 300, 300 }, .layout = CSR };
	near.variant = near.op->variants;
	far = near;
	ck_ok(args_set(&near, EIGEN_P_WHICH, "nearest", &e), &e);
	ck_ok(args_set(&far, EIGEN_P_WHICH, "largest", &e), &e);
	d.unified_memory = true;
	with = args_need(&near, near.variant, &d);
	without = args_need(&far, far.variant, &d);
	ck_assert_uint_eq(with.bytes - without.bytes, 300 * 300 * 8);
	d.unified_memory = false;
	with = args_need(&near, near.variant, &d);
	without = args_need(&far, far.variant, &d);
	ck_assert_uint_eq(with.bytes, without.bytes);
}
END_TEST

void eigen_banded_tests(TCase *c)
{
	tcase_add_test(c, solutions_are_lapacks);
	tcase_add_test(c, a_column_of_zeros_makes_it_singular);
	tcase_add_test(c, a_factorization_is_cancelled_between_blocks);
	tcase_add_test(c, a_solution_is_cancelled_between_blocks);
	tcase_add_test(c, what_a_factorization_takes_is_counted);
}
