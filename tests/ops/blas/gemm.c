/* gemm.c - C = alpha op(A) op(B) + beta C on parts of buffers, for every kind
 * of shape, transpose and tile; nothing outside C may change. */
#include "ops/blas/gemm.h"
#include "tests/ops/op.h"

enum { STACK = 2, MARGIN = 3 };

/* Makes room for an m x n part of a matrix, with a margin on all sides. */
static struct matrix room_for(enum dtype t, unsigned seed, size_t m, size_t n)
{
	return random_matrix(t, seed, 3, (size_t)STACK, m + 2 * MARGIN,
	                     n + 2 * MARGIN);
}

static struct blas_part part_of(const struct matrix *x, struct buf b,
                                bool transposed)
{
	const size_t ld = matrix_cols(x);

	return (struct blas_part){ b, MARGIN * ld + MARGIN, ld,
	                           matrix_rows(x) * ld, transposed };
}

static double get(const struct matrix *x, const struct blas_part *p,
                  size_t s, size_t i, size_t j)
{
	return matrix_get(x, p->at + s * p->step + (p->transposed ?
	                  j * p->ld + i : i * p->ld + j));
}

/* Returns the largest error in units of (k + 2) eps times the sum of
 * magnitudes, which is at most k + 2. If an element outside C has changed,
 * returns infinity. */
static double error_of(const struct blas_gemm *g, const struct matrix x[4],
                       const struct blas_part p[3], enum dtype t)
{
	const size_t rows = matrix_rows(&x[2]), cols = matrix_cols(&x[2]);
	double worst = 0;

	for (size_t e = 0; e < matrix_elements(&x[2]); e++) {
		const size_t s = e / rows / cols;
		const size_t i = e / cols % rows - MARGIN;
		const size_t j = e % cols - MARGIN;
		const double old = matrix_get(&x[2], e);
		double sum = 0, error;

		if (i >= g->m || j >= g->n || (g->lower && i < j)) {
			if (matrix_get(&x[3], e) != old)
				return INFINITY;
			continue;
		}
		for (size_t q = 0; q < g->k; q++)
			sum += get(&x[0], &p[0], s, i, q) *
			       get(&x[1], &p[1], s, q, j);
		error = fabs(matrix_get(&x[3], e) -
		             (g->alpha * sum + g->beta * old));
		worst = fmax(worst, error);
	}
	return worst / ((double)(g->k + 2) * (double)(g->k + 2) *
	                dtype_epsilon(t));
}

static void one(enum dtype t, const struct blas_gemm *g, bool ta, bool tb)
{
	struct matrix x[4] = {
		ta ? room_for(t, 1, g->k, g->m) : room_for(t, 1, g->m, g->k),
		tb ? room_for(t, 2, g->n, g->k) : room_for(t, 2, g->k, g->n),
		room_for(t, 3, g->m, g->n), room_for(t, 3, g->m, g->n),
	};
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, t, TIMING_NONE, &e);
	const struct blas_part p[3] = {
		part_of(&x[0], seq_input(s, &x[0]), ta),
		part_of(&x[1], seq_input(s, &x[1]), tb),
		part_of(&x[2], seq_output(s, &x[3]), false),
	};

	seq_copy(s, seq_input(s, &x[2]), 0, p[2].b, 0, matrix_size(&x[2]));
	blas_gemm(s, g, &p[0], &p[1], &p[2]);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	ck_assert_msg(error_of(g, x, p, t) <= 1, "%zu x %zu x %zu, tile %zu, "
	              "transposed %d %d, lower %d: %g", g->m, g->n, g->k,
	              g->tile, ta, tb, g->lower, error_of(g, x, p, t));
	for (int i = 0; i < 4; i++)
		matrix_fini(&x[i]);
}

START_TEST(every_part_is_multiplied_and_nothing_else)
{
	static const size_t sizes[][3] = {
		{ 1, 1, 1 }, { 3, 2, 5 }, { 5, 7, 0 }, { 64, 64, 16 },
		{ 65, 63, 17 }, { 128, 129, 33 }, { 200, 70, 40 },
	};

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int how = 0; how < 32; how++) {
			const struct blas_gemm g = {
				STACK, sizes[i][0], sizes[i][1], sizes[i][2],
				how & 1 ? -1 : 0.5, how & 2 ? 1 : 0,
				how & 4, how & 1 ? 128 : 64, NULL, 0
			};

			one(FLOAT32, &g, how & 8, how & 16);
			one(FLOAT64, &g, how & 8, how & 16);
		}
}
END_TEST

/* On a CPU by packing op(B): one block of C, edges, and several blocks of rows,
 * of columns and of the sum. */
START_TEST(cpus_have_a_kernel_of_their_own)
{
	static const size_t sizes[][3] = { { 64, 64, 16 }, { 65, 63, 17 },
	                                   { 13, 300, 40 }, { 250, 17, 40 } };
	const struct blas_gemm large = { STACK, 245, 140, 260, -1, 1, false,
	                                 0, NULL, 0 };

	for (size_t i = 0; i < COUNT(sizes); i++)
		for (int how = 0; how < 8; how++) {
			const struct blas_gemm g = {
				STACK, sizes[i][0], sizes[i][1], sizes[i][2],
				how & 1 ? -1 : 0.5, 1, false, 0, NULL, 0
			};

			one(FLOAT32, &g, how & 2, how & 4);
			one(FLOAT64, &g, how & 2, how & 4);
		}
	one(FLOAT64, &large, false, false);
	one(FLOAT32, &large, true, true);
}
END_TEST

/* C must not be read, because NaN times 0 is NaN. */
START_TEST(beta_0_overwrites_nan)
{
	struct matrix x = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)4);
	struct matrix c = random_matrix(FLOAT64, 1, 2, (size_t)4, (size_t)4);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT64, TIMING_NONE, &e);
	const struct blas_part a = { .b = seq_input(s, &x), .ld = 4 };
	const struct blas_part to = { .b = seq_output(s, &c), .ld = 4 };
	const double nan = NAN;

	seq_fill(s, to.b, 0, matrix_size(&c), &nan, sizeof nan);
	blas_gemm(s, &(struct blas_gemm){ .stack = 1, .m = 4, .n = 4, .k = 4,
	                                  .alpha = 1 }, &a, &a, &to);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	for (size_t i = 0; i < 16; i++)
		ck_assert(isfinite(matrix_get(&c, i)));
	matrix_fini(&x);
	matrix_fini(&c);
}
END_TEST

void trsm_tests(TCase *c), blas_tensor_tests(TCase *c), reflect_tests(TCase *c);

TCase *tcase_blas(void)
{
	TCase *c = tcase_create("blas");

	tcase_set_timeout(c, 600);
	tcase_add_test(c, every_part_is_multiplied_and_nothing_else);
	tcase_add_test(c, cpus_have_a_kernel_of_their_own);
	tcase_add_test(c, beta_0_overwrites_nan);
	trsm_tests(c);
	blas_tensor_tests(c);
	reflect_tests(c);
	return c;
}
