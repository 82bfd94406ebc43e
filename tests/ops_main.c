/* ops_main.c - the test cases of every operation, on one device. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/host.h"
#include "tests/ops/ahead.h"
#include "tests/ops/cancelled.h"
#include "tests/ops/gang.h"
#include "tests/ops/op.h"

struct memory_pool *test_pool;
struct device *test_device;
size_t test_memory;

static struct matrix new_matrix(enum dtype t, int ndim, va_list ap)
{
	struct matrix m = { .dtype = t, .ndim = ndim };
	struct err e = { 0 };

	for (int i = 0; i < ndim; i++)
		m.dim[i] = va_arg(ap, size_t);
	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	return m;
}

struct matrix random_matrix(enum dtype t, unsigned seed, int ndim, ...)
{
	uint64_t x = seed * UINT64_C(2654435769) + 1;
	struct matrix m;
	va_list ap;

	va_start(ap, ndim);
	m = new_matrix(t, ndim, ap);
	va_end(ap);
	for (size_t i = 0, n = matrix_elements(&m); i < n; i++) {
		x = x * UINT64_C(6364136223846793005) +
		    UINT64_C(1442695040888963407);
		matrix_set(&m, i, (double)(x >> 11) * 0x1p-52 - 1);
	}
	return m;
}

struct matrix matrix_of(enum dtype t, const double *values, int ndim, ...)
{
	struct matrix m;
	va_list ap;

	va_start(ap, ndim);
	m = new_matrix(t, ndim, ap);
	va_end(ap);
	for (size_t i = 0, n = matrix_elements(&m); i < n; i++)
		matrix_set(&m, i, values[i]);
	return m;
}

double *real_elements(const struct matrix *m, size_t at, size_t n)
{
	double *x = malloc((n + 1) * sizeof *x);

	ck_assert_ptr_nonnull(x);
	for (size_t i = 0; i < n; i++)
		x[i] = matrix_get(m, at + i);
	return x;
}

/* Is the name in the list, whose names are separated by commas? */
static bool names(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strcspn(at, ",") == length &&
		    strncmp(at, name, length) == 0)
			return true;
	}
	return false;
}

/* Sets a common parameter, which a test may name beside the operation's own. */
static int set_common(struct args *a, const char *name, const char *value,
                      int *dtype)
{
	enum dtype d;

	if (strcmp(name, "variant") == 0)
		return (a->variant = op_variant(a->op, value)) ? 0 : -1;
	if (strcmp(name, "dtype") == 0) {
		*dtype = dtype_find(value, &d) < 0 ? -1 : (int)d;
		return *dtype < 0 ? -1 : 0;
	}
	if (strcmp(name, "quality") == 0) {
		a->quality = strcmp(value, "full") == 0 ? QUALITY_FULL :
		             strcmp(value, "none") == 0 ? QUALITY_NONE :
		             QUALITY_ESTIMATE;
		return 0;
	}
	if (strcmp(name, "return") != 0)
		return -1;
	a->want = 0;
	for (int i = 0; a->op->outputs[i].name; i++)
		a->want |= (unsigned)names(value, a->op->outputs[i].name) << i;
	return 0;
}

static int set_all(struct args *a, va_list ap, int *dtype, struct err *e)
{
	const char *name, *value;

	while ((name = va_arg(ap, const char *))) {
		int i = op_param(a->op, name);

		value = va_arg(ap, const char *);
		if (i >= 0 ? args_set(a, i, value, e) < 0 :
		    set_common(a, name, value, dtype) < 0)
			return err_set(e, ERR_PARAMETER, "%s: no parameter %s "
			               "can be %s", a->op->name, name, value);
	}
	return 0;
}

/* The test device's sheet, with operands copied or not as the test has set. */
static struct sheet sheet_now(void)
{
	struct sheet s = *device_sheet(test_device);

	s.unified_memory = s.unified_memory && !device_copies;
	return s;
}

struct need need_now(const struct args *a)
{
	const struct sheet s = sheet_now();

	return args_need(a, a->variant, &s);
}

/* Bytes that buffers of matrices without elements may add. */
enum { EMPTY = 64 };

/* Asserts that the call took no more device memory than was computed before. */
static void check_need(const struct args *a, const struct seq *s,
                       const struct need *n)
{
	size_t all, largest;

	seq_memory(s, &all, &largest);
	ck_assert_msg(all <= n->bytes + EMPTY && largest <= n->largest,
	              "%s, variant %s: %zu bytes, %zu in one piece, are more "
	              "than %zu and %zu", a->op->name, a->variant->name, all,
	              largest, n->bytes, n->largest);
	if (!a->gang.part)
		test_memory = all;
}

/* Asserts for every call of the tests that its progress lies within 0 and 1. */
static void check_progress(void *arg, double done)
{
	const struct args *a = arg;

	ck_assert_msg(done >= 0 && done <= 1, "%s, variant %s: progress %g",
	              a->op->name, a->variant->name, done);
}

/* Asserts that every kernel that is reported has the time of at least one call,
 * even if the sequence failed before its events were read. */
static void check_timing(const struct args *a, struct seq *s)
{
	struct timing t;

	seq_timing(s, &t);
	for (int i = 0; i < t.n_kernels; i++)
		ck_assert_msg(t.kernel[i].timed >= 1 &&
		              t.kernel[i].timed <= t.kernel[i].calls &&
		              t.kernel[i].min_ns <= t.kernel[i].max_ns,
		              "%s, variant %s: %s: %llu of %llu calls timed",
		              a->op->name, a->variant->name, t.kernel[i].name,
		              (unsigned long long)t.kernel[i].timed,
		              (unsigned long long)t.kernel[i].calls);
}

int part_on_device(struct device *d, struct args *a,
                   bool (*cancelled)(void *arg), void *arg, struct err *e)
{
	struct need n;
	struct seq *s;
	int rc;

	a->variant = variant_for(a, NULL, device_sheet(d), e);
	if (!a->variant)
		return -1;
	s = seq_new(d, a->dtype, TIMING_FULL, e);
	if (!s)
		return -1;
	n = need_now(a);
	seq_on_progress(s, check_progress, a);
	seq_on_cancel(s, cancelled, arg);
	rc = op_execute(s, a);
	check_need(a, s, &n);
	check_timing(a, s);
	seq_free(s);
	return rc;
}

static int run_on_device(struct args *a, struct err *e)
{
	if (gang_asked(a) > 1)
		return gang_on_devices(a, e);
	return part_on_device(test_device, a, test_cancel_at ? test_cancelled :
	                      NULL, NULL, e);
}

static int prepare(struct args *a, int dtype, struct err *e)
{
	if (args_settle_dtype(a, dtype, e) < 0)
		return -1;
	for (int i = 0; a->op->inputs[i].name; i++)
		if (a->in[i].ndim != MATRIX_ABSENT &&
		    matrix_convert(&a->in[i], args_operand_dtype(a, i),
		                   test_pool, e) < 0)
			return -1;
	return args_settle_layout(a, test_pool, e) < 0 ? -1 :
	       args_prepare(a, test_pool, e);
}

int op_try(const char *name, const struct matrix *in, int n_in,
           struct args *a, struct err *e, ...)
{
	int dtype = -1, rc;
	va_list ap;

	args_init(a, op_find(name));
	for (int i = 0; i < n_in; i++) {
		a->in[i] = in[i];
		memory_ref(in[i].memory);
		memory_ref(in[i].index);
	}
	va_start(ap, e);
	rc = set_all(a, ap, &dtype, e);
	va_end(ap);
	if (rc == 0)
		rc = prepare(a, dtype, e);
	if (rc == 0)
		rc = run_on_device(a, e);
	if (rc < 0)
		args_fini(a);
	return rc;
}

void each_variant(const char *op, void (*fn)(const struct variant *v))
{
	for (const struct variant *v = op_find(op)->variants; v->name; v++)
		if (v->dtypes & DTYPE_REALS && !v->streams &&
		    !variant_lacks(v, device_sheet(test_device)))
			fn(v);
}

void variant_survives_failing_calls(const char *name, const char *variant,
                                    const struct matrix *in, int n_in)
{
	int calls = 0, rc = -1;

	for (; rc != 0; calls++) {
		struct err e = { 0 };
		struct args a;

		device_calls_left = calls;
		rc = op_try(name, in, n_in, &a, &e,
		            variant ? "variant" : NULL, variant, NULL);
		device_calls_left = -1;
		ck_assert_msg(rc == 0 || e.code == ERR_DEVICE ||
		              e.code == ERR_MEMORY, "call %d: %s", calls,
		              e.text);
		ck_assert_int_lt(calls, 2000);
		if (rc == 0)
			args_fini(&a);
	}
	ck_assert_int_gt(calls, 3);
}

void op_survives_failing_calls(const char *name, const struct matrix *in,
                               int n_in)
{
	variant_survives_failing_calls(name, NULL, in, n_in);
}

/* Opens the device whose index is in LINALGD_TEST_DEVICE, with the user's cache
 * of programs, and compiles the kernels of the case that is to be run. Without
 * this variable it opens the first device, without a cache. */
static struct device *open_device(struct err *e)
{
	const char *index = getenv("LINALGD_TEST_DEVICE");
	const char *name = getenv("CK_RUN_CASE");
	char path[HOST_PATH];
	const char *cache = index ? host_default_cache(path) : NULL;
	struct device *d = device_open(index ? atoi(index) : 0, cache, e);

	if (d && cache)
		ahead(d, cache, name ? name : "");
	return d;
}

/* Check calls _mark_point() for every assertion that holds, and so writes its
 * place to a file, for tests in a process of their own that crash. These tests
 * have none, and assert of millions of elements: Makefile puts this function
 * into that one's place. */
void __wrap__mark_point(const char *file, int line);

void __wrap__mark_point(const char *file, int line)
{
	(void)file;
	(void)line;
}

/* Adds a case with the tag "apart" if no daemon needs the kernels that it alone
 * launches, and else with the tag "operations". tests/run runs the cases with
 * the tag "apart" after the others, with what these have compiled, while the
 * daemons' tests run. */
static void add(Suite *s, TCase *tc, const char *name)
{
	static const char apart[] =
	    "reduce,compile,lu_gang,solve_gang,qr_gang,eigen_gang";

	tcase_set_tags(tc, names(apart, name) ? "apart" : "operations");
	suite_add_tcase(s, tc);
}

static Suite *new_suite(void)
{
	Suite *s = suite_create("operations");

#define OP(id) add(s, tcase_##id(), #id);
#include "ops/ops.def"
	OP(need)
	OP(cut)
	OP(programs)
	OP(compile)
	OP(blas)
	OP(lapack)
	OP(tridiagonal)
	OP(polar)
	OP(symmetric)
	OP(hessenberg)
	OP(halves)
	OP(halves_copied)
	OP(steps)
	OP(steps_copied)
	OP(complex)
	OP(complex_lapack)
	OP(complex_range)
	OP(blocks)
	OP(cancelled)
	OP(sliced)
	OP(wiped)
	OP(board)
	OP(lu_gang)
	OP(lu_streamed)
	OP(cholesky_streamed)
	OP(solve_gang)
	OP(solve_streamed)
	OP(qr_gang)
	OP(eigen_gang)
#undef OP
	return s;
}

int main(int argc, char **argv)
{
	struct err e = { 0 };
	SRunner *sr;
	int failed;

	if (argc == 5 && strcmp(argv[1], "--compile") == 0)
		return ahead_compile(argv + 2);
	test_pool = memory_pool_new((size_t)8 << 30, &e);
	if (test_pool)
		test_device = open_device(&e);
	if (!test_device) {
		fprintf(stderr, "ops: %s\n", e.text);
		return 1;
	}
	printf("device: %s\n", device_sheet(test_device)->name);
	sr = srunner_create(new_suite());
	srunner_set_fork_status(sr, CK_NOFORK);	/* fork() breaks contexts */
	srunner_run_all(sr, CK_ENV);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	gang_close();
	device_close(test_device);
	memory_pool_free(test_pool);
	return failed != 0;
}
