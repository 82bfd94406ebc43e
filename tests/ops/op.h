/* op.h - what the tests of operations share: a device, sample matrices,
 * and calls that need no daemon. */
#ifndef TESTS_OPS_OP_H
#define TESTS_OPS_OP_H

#include "device/device.h"
#include "device/seq.h"
#include "ops/execute.h"
#include "ops/need.h"
#include "ops/variant.h"
#include "tests/test.h"

extern struct device *test_device;

/* Bytes of the device's memory that the last call took. */
extern size_t test_memory;

/* What a call will take, with operands copied or not as the test has set. */
struct need need_now(const struct args *a);
TCase *tcase_need(void), *tcase_cut(void), *tcase_programs(void);
TCase *tcase_compile(void), *tcase_blas(void), *tcase_tridiagonal(void);
TCase *tcase_polar(void), *tcase_symmetric(void), *tcase_hessenberg(void);
TCase *tcase_halves(void), *tcase_halves_copied(void);
TCase *tcase_steps(void), *tcase_steps_copied(void), *tcase_lapack(void);
TCase *tcase_blocks(void), *tcase_cancelled(void), *tcase_sliced(void);
TCase *tcase_wiped(void), *tcase_board(void);
TCase *tcase_lu_gang(void), *tcase_lu_streamed(void);
TCase *tcase_cholesky_streamed(void);
TCase *tcase_solve_gang(void), *tcase_solve_streamed(void);
TCase *tcase_qr_gang(void);
TCase *tcase_eigen_gang(void);
TCase *tcase_complex(void), *tcase_complex_lapack(void);
TCase *tcase_complex_range(void);

/* Every operation must have a test case, or this does not link. */
#define OP(id) TCase *tcase_##id(void);
#include "ops/ops.def"
#undef OP

/* Uniform in (-1, 1), the same for the same seed; ndim dimensions follow. */
struct matrix random_matrix(enum dtype t, unsigned seed, int ndim, ...);
struct matrix matrix_of(enum dtype t, const double *values, int ndim, ...);

/* Returns n elements from that index on, for free(). */
double *real_elements(const struct matrix *m, size_t at, size_t n);

/* Calls operation `name` as the daemon does: parameters as text, name and
 * value in turn, ended by NULL (variant, dtype, quality and return too).
 * Operands are borrowed. */
int op_try(const char *name, const struct matrix *in, int n_in,
           struct args *a, struct err *e, ...);

/* The same, but asserts success. */
#define op_run(name, in, n_in, a, ...)                                     \
	do {                                                               \
		struct err op_err = { 0 };                                 \
		int op_rc = op_try((name), (in), (n_in), (a), &op_err,     \
		                   __VA_ARGS__);                           \
		ck_assert_msg(op_rc == 0, "%s: %s", (name), op_err.text);  \
	} while (0)

/* Runs fn for every variant of the operation that computes in reals and that
 * this device can run, except those that stream matrices, which do not compute
 * every call. */
void each_variant(const char *op, void (*fn)(const struct variant *v));

/* Makes every OpenCL call fail in turn, until the operation succeeds. The
 * second function does so in a named variant. */
void op_survives_failing_calls(const char *name, const struct matrix *in,
                               int n_in);
void variant_survives_failing_calls(const char *name, const char *variant,
                                    const struct matrix *in, int n_in);

/* A fixture: no machine code counts as noted in PoCL's cache (device/there.c)
 * while a test runs. */
void forget_notes(void);
void restore_notes(void);

#endif
