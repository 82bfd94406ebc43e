/* steps.c - runs pipelines on the device, and checks results, the memory of
 * intermediates, and the times of steps. */
#include <string.h>

#include "matrix/received.h"
#include "ops/steps.h"
#include "tests/ops/complex.h"
#include "tests/ops/steps.h"

static struct err e;
static double told;
static bool shares;
static int left;			/* intermediates that still had memory
					 * after the last step */

static void in_place(void)
{
	device_copies = false;
	e = (struct err){ 0 };
	told = 0;
}

static void copied(void)
{
	in_place();
	device_copies = true;
}

struct step *steps_add(struct pipeline *p, int k, const char *op)
{
	static const char *const names[] = { "p", "q", "r", "s", "t" };

	step_init(&p->step[k], names[k], op_find(op));
	p->step[k].place = k;
	return &p->step[k];
}

void steps_feed(struct step *s, int i, int step, int output)
{
	s->from[i] = (struct source){ .step = step,
	                                .output = output };
	s->args.in[i].ndim = 0;
}

void steps_give(struct step *s, int i, const struct matrix *m, int operand)
{
	s->from[i] = (struct source){ .step = -1,
	                                .output = operand };
	s->args.in[i] = matrix_ref(m);
}

/* Does what a worker does with a received pipeline: gives memory to the
 * intermediates, and makes operands refer to the memory of their sources. */
static void connect(struct pipeline *p)
{
	for (int k = 0; k < p->n; k++) {
		struct step *s = &p->step[k];

		for (int i = 0; i < OP_INPUTS; i++)
			if (step_is_fed(s, i))
				s->args.in[i].memory = memory_ref(
				    step_source(p, s, i)->memory);
		for (int i = 0; i < OP_OUTPUTS; i++) {
			struct matrix *m = &s->args.out[i];

			if (m->ndim != MATRIX_ABSENT && !m->memory)
				m->memory = received_new(matrix_size(m), &e);
		}
	}
}

static int choose(void *arg, struct args *a, struct err *why)
{
	(void)arg;
	a->variant = variant_for(a, NULL, device_sheet(test_device), why);
	return a->variant ? 0 : -1;
}

static void progress(void *arg, double done)
{
	(void)arg;
	ck_assert(done >= told && done <= 1 + 1e-9);
	told = done;
}

static int count_intermediates(const struct pipeline *p)
{
	int n = 0;

	for (int k = 0; k < p->n; k++)
		for (int i = 0; i < OP_OUTPUTS; i++) {
			const struct memory *m = p->step[k].args.out[i].memory;

			n += m && m->own;
		}
	return n;
}

int steps_compute(struct args *a, struct pipeline *p, struct timing *t)
{
	struct sheet sheet = *device_sheet(test_device);
	struct args *step[PIPELINE_STEPS];
	struct steps s = { .step = step, .n = p->n, .choose = choose,
	                   .progress = progress };
	size_t all, largest;
	struct need n;
	int rc;

	if (pipeline_link(p, false, &e) < 0)
		return -1;
	pipeline_args(a, p);
	if (pipeline_prepare(a, test_pool, &e) < 0)
		return -1;
	sheet.unified_memory = sheet.unified_memory && !device_copies;
	n = args_need(a, a->op->variants, &sheet);
	connect(p);
	for (int k = 0; k < p->n; k++)
		step[k] = &p->step[k].args;
	told = 0;
	s.seq = seq_new(test_device, FLOAT64, TIMING_FULL, &e);
	rc = steps_execute(&s);
	seq_timing(s.seq, t);
	for (int k = 0; rc == 0 && k < p->n; k++)
		p->step[k].compute_ns = seq_step_ns(s.seq, k);
	seq_memory(s.seq, &all, &largest);
	ck_assert_uint_le(largest, n.largest);
	ck_assert_uint_le(all, n.bytes + 64);
	test_memory = all;
	shares = seq_shares_memory(s.seq);
	seq_free(s.seq);
	left = count_intermediates(p);
	pipeline_collect(a);
	return rc;
}

static double element(const struct matrix *m, size_t i, size_t j)
{
	return matrix_get(m, i * m->dim[1] + j);
}

static double product_at(const struct matrix *a, const struct matrix *b,
                         size_t i, size_t j)
{
	double sum = 0;

	for (size_t l = 0; l < a->dim[1]; l++)
		sum += element(a, i, l) * element(b, l, j);
	return sum;
}

/* A pipeline of n products, "p" = a b, "q" = p a, "r" = q b and so on, whose
 * last step is another operation; that step's first output is returned. */
static struct pipeline *chain(int n, const char *last, const struct matrix *a,
                              const struct matrix *b)
{
	struct pipeline *p = pipeline_new(n, &e);

	for (int k = 0; k < n; k++) {
		struct step *s = steps_add(p, k, k == n - 1 ? last : "matmul");

		s->args.quality = QUALITY_NONE;
		if (k == 0)
			steps_give(s, 0, a, 0);
		else
			steps_feed(s, 0, k - 1, 0);
		steps_give(s, 1, k % 2 ? a : b, k % 2 ? 0 : 1);
	}
	ck_ok(pipeline_return(p, (struct source){ .step = n - 1 }, "x",
	                      &e), &e);
	return p;
}

START_TEST(a_product_feeds_a_product)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)70, (size_t)70);
	struct matrix b = random_matrix(FLOAT64, 2, 2, (size_t)70, (size_t)70);
	struct pipeline *p = chain(2, "matmul", &a, &b);
	struct timing t;
	struct args c;

	ck_ok(steps_compute(&c, p, &t), &e);
	ck_assert_int_eq(c.out[0].ndim, 2);
	for (size_t i = 0; i < 70; i += 23)
		for (size_t j = 0; j < 70; j += 17) {
			double want = 0;

			for (size_t l = 0; l < 70; l++)
				want += product_at(&a, &b, i, l) *
				        element(&a, l, j);
			ck_assert_double_eq_tol(element(&c.out[0], i, j), want,
			                        1e-10);
		}
	ck_assert_double_eq_tol(told, 1, 1e-9);
	args_fini(&c);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(complex_intermediates_are_those_of_single_calls)
{
	struct matrix x = random_complex(COMPLEX64, 1, 20, 20);
	struct args c[3];
	struct timing t;

	ck_ok(steps_compute(&c[0], chain(2, "solve", &x, &x), &t), &e);
	op_run("matmul", ((struct matrix[]){ x, x }), 2, &c[1], NULL);
	op_run("solve", ((struct matrix[]){ c[1].out[0], x }), 2, &c[2], NULL);
	for (size_t i = 0; i < 400; i++)
		ck_assert(complex_at(&c[0].out[0], i) ==
		          complex_at(&c[2].out[0], i));
	for (int i = 0; i < 3; i++)
		args_fini(&c[i]);
	matrix_fini(&x);
}
END_TEST

/* Every row of a kernel names its step, and the steps' times add up to at most
 * the time of the pipeline. */
START_TEST(a_step_has_its_own_times)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)90, (size_t)90);
	struct pipeline *p = chain(3, "matmul", &a, &a);
	int64_t sum = 0;
	bool seen[3] = { false };
	struct timing t;
	struct args c;

	ck_ok(steps_compute(&c, p, &t), &e);
	for (int i = 0; i < t.n_kernels; i++)
		seen[t.kernel[i].step] = true;
	for (int k = 0; k < 3; k++) {
		ck_assert(seen[k]);
		ck_assert_int_gt(p->step[k].compute_ns, 0);
		sum += p->step[k].compute_ns;
	}
	ck_assert_int_le(sum, t.compute_ns);
	args_fini(&c);
	matrix_fini(&a);
}
END_TEST

/* Without operands and outputs in the host's memory, a chain needs two
 * intermediates and two operands at a time, however long it is. */
START_TEST(an_intermediate_is_freed_after_its_last_use)
{
	struct matrix a = random_matrix(FLOAT64, 1, 2, (size_t)64, (size_t)64);
	size_t three, five;
	struct timing t;
	struct args c;

	ck_ok(steps_compute(&c, chain(3, "matmul", &a, &a), &t), &e);
	three = test_memory;
	args_fini(&c);
	ck_ok(steps_compute(&c, chain(5, "matmul", &a, &a), &t), &e);
	five = test_memory;
	args_fini(&c);
	ck_assert_uint_eq(three, five);
	matrix_fini(&a);
}
END_TEST

/* The pivots are int64 as lu's output and float64 as solve's operand, and the
 * host reads both. */
START_TEST(factors_feed_a_solution)
{
	const size_t n = 40;
	struct matrix a = random_matrix(FLOAT64, 3, 2, n, n);
	struct matrix b = random_matrix(FLOAT64, 4, 2, n, (size_t)2);
	const struct op *solve = op_find("solve");
	struct pipeline *p = pipeline_new(3, &e);
	struct timing t;
	struct args c;
	struct step *s;

	s = steps_add(p, 0, "matmul");
	steps_give(s, 0, &a, 0);
	steps_give(s, 1, &a, 0);
	s = steps_add(p, 1, "lu");
	steps_feed(s, 0, 0, 0);
	s = steps_add(p, 2, "solve");
	steps_feed(s, op_input(solve, "factors"), 1, 0);
	steps_feed(s, op_input(solve, "pivots"), 1,
	           op_output(op_find("lu"), "pivots"));
	steps_give(s, op_input(solve, "b"), &b, 1);
	ck_ok(pipeline_return(p, (struct source){ .step = 2 }, "x", &e), &e);
	ck_ok(pipeline_return(p, (struct source){ .step = 0 }, "p", &e), &e);
	ck_ok(steps_compute(&c, p, &t), &e);
	for (size_t i = 0; i < n; i++)
		ck_assert_double_eq_tol(product_at(&c.out[1], &c.out[0], i, 1),
		                        element(&b, i, 1), 1e-7);
	args_fini(&c);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* The host computes the trace of a small matrix, and reads the intermediate's
 * elements for it. */
START_TEST(types_flow_from_step_to_step)
{
	struct matrix a = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)9);
	struct matrix b = random_matrix(FLOAT64, 6, 2, (size_t)9, (size_t)9);
	struct pipeline *p = pipeline_new(3, &e);
	struct step *s = steps_add(p, 0, "transpose");
	double want = 0;
	struct timing t;
	struct args c;

	steps_give(s, 0, &a, 0);
	s = steps_add(p, 1, "matmul");
	steps_feed(s, 0, 0, 0);
	steps_give(s, 1, &b, 1);
	s = steps_add(p, 2, "trace");
	steps_feed(s, 0, 1, 0);
	ck_ok(pipeline_return(p, (struct source){ .step = 2 }, "t", &e), &e);
	ck_ok(steps_compute(&c, p, &t), &e);
	ck_assert_int_eq(p->step[0].args.dtype, FLOAT32);
	ck_assert_int_eq(p->step[1].args.dtype, FLOAT64);
	for (size_t i = 0; i < 9; i++)
		for (size_t j = 0; j < 9; j++)
			want += element(&a, j, i) * element(&b, j, i);
	ck_assert_double_eq_tol(matrix_get(&c.out[0], 0), want, 1e-12);
	args_fini(&c);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(a_failing_step_ends_the_pipeline)
{
	struct matrix a = random_matrix(FLOAT64, 7, 2, (size_t)5, (size_t)5);
	struct pipeline *p = pipeline_new(3, &e);
	struct step *s = steps_add(p, 0, "transpose");
	struct timing t;
	struct args c;

	for (size_t i = 0; i < 25; i++)
		matrix_set(&a, i, i % 6 ? 0 : -1);
	steps_give(s, 0, &a, 0);
	s = steps_add(p, 1, "cholesky");
	steps_feed(s, 0, 0, 0);
	s = steps_add(p, 2, "trace");
	steps_feed(s, 0, 1, 0);
	ck_ok(pipeline_return(p, (struct source){ .step = 2 }, "t", &e), &e);
	ck_assert_int_eq(steps_compute(&c, p, &t), -1);
	ck_assert_int_eq(e.code, ERR_NOT_POSITIVE);
	args_fini(&c);
	matrix_fini(&a);
}
END_TEST

/* Where intermediates lie in the host's memory, those are left that the last
 * step has used. */
START_TEST(intermediates_are_freed_while_the_pipeline_runs)
{
	enum { N = 5 };
	struct matrix a = random_matrix(FLOAT64, 8, 2, (size_t)40, (size_t)40);
	struct pipeline *p = chain(N, "matmul", &a, &a);
	struct timing t;
	struct args c;

	ck_ok(steps_compute(&c, p, &t), &e);
	ck_assert_int_eq(left, shares ? 1 : N - 1);
	args_fini(&c);
	matrix_fini(&a);
}
END_TEST

static TCase *all_of(const char *name, void (*setup)(void))
{
	TCase *c = tcase_create(name);

	tcase_add_checked_fixture(c, setup, in_place);
	tcase_add_test(c, a_product_feeds_a_product);
	tcase_add_test(c, complex_intermediates_are_those_of_single_calls);
	tcase_add_test(c, a_step_has_its_own_times);
	tcase_add_test(c, factors_feed_a_solution);
	tcase_add_test(c, types_flow_from_step_to_step);
	tcase_add_test(c, a_failing_step_ends_the_pipeline);
	tcase_add_test(c, intermediates_are_freed_while_the_pipeline_runs);
	return c;
}

TCase *tcase_steps(void)
{
	return all_of("steps", in_place);
}

TCase *tcase_steps_copied(void)
{
	TCase *c = all_of("steps_copied", copied);

	tcase_add_test(c, an_intermediate_is_freed_after_its_last_use);
	return c;
}
