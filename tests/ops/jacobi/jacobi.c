/* jacobi.c - the test systems, and the six small matrices of the article's
 * repository: solved, or refused for the right reason. */
#include <math.h>

#include "matrix/sparse.h"
#include "ops/jacobi/jacobi.h"
#include "tests/ops/jacobi/jacobi.h"

/* The matrix with those n entries. */
static struct matrix sparse(enum dtype t, size_t rows, size_t cols,
                            const struct sparse_entry *x, size_t n)
{
	struct matrix m = { .ndim = 2, .dim = { rows, cols } };
	struct err e = { 0 };

	ck_ok(sparse_build(&m, x, n, test_pool, &e), &e);
	ck_ok(matrix_convert(&m, t, test_pool, &e), &e);
	return m;
}

static void set_sides(struct system *y, enum dtype t)
{
	const int64_t *start = sparse_starts(&y->in[0]);
	const int32_t *column = sparse_columns(&y->in[0]);
	const size_t n = y->in[0].dim[0];

	y->x = random_matrix(t, 11, 1, n);
	y->in[1] = random_matrix(t, 12, 1, n);
	for (size_t i = 0; i < n; i++) {
		long double sum = 0;

		for (int64_t k = start[i]; k < start[i + 1]; k++)
			sum += (long double)matrix_get(&y->in[0], (size_t)k) *
			       matrix_get(&y->x, (size_t)column[k]);
		matrix_set(&y->in[1], i, (double)sum);
	}
}

struct system stencil(enum dtype t, size_t g)
{
	struct sparse_entry *x = calloc(5 * g * g + 1, sizeof *x);
	struct system y = { 0 };
	size_t n = 0;

	for (uint32_t i = 0; i < g * g; i++) {
		const uint32_t w = (uint32_t)g;

		x[n++] = (struct sparse_entry){ i, i, 5 };
		if (i % w > 0)
			x[n++] = (struct sparse_entry){ i, i - 1, -1 };
		if (i % w + 1 < w)
			x[n++] = (struct sparse_entry){ i, i + 1, -1 };
		if (i >= w)
			x[n++] = (struct sparse_entry){ i, i - w, -1 };
		if (i + w < w * w)
			x[n++] = (struct sparse_entry){ i, i + w, -1 };
	}
	y.in[0] = sparse(t, g * g, g * g, x, n);
	free(x);
	set_sides(&y, t);
	return y;
}

/* Row i of the graded matrix without its diagonal; kind 0 is empty, 1 has small
 * entries, 2 large ones, 3 both; the middle row is full. */
static size_t graded_row(struct sparse_entry *x, uint32_t i, uint32_t n,
                         uint32_t kind)
{
	size_t count = 0;

	for (uint32_t k = 1; k < n; k++) {
		const uint32_t j = (i + k) % n;
		const bool large = kind == 2 || (kind == 3 && k % 2);
		const double sign = (i + j) % 3 ? -1 : 1;

		if (i == n / 2)
			x[count++] = (struct sparse_entry){ i, j, 0.37 };
		else if (kind > 0 && k <= 5)
			x[count++] = (struct sparse_entry){
				i, j, sign * (large ? 31.7 : 0.013) / k };
	}
	return count;
}

struct system graded(enum dtype t, size_t n)
{
	struct sparse_entry *x = calloc(7 * n + 1, sizeof *x);
	struct system y = { 0 };
	size_t count = 0;

	for (uint32_t i = 0; i < n; i++) {
		size_t more = graded_row(x + count, i, (uint32_t)n, i % 4);
		double sum = 0.1;

		for (size_t k = 0; k < more; k++)
			sum += fabs(x[count + k].value);
		count += more;
		x[count++] = (struct sparse_entry){ i, i, -1.25 * sum };
	}
	y.in[0] = sparse(t, n, n, x, count);
	free(x);
	set_sides(&y, t);
	return y;
}

void system_fini(struct system *y)
{
	matrix_fini(&y->in[0]);
	matrix_fini(&y->in[1]);
	matrix_fini(&y->x);
}

double relative_residual(const struct system *y, const struct matrix *x)
{
	const int64_t *start = sparse_starts(&y->in[0]);
	const int32_t *column = sparse_columns(&y->in[0]);
	long double above = 0, below = 0;

	for (size_t i = 0; i < y->in[0].dim[0]; i++) {
		long double b = matrix_get(&y->in[1], i), r = b;

		for (int64_t k = start[i]; k < start[i + 1]; k++)
			r -= (long double)matrix_get(&y->in[0], (size_t)k) *
			     matrix_get(x, (size_t)column[k]);
		above += r * r;
		below += b * b;
	}
	return below > 0 ? (double)sqrtl(above / below) : (double)above;
}

double residual_limit(const struct system *y, double tol)
{
	return tol + 2 * (double)y->in[0].dim[1] * DBL_EPSILON;
}

double relative_error(const struct system *y, const struct matrix *x)
{
	double worst = 0, peak = 0;

	for (size_t i = 0; i < matrix_elements(x); i++) {
		const double want = matrix_get(&y->x, i);

		worst = fmax(worst, fabs(matrix_get(x, i) - want));
		peak = fmax(peak, fabs(want));
	}
	return worst / fmax(peak, 1e-300);
}

/* A matrix of n entries, and the error with which it is refused, if it is. */
struct small {
	size_t rows, cols, n;
	struct sparse_entry entry[16];
	enum err_code refused;
	const char *says;
};

static const struct small smalls[] = {
	{ 4, 4, 10, { { 0, 0, 4 }, { 0, 1, -1 }, { 1, 0, -1 }, { 1, 1, 4 },
	  { 1, 2, -1 }, { 2, 1, -1 }, { 2, 2, 4 }, { 2, 3, -1 }, { 3, 2, -1 },
	  { 3, 3, 4 } }, ERR_NONE, NULL },
	{ 6, 4, 12, { { 0, 0, 4 }, { 0, 1, 1 }, { 1, 1, 4 }, { 1, 2, 1 },
	  { 2, 2, 4 }, { 2, 3, 1 }, { 3, 3, 4 }, { 3, 0, 1 }, { 4, 0, 2 },
	  { 4, 3, 2 }, { 5, 1, 3 }, { 5, 2, 1 } }, ERR_SHAPE,
	  "matrix is 6x4, must be square" },
	/* an empty row */
	{ 3, 3, 3, { { 0, 0, 2 }, { 0, 2, 1 }, { 2, 2, 2 } }, ERR_MATHEMATICS,
	  "row 1, counted from 0, is missing: the row is empty" },
	/* an explicit zero on the diagonal */
	{ 4, 4, 5, { { 0, 0, 2 }, { 1, 1, 2 }, { 2, 2, 2 }, { 3, 0, 1 },
	  { 3, 3, 0 } }, ERR_MATHEMATICS,
	  "diagonal entry of row 3, counted from 0, is zero" },
	/* an explicit zero off the diagonal */
	{ 3, 3, 5, { { 0, 0, 2 }, { 0, 1, 0 }, { 1, 1, 2 }, { 1, 2, 1 },
	  { 2, 2, 2 } }, ERR_NONE, NULL },
	/* a row with entries, but none on the diagonal */
	{ 3, 3, 5, { { 0, 0, 2 }, { 1, 0, 1 }, { 1, 2, 1 }, { 2, 1, 1 },
	  { 2, 2, 2 } }, ERR_MATHEMATICS,
	  "diagonal entry of row 1, counted from 0, is missing" },
};

static void assert_small(const struct small *c, struct system *y,
                         const char *permutation)
{
	struct err e = { 0 };
	struct args r;
	const int rc = op_try("jacobi", y->in, 2, &r, &e, "permutation",
	                      permutation, "tol", "1e-12", NULL);

	if (c->refused != ERR_NONE) {
		ck_refused(rc, &e, c->refused);
		ck_assert_msg(strstr(e.text, c->says), "%s", e.text);
		ck_assert_str_eq(e.pointer, "/a");
		return;
	}
	ck_ok(rc, &e);
	ck_assert_double_le(relative_error(y, &r.out[0]), 1e-11);
	args_fini(&r);
}

START_TEST(the_six_small_matrices_are_solved_or_refused)
{
	for (size_t i = 0; i < COUNT(smalls); i++) {
		const struct small *c = &smalls[i];
		struct system y = { .in = { sparse(FLOAT64, c->rows, c->cols,
		                                   c->entry, c->n) } };

		if (c->refused == ERR_NONE)
			set_sides(&y, FLOAT64);
		else
			y.in[1] = random_matrix(FLOAT64, 1, 1, c->rows);
		assert_small(c, &y, "none");
		assert_small(c, &y, "row");
		assert_small(c, &y, "symmetric");
		system_fini(&y);
	}
}
END_TEST

START_TEST(a_dense_matrix_is_taken_too)
{
	const double values[] = { 4, -1, 0, -1, 4, -1, 0, -1, 4 };
	const double sides[] = { 2, 4, 10 };	/* A (1, 2, 3) */
	struct matrix in[2] = { matrix_of(FLOAT64, values, 2, (size_t)3,
	                                  (size_t)3),
	                        matrix_of(FLOAT64, sides, 2, (size_t)3,
	                                  (size_t)1) };
	struct args r;

	op_run("jacobi", in, 2, &r, "tol", "1e-13", NULL);
	ck_assert_int_eq(r.out[0].ndim, 2);
	ck_assert_uint_eq(r.out[0].dim[1], 1);
	for (size_t i = 0; i < 3; i++)
		ck_assert_double_eq_tol(matrix_get(&r.out[0], i),
		                        (double)i + 1, 1e-12);
	ck_assert(matrix_get(&r.out[2], 0) == 1);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* The rows' entries off the diagonal: two in range and a large one; none; some
 * in range; some beyond float32. */
static const struct sparse_entry classed[] = {
	{ 0, 0, 9 }, { 0, 1, .5 }, { 0, 2, 7 }, { 0, 3, -.5 }, { 1, 0, 0 },
	{ 1, 1, 9 }, { 2, 0, .5 }, { 2, 2, 9 }, { 3, 0, 1e-60 }, { 3, 3, 9 },
};

static void assert_classes(enum jacobi_selection selection, double share,
                           const unsigned char *want)
{
	const struct jacobi_rule rule = { selection, 1, share };
	struct matrix m = sparse(FLOAT64, 4, 4, classed, COUNT(classed));
	const struct jacobi_rows r = jacobi_rows(&m);
	double diagonal[4], mean;
	unsigned char class[4];
	struct err e = { 0 };
	int32_t length[4];

	ck_ok(jacobi_look(&r, diagonal, length, &mean, &e), &e);
	ck_assert_double_eq_tol(mean, 8.5 / 5, 1e-15);
	jacobi_classify(&r, length, &rule, class);
	ck_assert_mem_eq(class, want, sizeof class);
	matrix_fini(&m);
}

START_TEST(rows_are_classed_by_their_share_in_range)
{
	const unsigned char strict[] = { CLASS_DOUBLE, CLASS_EMPTY,
		CLASS_SINGLE, CLASS_DOUBLE };
	const unsigned char loose[] = { CLASS_SINGLE, CLASS_EMPTY,
		CLASS_SINGLE, CLASS_DOUBLE };

	assert_classes(SELECT_ROW, 0.9, strict);
	assert_classes(SELECT_ROW, 2. / 3, loose);
}
END_TEST

START_TEST(rows_are_ordered_by_class_and_stay_in_order_within)
{
	const unsigned char class[] = { CLASS_EMPTY, CLASS_SINGLE,
		CLASS_DOUBLE, CLASS_SINGLE, CLASS_DOUBLE };
	const int32_t want[] = { 1, 3, 2, 4, 0 };
	size_t separation[CLASSES + 1];
	int32_t order[5];

	jacobi_order(class, 5, order, separation);
	ck_assert_mem_eq(order, want, sizeof order);
	ck_assert_uint_eq(separation[CLASS_SINGLE], 0);
	ck_assert_uint_eq(separation[CLASS_DOUBLE], 2);
	ck_assert_uint_eq(separation[CLASS_EMPTY], 4);
	ck_assert_uint_eq(separation[CLASSES], 5);
}
END_TEST

START_TEST(nothing_and_zero_need_no_rounds)
{
	const double values[] = { 2, 1, 0, 3 }, zeros[] = { 0, 0 };
	struct matrix in[2] = {
		matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)2),
		matrix_of(FLOAT64, zeros, 1, (size_t)2)
	};
	struct matrix empty[2] = {
		random_matrix(FLOAT64, 1, 2, (size_t)0, (size_t)0),
		random_matrix(FLOAT64, 1, 1, (size_t)0)
	};
	struct args r;

	op_run("jacobi", in, 2, &r, "precision", "float32", NULL);
	ck_assert_double_eq(matrix_get(&r.out[0], 0), 0);
	ck_assert_double_eq(matrix_get(&r.out[0], 1), 0);
	ck_assert_double_eq(matrix_get(&r.out[1], 0), 0);
	ck_assert(matrix_get(&r.out[2], 0) == 1);
	args_fini(&r);
	op_run("jacobi", empty, 2, &r, NULL);
	ck_assert_uint_eq(matrix_elements(&r.out[0]), 0);
	args_fini(&r);
	for (int i = 0; i < 2; i++) {
		matrix_fini(&in[i]);
		matrix_fini(&empty[i]);
	}
}
END_TEST

START_TEST(failing_calls_are_survived)
{
	const double values[] = { 1e6, 1, 2, 1, 1e6, 0, 0, 1, 1e6 };
	struct matrix in[2] = {
		matrix_of(FLOAT64, values, 2, (size_t)3, (size_t)3),
		random_matrix(FLOAT64, 1, 1, (size_t)3)
	};

	op_survives_failing_calls("jacobi", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_jacobi(void)
{
	TCase *t = tcase_create("jacobi");

	tcase_add_test(t, the_six_small_matrices_are_solved_or_refused);
	tcase_add_test(t, a_dense_matrix_is_taken_too);
	tcase_add_test(t, rows_are_classed_by_their_share_in_range);
	tcase_add_test(t,
	               rows_are_ordered_by_class_and_stay_in_order_within);
	tcase_add_test(t, nothing_and_zero_need_no_rounds);
	tcase_add_test(t, failing_calls_are_survived);
	jacobi_ways(t);
	jacobi_limits(t);
	jacobi_ends(t);
	return t;
}
