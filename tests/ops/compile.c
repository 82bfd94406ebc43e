/* compile.c - machine code is made before it is needed by another process,
 * which computes nothing with it, and is made once. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/size.h"
#include "device/programs.h"
#include "ops/eigen/seed.h"
#include "tests/ops/op.h"

enum { N = 70 };

/* What ask() was asked for, and what it answers. */
static struct {
	int asked;
	struct launch last;
	enum elsewhere answer;
	struct device *compiler;	/* compiles it; NULL: no one does */
} other;

static void ask_nobody(void)
{
	memset(&other, 0, sizeof other);
}

static struct device *open_device(void)
{
	struct err e = { 0 };
	struct device *d = device_open(device_sheet(test_device)->index, NULL,
	                               &e);

	ck_assert_msg(d != NULL, "%s", e.text);
	return d;
}

static enum elsewhere ask(void *arg, struct device *d, const struct launch *l,
                          int64_t worked_ns)
{
	struct err e = { 0 };

	(void)arg;
	ck_assert_int_ge(worked_ns, 0);
	other.asked++;
	other.last = *l;
	if (other.compiler) {
		ck_assert_msg(device_compile(other.compiler, l, &e) == 0,
		              "%s: %s", program_name(l->kernel), e.text);
		device_note(d, launch_key(d, l), false);
	}
	return other.answer;
}

static int call(struct device *d, struct args *a, int64_t *compile_ns,
                struct err *e)
{
	struct seq *s = seq_new(d, a->dtype, TIMING_NONE, e);
	struct timing t;
	int rc;

	rc = op_execute(s, a);
	seq_timing(s, &t);
	seq_free(s);
	*compile_ns = t.compile_ns;
	return rc;
}

/* Makes a call of that operation, variant and size; false if there is none. */
static bool make_call(struct args *a, const struct op *o,
                      const struct variant *v, enum dtype t, size_t n)
{
	struct err e = { 0 };

	args_init(a, o);
	a->dtype = t;
	a->variant = v;
	return o->sample(a, n, test_pool, &e) == 0 &&
	       args_check(a, &e) == 0 &&
	       variant_fit(v, a, device_sheet(test_device), &e) == 0 &&
	       args_alloc(a, test_pool, &e) == 0;
}

/* Makes a call that launches few kernels and whose answer is known. */
static void make_product(struct args *a)
{
	const struct op *o = op_find("matmul");

	ck_assert(make_call(a, o, op_variant(o, "naive"), FLOAT32, N));
}

static bool is_product(const struct args *a)
{
	double sum = 0;

	for (size_t k = 0; k < N; k++)
		sum += matrix_get(&a->in[0], k) * matrix_get(&a->in[1], k * N);
	return fabs(matrix_get(&a->out[0], 0) - sum) < 1e-3;
}

START_TEST(what_was_launched_once_is_compiled_no_more)
{
	struct device *d = open_device();
	struct err e = { 0 };
	struct args a;
	int64_t first, second;

	make_product(&a);
	ck_ok(call(d, &a, &first, &e), &e);
	ck_ok(call(d, &a, &second, &e), &e);
	ck_assert_int_gt(first, 0);
	ck_assert_int_eq(second, 0);
	device_compile_elsewhere(d, ask, NULL);
	ck_ok(call(d, &a, &second, &e), &e);
	ck_assert_int_eq(other.asked, 0);
	ck_assert(is_product(&a));
	args_fini(&a);
	device_close(d);
}
END_TEST

START_TEST(a_call_ends_where_others_are_to_compile_first)
{
	struct device *d = open_device();
	struct err e = { 0 }, none = { 0 };
	struct args a;
	int64_t ns;

	if (!device_compiles_at_launch(d)) {
		device_close(d);
		return;
	}
	device_compile_elsewhere(d, ask, NULL);
	other.answer = ELSEWHERE_LATER;
	make_product(&a);
	ck_assert_int_lt(call(d, &a, &ns, &e), 0);
	ck_assert_int_eq(e.code, ERR_NOT_READY);
	ck_assert_int_eq(other.asked, 1);
	ck_ok(device_compile(d, &other.last, &none), &none);
	ck_ok(call(d, &a, &ns, &none), &none);
	ck_assert_int_eq(other.asked, 1);
	ck_assert(is_product(&a));
	args_fini(&a);
	device_close(d);
}
END_TEST

static void check_outputs(const struct args *a, const struct args *before)
{
	ck_assert_uint_eq(a->want, before->want);
	ck_assert_uint_eq(a->real, before->real);
	ck_assert_uint_eq(a->shorter, before->shorter);
	for (int i = 0; i < OP_OUTPUTS; i++) {
		const struct matrix *m = &a->out[i], *was = &before->out[i];

		ck_assert_int_eq(m->dtype, was->dtype);
		ck_assert_int_eq(m->ndim, was->ndim);
		for (int k = 0; k < m->ndim; k++)
			ck_assert_uint_eq(m->dim[k], was->dim[k]);
	}
}

/* Because the same call may begin again, by another variant. */
START_TEST(a_call_that_was_not_ready_leaves_its_outputs_as_they_were)
{
	struct device *d = open_device();
	int late = 0;

	device_compile_elsewhere(d, ask, NULL);
	other.answer = ELSEWHERE_LATER;
	for (int i = 0; i < OPS; i++)
		for (const struct variant *v = ops[i]->variants; v->name; v++) {
			struct err e = { 0 };
			struct args a, before;
			int64_t ns;

			if (!variant_runs(v, FLOAT64, device_sheet(d)))
				continue;
			if (make_call(&a, ops[i], v, FLOAT64, N)) {
				before = a;
				call(d, &a, &ns, &e);
				late += e.code == ERR_NOT_READY;
				if (e.code)
					check_outputs(&a, &before);
			}
			args_fini(&a);
		}
	ck_assert(late > 0 || !device_compiles_at_launch(d));
	device_close(d);
}
END_TEST

START_TEST(what_one_process_launched_others_find_noted)
{
	struct device *d = open_device(), *later, *beside = open_device();
	struct err e = { 0 };
	struct args a;
	int64_t ns;
	uint64_t key;

	if (!device_compiles_at_launch(d)) {
		device_close(d);
		device_close(beside);
		return;
	}
	device_compile_elsewhere(d, ask, NULL);
	other.answer = ELSEWHERE_NOT;
	make_product(&a);
	ck_ok(call(d, &a, &ns, &e), &e);
	key = launch_key(d, &other.last);
	later = open_device();
	ck_assert(device_noted(later, key));
	ck_assert(!device_noted(beside, key));
	device_notes_refresh(beside);
	ck_assert(device_noted(beside, key));
	args_fini(&a);
	device_close(d);
	device_close(later);
	device_close(beside);
}
END_TEST

START_TEST(other_work_groups_and_wide_grids_are_other_code)
{
	struct device *d = open_device();
	struct launch l = { .kernel = program_place("matmul_naive"),
	                    .dtype = FLOAT32, .local = { 16, 16, 1 } };
	const uint64_t key = launch_key(d, &l);
	const bool apart = device_compiles_at_launch(d);

	l.local[0] = 8;
	ck_assert_int_eq(launch_key(d, &l) != key, apart);
	l.local[0] = 16;
	l.wide = 2;
	ck_assert_int_eq(launch_key(d, &l) != key, apart);
	l.wide = 0;
	ck_assert_uint_eq(launch_key(d, &l), key);
	l.dtype = FLOAT64;
	ck_assert_uint_ne(launch_key(d, &l), key);
	device_close(d);
}
END_TEST

/* Idle launches of every kernel that samples need must end, and the device must
 * compute right afterwards. */
START_TEST(every_kernel_compiles_without_work)
{
	static const size_t sizes[] = { 1, 40, 41, 200, 520 };
	const struct op *const o = ops[_i / DTYPE_COUNT];
	const enum dtype t = (enum dtype)(_i % DTYPE_COUNT);
	struct device *d = open_device();

	other.compiler = open_device();
	other.answer = ELSEWHERE_DONE;
	device_compile_elsewhere(d, ask, NULL);
	for (const struct variant *v = o->variants; v->name; v++)
		for (size_t i = 0; i < COUNT(sizes) &&
		     variant_runs(v, t, device_sheet(d)); i++) {
			struct err e = { 0 };
			struct args a;
			int64_t ns;

			if (make_call(&a, o, v, t, sizes[i]))
				call(d, &a, &ns, &e);
			ck_assert_msg(e.code != ERR_DEVICE &&
			              e.code != ERR_INTERNAL &&
			              e.code != ERR_NOT_READY, "%s", e.text);
			args_fini(&a);
		}
	device_close(other.compiler);
	device_close(d);
}
END_TEST

TCase *tcase_compile(void)
{
	TCase *c = tcase_create("compile");

	tcase_set_timeout(c, 600);
	tcase_add_checked_fixture(c, forget_notes, restore_notes);
	tcase_add_checked_fixture(c, ask_nobody, NULL);
	tcase_add_test(c, what_was_launched_once_is_compiled_no_more);
	tcase_add_test(c, a_call_ends_where_others_are_to_compile_first);
	tcase_add_test(c,
	    a_call_that_was_not_ready_leaves_its_outputs_as_they_were);
	tcase_add_test(c, what_one_process_launched_others_find_noted);
	tcase_add_test(c, other_work_groups_and_wide_grids_are_other_code);
	tcase_add_loop_test(c, every_kernel_compiles_without_work, 0,
	                    OPS * DTYPE_COUNT);
	return c;
}
