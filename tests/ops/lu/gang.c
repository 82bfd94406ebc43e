/* gang.c - P A = L U by several devices: as exact as by one, whatever the
 * sizes and the number of devices. */
#include <stdlib.h>

#include "tests/ops/gang.h"
#include "tests/ops/lu/lu.h"

static const char *const devices[] = { "2", "3", "5" };
static const enum dtype reals[] = { FLOAT32, FLOAT64 };

/* The factors may differ from one device's by rounding errors alone, and the
 * estimate may not exceed what LAPACK's tests allow. */
static void check(const struct matrix *m, const char *parts)
{
	struct args a;
	double ratio;

	op_run("lu", m, 1, &a, "devices", parts, "return",
	       "lu,pivots,singular,sign,p", NULL);
	ratio = factors_ratio(m, &a.out[LU], &a.out[PIVOTS]);
	ck_assert_msg(ratio < THRESHOLD, "%s devices, %s, %zux%zu: ratio %g",
	              parts, dtype_name(m->dtype), m->dim[0], m->dim[1],
	              ratio);
	ck_assert_msg(a.verdict.residual < THRESHOLD, "%s devices, %s, "
	              "%zux%zu: said ratio %g", parts, dtype_name(m->dtype),
	              m->dim[0], m->dim[1], a.verdict.residual);
	ck_assert_int_eq(matrix_get(&a.out[SINGULAR], 0), 0);
	args_fini(&a);
}

static void check_size(size_t rows, size_t cols)
{
	for (size_t i = 0; i < COUNT(devices) * COUNT(reals); i++) {
		const char *parts = devices[i / COUNT(reals)];
		struct matrix m;

		if (size_min(rows, cols) <= 64 * (size_t)(atoi(parts) - 1))
			continue;
		m = random_matrix(reals[i % COUNT(reals)],
		                  (unsigned)(rows + 3 * cols), 2, rows, cols);
		check(&m, parts);
		matrix_fini(&m);
	}
}

START_TEST(squares_of_every_size)
{
	static const size_t n[] = { 65, 127, 128, 129, 191, 192, 193, 257, 300,
	                            384, 385, 513, 700 };

	for (size_t i = 0; i < COUNT(n); i++)
		check_size(n[i], n[i]);
}
END_TEST

START_TEST(wide_and_tall_matrices)
{
	static const size_t sides[][2] = {
		{ 100, 130 }, { 130, 200 }, { 128, 1000 }, { 150, 333 },
		{ 320, 321 }, { 65, 640 }, { 257, 640 },
	};

	for (size_t i = 0; i < COUNT(sides); i++) {
		check_size(sides[i][0], sides[i][1]);
		check_size(sides[i][1], sides[i][0]);
	}
}
END_TEST

void lu_add_gang_tests(TCase *t)
{
	tcase_add_test(t, squares_of_every_size);
	tcase_add_test(t, wide_and_tall_matrices);
}
