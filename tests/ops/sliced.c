/* sliced.c - launches that are divided into slices (ARG_FIRST() in
 * device/seq.h) give the same bits as whole ones, and the call can be cancelled
 * between two slices, after which the next one is right. Each device runs the
 * variants that it can. */
#include "tests/ops/cancelled.h"
#include "tests/ops/op.h"

/* An operand of no dimensions is absent. */
static const struct call {
	const char *op, *variant;
	struct { int ndim; size_t dim[3]; } in[2];
	const char *parameters[4];
	size_t slice;			/* work-groups */
} calls[] = {
#define DENSE_(m, n) { 2, { m, n } }
#define STACK_(s, m, n) { 3, { s, m, n } }
	{ "matmul", "packed", { DENSE_(400, 500), DENSE_(500, 450) }, { 0 },
	  1 },
	{ "matmul", "packed", { DENSE_(700, 2000), DENSE_(2000, 16) }, { 0 },
	  1 },
	{ "matmul", "packed", { DENSE_(20, 70000), DENSE_(70000, 20) }, { 0 },
	  3 },
	{ "matmul", "packed", { STACK_(9, 30, 40), STACK_(9, 40, 50) }, { 0 },
	  2 },
	{ "matmul", "packed", { DENSE_(900, 700), DENSE_(700, 1) }, { 0 }, 1 },
	{ "matmul", "packed", { DENSE_(900, 700), DENSE_(900, 1) },
	  { "transpose_a", "true" }, 1 },
	{ "matmul", "register-tile", { DENSE_(150, 90), DENSE_(90, 200) },
	  { 0 }, 2 },
	{ "matmul", "register-tile", { STACK_(3, 70, 8), STACK_(3, 8, 300) },
	  { 0 }, 1 },
	{ "matmul", "register-tile", { DENSE_(600, 600), DENSE_(600, 4) },
	  { 0 }, 2 },
	{ "matmul", "register-tile", { DENSE_(9, 600), DENSE_(600, 4) }, { 0 },
	  5 },
	{ "matmul", "naive", { DENSE_(30, 20), DENSE_(20, 40) }, { 0 }, 3 },
	{ "matmul", "local-tile", { DENSE_(30, 20), DENSE_(20, 400) }, { 0 },
	  7 },
	{ "matmul", "subgroup-broadcast", { DENSE_(30, 20), DENSE_(20, 400) },
	  { 0 }, 7 },
	{ "matmul", "tensor", { DENSE_(3100, 400), DENSE_(400, 3000) }, { 0 },
	  1 },
	{ "matmul", "tensor", { STACK_(70, 300, 64), STACK_(70, 64, 300) },
	  { 0 }, 1 },
	{ "kron", "rows", { DENSE_(70, 20), DENSE_(60, 30) }, { 0 }, 1 },
	{ "kron", "rows", { STACK_(5, 7, 8), STACK_(5, 9, 4) }, { 0 }, 2 },
	{ "transpose", "blocked", { STACK_(3, 1100, 130) }, { 0 }, 2 },
	{ "reduce", "canonical", { DENSE_(300, 5000) }, { 0 }, 5 },
	{ "reduce", "canonical", { STACK_(4, 3000, 70) },
	  { "axis", "1", "op", "norm2" }, 3 },
	{ "reduce", "canonical-group", { STACK_(4, 3000, 70) },
	  { "axis", "1" }, 3 },
	{ "reduce", "canonical-group", { DENSE_(40, 9000) }, { "axis", "1" },
	  3 },
	{ "eigen", "fused", { STACK_(100, 12, 12) },
	  { "which", "all", "structure", "symmetric" }, 1 },
	{ "svd", "jacobi", { STACK_(7, 20, 12) }, { 0 }, 2 },
	{ "qr", "blocked", { STACK_(7, 20, 12) }, { 0 }, 2 },
	{ "cholesky", "tiled", { STACK_(30, 12, 12) }, { 0 }, 1 },
	{ "solve", "blocked", { STACK_(600, 9, 9), STACK_(600, 9, 2) },
	  { "structure", "general" }, 1 },
	{ "inverse", "tiled", { STACK_(2, 200, 200) }, { 0 }, 3 },
	{ "lu", "blocked", { STACK_(600, 9, 9) }, { 0 }, 1 },
	{ "lu", "blocked", { DENSE_(300, 300) }, { 0 }, 1 },
};

/* A random matrix; squares are symmetric and positive definite. */
static struct matrix operand(const struct call *c, int i, enum dtype t)
{
	const int ndim = c->in[i].ndim;
	const size_t *d = c->in[i].dim, m = d[ndim - 2], n = d[ndim - 1];
	struct matrix x = ndim == 2 ? random_matrix(t, 5, 2, d[0], d[1]) :
	                              random_matrix(t, 5, 3, d[0], d[1], d[2]);

	for (size_t e = 0; m == n && e < matrix_elements(&x); e++) {
		const size_t base = e / (n * n) * n * n, at = e - base;
		const size_t row = at / n, column = at % n;

		if (row == column)
			matrix_set(&x, e, (double)n);
		else if (row > column)
			matrix_set(&x, e,
			           matrix_get(&x, base + column * n + row));
	}
	return x;
}

/* No launch has as many work-groups. Without a size of slices, a slow machine
 * would divide launches that take long. */
static const size_t WHOLE = SIZE_MAX;

/* Runs the call in slices of that many work-groups, and cancels it at that
 * look. */
static enum err_code run(const struct call *c, enum dtype t, size_t slice,
                         int cancel_at, struct args *a)
{
	const int count = c->in[1].ndim ? 2 : 1;
	struct matrix in[2];
	struct err e = { 0 };
	int rc;

	for (int i = 0; i < count; i++)
		in[i] = operand(c, i, t);
	test_looks = 0;
	test_cancel_at = cancel_at;
	device_slice = slice;
	rc = op_try(c->op, in, count, a, &e, "variant", c->variant, "quality",
	            "none", c->parameters[0], c->parameters[1],
	            c->parameters[0] ? c->parameters[2] : NULL,
	            c->parameters[3], NULL);
	device_slice = 0;
	test_cancel_at = 0;
	for (int i = 0; i < count; i++)
		matrix_fini(&in[i]);
	ck_assert_msg(rc == 0 || e.code == ERR_DISMISSED, "%s: %s", c->op,
	              e.text);
	return e.code;
}

static void check_same_bits(const struct call *c, const struct args *a,
                            const struct args *b)
{
	for (int i = 0; i < OP_OUTPUTS; i++) {
		const struct matrix *x = &a->out[i], *y = &b->out[i];

		ck_assert_int_eq(x->ndim, y->ndim);
		if (x->ndim == MATRIX_ABSENT || matrix_size(x) == 0)
			continue;
		ck_assert_msg(!memcmp(x->memory->data, y->memory->data,
		                      matrix_size(x)), "%s, variant %s: other "
		              "bits of output %d in slices of %zu", c->op,
		              c->variant, i, c->slice);
	}
}

static bool runs(const struct call *c, enum dtype t)
{
	return variant_runs(op_variant(op_find(c->op), c->variant), t,
	                    device_sheet(test_device));
}

START_TEST(slices_give_the_same_bits_also_after_a_cancelled_call)
{
	const struct call *c = &calls[_i];
	const enum dtype types[] = { FLOAT32, FLOAT64 };

	for (int t = 0; t < 2; t++) {
		struct args whole, sliced, left, after;
		int looks;

		if (!runs(c, types[t]))
			continue;
		/* The first call also looks while kernels are compiled. */
		ck_assert_int_eq(run(c, types[t], WHOLE, INT32_MAX,
		                     &whole), ERR_NONE);
		args_fini(&whole);
		ck_assert_int_eq(run(c, types[t], WHOLE, INT32_MAX,
		                     &whole), ERR_NONE);
		looks = test_looks;
		ck_assert_int_eq(run(c, types[t], c->slice, INT32_MAX,
		                     &sliced), ERR_NONE);
		ck_assert_msg(!test_looks_are_exact() || test_looks > looks,
		              "%s, variant %s: %d looks in slices, %d looks "
		              "without", c->op, c->variant, test_looks, looks);
		check_same_bits(c, &whole, &sliced);
		looks = test_looks_are_exact() ? test_looks / 2 : 1;
		ck_assert_int_eq(run(c, types[t], c->slice, looks, &left),
		                 ERR_DISMISSED);
		ck_assert_int_eq(run(c, types[t], c->slice, INT32_MAX,
		                     &after), ERR_NONE);
		check_same_bits(c, &whole, &after);
		args_fini(&after);
		args_fini(&whole);
		args_fini(&sliced);
	}
}
END_TEST

TCase *tcase_sliced(void)
{
	TCase *t = tcase_create("sliced");

	tcase_add_loop_test(t,
	    slices_give_the_same_bits_also_after_a_cancelled_call, 0,
	    COUNT(calls));
	return t;
}
