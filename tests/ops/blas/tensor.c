/* tensor.c - the products that blas_gemm() computes on tensor cores, where a
 * device has them, and the pieces that it cuts a lower triangle into, on every
 * device. Products of whole numbers are exact, so that every element must equal
 * the portable kernel's, and nothing outside C may change. */
#include "ops/blas/pieces.h"
#include "tests/ops/op.h"

enum { STACK = 2, MARGIN = 3, K = 100 };

/* C is a rectangle, or a lower triangle with one rectangle below its
 * diagonal. */
static const struct shape {
	size_t m, n;
} whole = { 1150, 1300 }, triangle = { 2450, 1100 };

enum way { PORTABLE, BY_PIECES, AS_USERS_DO, WAYS };

/* Makes an m x n part of whole numbers from -6 to 6, with a margin on all
 * sides. */
static struct matrix numbers(enum dtype t, unsigned seed, size_t m, size_t n)
{
	struct matrix x = random_matrix(t, seed, 3, (size_t)STACK,
	                                m + 2 * MARGIN, n + 2 * MARGIN);

	for (size_t e = 0; e < matrix_elements(&x); e++)
		matrix_set(&x, e, round(6 * matrix_get(&x, e)));
	return x;
}

static struct blas_part part_of(const struct matrix *x, struct buf b,
                                bool transposed)
{
	const size_t ld = matrix_cols(x);

	return (struct blas_part){ b, MARGIN * ld + MARGIN, ld,
	                           matrix_rows(x) * ld, transposed };
}

/* Without tensor cores all ways launch the same kernels; only BY_PIECES cuts a
 * triangle otherwise. */
static bool has_tensor_cores(void)
{
	return device_sheet(test_device)->nvidia_sm == TENSOR_SM;
}

/* On a device without tensor cores `room` is all zeros, and the portable kernel
 * computes the piece. */
struct run {
	struct seq *s;
	struct blas_tensor room;
};

static void launch(const struct blas_call *y, void *run)
{
	struct run *r = run;
	struct blas_gemm g = y->g;

	g.tensor = &r->room;
	blas_gemm(r->s, &g, &y->a, &y->b, &y->c);
}

static void by_pieces(struct run *r, const struct blas_call *x)
{
	const struct blas_tensor any = {
		.m = SIZE_MAX, .n = SIZE_MAX, .k = SIZE_MAX
	};
	struct blas_call y = *x;

	y.g.stack = 1;
	y.g.tensor = &any;
	for (int i = 0; i < STACK; i++) {
		blas_pieces(&y, launch, r);
		y.a.at += y.a.step;
		y.b.at += y.b.step;
		y.c.at += y.c.step;
	}
}

/* Sets *c to C as the device computes it. */
static void compute(const struct blas_gemm *g, const struct matrix x[3],
                    const bool turned[2], enum way way, struct matrix *c)
{
	struct err e = { 0 };
	struct run r = { .s = seq_new(test_device, c->dtype, TIMING_NONE,
	                              &e) };
	struct blas_call y = {
		*g, part_of(&x[0], seq_input(r.s, &x[0]), turned[0]),
		part_of(&x[1], seq_input(r.s, &x[1]), turned[1]),
		part_of(&x[2], seq_output(r.s, c), false),
	};

	seq_copy(r.s, seq_input(r.s, &x[2]), 0, y.c.b, 0, matrix_size(c));
	if (way != PORTABLE)
		r.room = blas_tensor_of(r.s, g);
	if (way == BY_PIECES && g->lower)
		by_pieces(&r, &y);
	else
		launch(&y, &r);
	ck_ok(seq_finish(r.s), &e);
	seq_free(r.s);
}

/* Are all elements equal? Zeros may differ in their sign. */
static bool same(const struct matrix *x, const struct matrix *y)
{
	for (size_t e = 0; e < matrix_elements(x); e++)
		if (matrix_get(x, e) != matrix_get(y, e))
			return false;
	return true;
}

static void one(enum dtype t, const struct shape *z, bool lower, bool ta,
                bool tb)
{
	const struct blas_gemm g = {
		.stack = STACK, .m = z->m, .n = z->n, .k = K,
		.alpha = lower ? -1 : 1, .beta = lower, .lower = lower,
		.tile = 64,
	};
	struct matrix x[3] = {
		ta ? numbers(t, 1, K, z->m) : numbers(t, 1, z->m, K),
		tb ? numbers(t, 2, z->n, K) : numbers(t, 2, K, z->n),
		numbers(t, 3, z->m, z->n),
	};
	const int ways = has_tensor_cores() ? WAYS : AS_USERS_DO;
	struct matrix c[WAYS];

	for (int i = 0; i < ways; i++) {
		c[i] = numbers(t, 4, z->m, z->n);
		compute(&g, x, (bool[]){ ta, tb }, (enum way)i, &c[i]);
		ck_assert_msg(same(&c[PORTABLE], &c[i]), "%s, way %d, lower "
		              "%d, transposed %d %d", dtype_name(t), i, lower,
		              ta, tb);
	}
	for (int i = 0; i < 3; i++)
		matrix_fini(&x[i]);
	for (int i = 0; i < ways; i++)
		matrix_fini(&c[i]);
}

START_TEST(large_products_of_whole_numbers_are_exact)
{
	for (int how = has_tensor_cores() ? 0 : 4; how < 8; how++) {
		const bool lower = how & 4;
		const struct shape *z = lower ? &triangle : &whole;

		one(FLOAT32, z, lower, how & 1, how & 2);
		one(FLOAT64, z, lower, how & 1, how & 2);
	}
}
END_TEST

void blas_tensor_tests(TCase *c);

void blas_tensor_tests(TCase *c)
{
	tcase_add_test(c, large_products_of_whole_numbers_are_exact);
}
