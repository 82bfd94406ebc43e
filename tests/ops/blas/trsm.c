/* trsm.c - X = op(T)^-1 X: the backward error for every shape and kind of
 * triangle. The other triangle must never be read. */
#include "ops/blas/trsm_blocks.h"
#include "tests/ops/op.h"

enum { STACK = 2, UPPER = 1, UNIT = 2, T_TURNED = 4, X_TURNED = 8, HOWS = 16 };

/* Makes triangles with a dominant diagonal. The other triangle is NaN, and so
 * is a diagonal that must not be read. */
static struct matrix triangle(enum dtype type, size_t n, int how)
{
	const bool below = !(how & UPPER) == !(how & T_TURNED);
	struct matrix t = random_matrix(type, 5, 3, (size_t)STACK, n, n);

	for (size_t e = 0; e < matrix_elements(&t); e++) {
		const size_t i = e / n % n, j = e % n;

		if (i == j)
			matrix_set(&t, e, how & UNIT ? NAN : 2);
		else if (below ? i < j : i > j)
			matrix_set(&t, e, NAN);
		else
			matrix_set(&t, e, matrix_get(&t, e) / (double)n);
	}
	return t;
}

/* Returns element (i, k) of op(T), with the zeros and ones that are not
 * stored. */
static double element(const struct matrix *t, int how, size_t s, size_t i,
                      size_t k)
{
	const size_t n = matrix_rows(t);

	if (i == k)
		return how & UNIT ? 1 : 2;
	if (how & UPPER ? i > k : i < k)
		return 0;
	return matrix_get(t, (s * n + (how & T_TURNED ? k : i)) * n +
	                     (how & T_TURNED ? i : k));
}

static double get(const struct matrix *x, int how, size_t n, size_t sides,
                  size_t s, size_t i, size_t c)
{
	return matrix_get(x, s * n * sides + (how & X_TURNED ? c * n + i :
	                                                       i * sides + c));
}

/* Asserts |B - op(T) X| <= (n + 2) eps |op(T)| |X| for every element of the
 * first `stack` matrices. */
static void check(const struct matrix *t, const struct matrix *b,
                  const struct matrix *x, int how, size_t stack, size_t n,
                  size_t sides)
{
	for (size_t e = 0; e < stack * n * sides; e++) {
		const size_t s = e / n / sides, i = e / sides % n;
		const size_t c = e % sides;
		double sum = 0, size = 0;

		for (size_t k = 0; k < n; k++) {
			const double term = element(t, how, s, i, k) *
			                    get(x, how, n, sides, s, k, c);

			sum += term;
			size += fabs(term);
		}
		sum -= get(b, how, n, sides, s, i, c);
		ck_assert_msg(fabs(sum) <= (double)(n + 2) * size *
		              dtype_epsilon(x->dtype), "n = %zu, %zu sides, "
		              "how %d: row %zu is off by %g of %g", n, sides,
		              how, i, sum, size);
	}
}

static void one(enum dtype type, size_t n, size_t sides, int how)
{
	const size_t rows = how & X_TURNED ? sides : n;
	const size_t cols = how & X_TURNED ? n : sides;
	struct matrix t = triangle(type, n, how);
	struct matrix b = random_matrix(type, 6, 3, (size_t)STACK, rows, cols);
	struct matrix x = random_matrix(type, 7, 3, (size_t)STACK, rows, cols);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, type, TIMING_FULL, &e);
	const struct blas_trsm g = { STACK, n, sides, how & UPPER,
	                             how & UNIT, NULL, false, false };
	const struct blas_part of_t = { seq_input(s, &t), 0, n, n * n,
	                                how & T_TURNED };
	const struct blas_part of_x = { seq_output(s, &x), 0, cols, n * sides,
	                                how & X_TURNED };

	seq_copy(s, seq_input(s, &b), 0, of_x.b, 0, matrix_size(&b));
	blas_trsm(s, &g, &of_t, &of_x);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	check(&t, &b, &x, how, STACK, n, sides);
	matrix_fini(&t);
	matrix_fini(&b);
	matrix_fini(&x);
}

START_TEST(every_triangle_is_solved)
{
	static const size_t sizes[][2] = {
		{ 1, 1 }, { 3, 70 }, { 63, 5 }, { 64, 64 }, { 65, 3 },
		{ 150, 65 }, { 200, 16 }, { 300, 7 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int how = 0; how < HOWS; how++) {
			one(FLOAT32, sizes[i][0], sizes[i][1], how);
			one(FLOAT64, sizes[i][0], sizes[i][1], how);
		}
}
END_TEST

/* So many rows are solved in blocks, between which products update the rest. */
START_TEST(many_rows_are_solved_in_blocks)
{
	for (int how = 0; how < HOWS; how += UPPER | X_TURNED) {
		one(FLOAT32, 1100, 3, how);
		one(FLOAT64, 1100, 3, how ^ UPPER);
		one(FLOAT32, 1100, 35, how ^ UPPER);
	}
}
END_TEST

/* The same by the inverses of diagonal blocks, for the first matrix. */
static void by_blocks(enum dtype type, size_t n, size_t sides, int how)
{
	struct matrix t = triangle(type, n, how);
	struct matrix b = random_matrix(type, 6, 3, (size_t)STACK, n, sides);
	struct matrix z = random_matrix(type, 7, 3, (size_t)STACK, n, sides);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, type, TIMING_FULL, &e);
	const struct blas_trsm g = { 1, n, sides, how & UPPER, how & UNIT,
	                             NULL, false, false };
	const struct blas_part of_t = { seq_input(s, &t), 0, n, n * n,
	                                how & T_TURNED };
	const struct blas_part of_x = { seq_scratch(s, matrix_size(&b)), 0,
	                                sides, n * sides, false };
	const struct blas_part of_z = { seq_output(s, &z), 0, sides,
	                                n * sides, false };

	seq_copy(s, seq_input(s, &b), 0, of_x.b, 0, matrix_size(&b));
	blas_trsm_blocks(s, &g, &of_t, &of_x, &of_z,
	                 seq_scratch(s, blas_trsm_blocks_bytes(n, type)));
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	check(&t, &b, &z, how, 1, n, sides);
	matrix_fini(&t);
	matrix_fini(&b);
	matrix_fini(&z);
}

START_TEST(inverses_of_blocks_solve_every_triangle)
{
	static const size_t sizes[][2] = {
		{ 1, 1 }, { 65, 3 }, { 256, 20 }, { 257, 33 }, { 600, 40 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int how = 0; how < X_TURNED; how++) {
			by_blocks(FLOAT32, sizes[i][0], sizes[i][1], how);
			by_blocks(FLOAT64, sizes[i][0], sizes[i][1], how);
		}
}
END_TEST

void trsm_tests(TCase *c);

void trsm_tests(TCase *c)
{
	tcase_add_test(c, every_triangle_is_solved);
	tcase_add_test(c, many_rows_are_solved_in_blocks);
	tcase_add_test(c, inverses_of_blocks_solve_every_triangle);
}
