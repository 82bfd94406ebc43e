/* cancelled.c - calls that are cancelled while LAPACK works for them, or while
 * the host and the device work in turns.
 *
 * Every call is run to its end first, which counts how often it looks whether
 * it was cancelled. Then it is cancelled at half of these looks, and must end
 * soon after. Without ops/lapack/escape.h a call looks once for each of its
 * matrices. */
#include <stdio.h>

#include "base/clock.h"
#include "tests/ops/cancelled.h"
#include "tests/ops/op.h"

_Atomic int test_looks;
int test_cancel_at;
static _Atomic int64_t cancelled_ns;

bool test_cancelled(void *arg)
{
	const bool cancelled = ++test_looks >= test_cancel_at;

	(void)arg;
	if (cancelled && !cancelled_ns)
		cancelled_ns = clock_ns();
	return cancelled;
}

bool test_looks_are_exact(void)
{
	return device_sheet(test_device)->unified_memory;
}

enum { LEAST = 8,			/* looks of every call */
       MORE = 40 };			/* after it was cancelled, at most */

/* An operand of zero rows is absent. */
static const struct call {
	const char *op;
	size_t shape[2][2];
	const char *parameters[4];
	bool definite;			/* the last operand */
} calls[] = {
	{ "eigen", { { 400, 400 } }, { "which", "all" }, false },
	{ "eigen", { { 400, 400 } },
	  { "which", "largest", "return", "eigenvalues,eigenvectors" }, false },
	{ "eigen", { { 400, 400 } },
	  { "which", "all", "structure", "symmetric" }, true },
	{ "eigen", { { 400, 400 } },
	  { "which", "largest", "structure", "symmetric" }, true },
	{ "eigen", { { 300, 300 }, { 300, 300 } }, { "which", "all" }, true },
	{ "qr", { { 300, 200 } }, { "pivot", "true" }, false },
	{ "qr", { { 300, 300 } }, { "mode", "thin" }, false },
	{ "lstsq", { { 100, 300 }, { 100, 3 } }, { NULL }, false },
	{ "svd", { { 300, 300 } }, { NULL }, false },
	{ "norm", { { 300, 300 } }, { "ord", "nuc" }, false },
	{ "cond", { { 300, 300 } }, { "ord", "2" }, false },
	{ "cond", { { 1200, 1200 } }, { "ord", "1" }, false },
	{ "pinv", { { 200, 300 } }, { NULL }, false },
	{ "expm", { { 200, 200 } }, { NULL }, false },
	{ "inverse", { { 1200, 1200 } }, { NULL }, false },
	{ "cholesky", { { 1200, 1200 } }, { NULL }, true },
	{ "lu", { { 300, 300 } }, { "variant", "streamed" }, false },
	{ "solve", { { 300, 300 }, { 300, 1 } }, { "variant", "streamed" },
	  false },
	{ "solve", { { 300, 300 }, { 300, 1 } },
	  { "structure", "symmetric", "quality", "none" }, false },
};

/* A random matrix; with a large diagonal if it shall be definite. */
static struct matrix operand(enum dtype t, unsigned seed, const size_t shape[2],
                             bool definite, bool symmetric)
{
	struct matrix m = random_matrix(t, seed, 2, shape[0], shape[1]);

	for (size_t i = 0; i < shape[0] && (definite || symmetric); i++)
		for (size_t j = 0; j <= i; j++)
			matrix_set(&m, i * shape[1] + j,
			    i == j && definite ? (double)shape[0] :
			    matrix_get(&m, j * shape[1] + i));
	return m;
}

/* Returns the error's code. */
static enum err_code run(const struct call *c, enum dtype t, int cancel_at)
{
	const bool symmetric = strcmp(c->op, "solve") == 0;
	const int count = c->shape[1][0] ? 2 : 1;
	struct matrix in[2];
	struct err e = { 0 };
	struct args a;

	for (int i = 0; i < count; i++)
		in[i] = operand(t, 3 + (unsigned)i, c->shape[i],
		                c->definite && i == count - 1,
		                symmetric && i == 0);
	test_looks = 0;
	test_cancel_at = cancel_at;
	cancelled_ns = 0;
	if (op_try(c->op, in, count, &a, &e, c->parameters[0],
	           c->parameters[1], c->parameters[2], c->parameters[3],
	           NULL) == 0)
		args_fini(&a);
	test_cancel_at = 0;
	for (int i = 0; i < count; i++)
		matrix_fini(&in[i]);
	return e.code;
}

START_TEST(calls_end_soon_after_they_were_cancelled)
{
	for (int t = 0; t < 2; t++) {
		const struct call *c = &calls[_i];
		const enum dtype type = t ? FLOAT64 : FLOAT32;
		const bool exact = test_looks_are_exact();
		int looks, at;

		/* The first call also looks while kernels are compiled. */
		ck_assert_int_eq(run(c, type, INT32_MAX), ERR_NONE);
		ck_assert_int_eq(run(c, type, INT32_MAX), ERR_NONE);
		looks = test_looks;
		at = exact ? looks / 2 : LEAST / 2;
		ck_assert_msg(looks >= (exact ? LEAST : LEAST * 3 / 4),
		              "%s looked %d times", c->op, looks);
		ck_assert_int_eq(run(c, type, at), ERR_DISMISSED);
		printf("%s, %s: %d looks; cancelled, it ended within %.1f ms\n",
		       c->op, dtype_name(type), looks,
		       (double)(clock_ns() - cancelled_ns) / 1e6);
		ck_assert_msg(!exact || test_looks <= at + MORE, "%s: %d looks "
		              "after it was cancelled", c->op,
		              test_looks - at);
	}
}
END_TEST

TCase *tcase_cancelled(void)
{
	TCase *t = tcase_create("cancelled");

	tcase_add_loop_test(t, calls_end_soon_after_they_were_cancelled, 0,
	                    COUNT(calls));
	return t;
}
