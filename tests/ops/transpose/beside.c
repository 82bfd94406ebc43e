/* beside.c - parts of an output that are complete are downloaded while the rest
 * is computed. */
#include <sched.h>
#include <string.h>

#include "base/clock.h"
#include "tests/ops/op.h"

void transpose_beside(TCase *t);

/* Elements of 4 bytes; a part has 1 MB, the least that is downloaded alone. */
enum { PART = 1 << 18, PARTS = 4, PART_BYTES = 4 * PART };

/* A sequence with a single output, whose memory is pinned. */
struct call {
	struct matrix m;
	struct err e;
	struct seq *s;
	struct buf b;
};

/* Downloads the matrix until its memory is pinned. */
static void pin(struct matrix *m)
{
	memory_unpin(m->memory);
	m->memory->pin.downloads = 0;
	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };
		struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);
		const float zero = 0;

		seq_fill(s, seq_output(s, m), 0, matrix_size(m), &zero,
		         sizeof zero);
		ck_ok(seq_finish(s), &e);
		seq_free(s);
	}
	ck_assert_ptr_nonnull(m->memory->pin.handle);
}

static void begin(struct call *c, bool deferred)
{
	*c = (struct call){ .m = random_matrix(FLOAT32, 1, 1,
	                                       (size_t)PARTS * PART) };
	device_copies = true;
	pin(&c->m);
	c->s = seq_new(test_device, FLOAT32, TIMING_TRACE, &c->e);
	ck_assert_ptr_nonnull(c->s);
	seq_defer(c->s, deferred);
	c->b = seq_output(c->s, &c->m);
}

static void end(struct call *c)
{
	seq_free(c->s);
	device_copies = false;
	memory_unpin(c->m.memory);
	matrix_fini(&c->m);
}

/* Sets part i to that value on the device. */
static void fill(struct call *c, int i, float value)
{
	seq_fill(c->s, c->b, (size_t)i * PART_BYTES, PART_BYTES, &value,
	         sizeof value);
}

static void done(struct call *c, int i)
{
	seq_output_done(c->s, c->b, (size_t)i * PART_BYTES,
	                (size_t)(i + 1) * PART_BYTES);
}

static float value_of(const struct call *c, int part)
{
	const volatile float *x = matrix_data(&c->m);

	return x[(size_t)(part + 1) * PART - 1];
}

/* Returns whether part i has that value on the host within some seconds. */
static bool arrives(const struct call *c, int i, float value)
{
	const int64_t last = clock_ns() + 20000000000;

	while (value_of(c, i) != value && clock_ns() < last)
		sched_yield();
	return value_of(c, i) == value;
}

static void finish(struct call *c)
{
	ck_ok(seq_finish(c->s), &c->e);
	for (int i = 0; i < PARTS; i++)
		ck_assert_double_eq(value_of(c, i), i + 1);
}

START_TEST(a_complete_part_arrives_before_the_others_are_computed)
{
	struct call c;

	begin(&c, false);
	ck_assert(seq_downloads_beside(c.s, c.b));
	for (int i = 0; i < PARTS; i++) {
		fill(&c, i, (float)(i + 1));
		done(&c, i);
		ck_assert(arrives(&c, i, (float)(i + 1)));
	}
	finish(&c);
	end(&c);
}
END_TEST

START_TEST(parts_may_grow_at_both_ends)
{
	static const int order[PARTS] = { 2, 3, 1, 0 };
	struct call c;

	begin(&c, false);
	for (int i = 0; i < PARTS; i++) {
		fill(&c, order[i], (float)(order[i] + 1));
		done(&c, order[i]);
		ck_assert(arrives(&c, order[i], (float)(order[i] + 1)));
	}
	finish(&c);
	end(&c);
}
END_TEST

/* Part 2 is not adjacent to part 0, and nothing is said of the others. */
START_TEST(what_is_left_arrives_at_the_end)
{
	struct call c;

	begin(&c, false);
	for (int i = 0; i < PARTS; i++)
		fill(&c, i, 0);
	fill(&c, 0, 1);
	done(&c, 0);
	fill(&c, 2, -1);
	done(&c, 2);
	for (int i = 1; i < PARTS; i++)
		fill(&c, i, (float)(i + 1));
	finish(&c);
	end(&c);
}
END_TEST

/* In a pipeline, whose steps only read it, an output stays on the device. */
START_TEST(an_output_that_may_stay_on_the_device_is_not_downloaded)
{
	struct call c;

	begin(&c, true);
	ck_assert(!seq_downloads_beside(c.s, c.b));
	fill(&c, 0, 1);
	done(&c, 0);
	seq_wait(c.s);
	ck_assert_double_eq(value_of(&c, 0), 0);
	end(&c);
}
END_TEST

START_TEST(other_buffers_and_other_memory_are_left_alone)
{
	struct call c;
	struct buf scratch;

	begin(&c, false);
	scratch = seq_scratch(c.s, PARTS * PART_BYTES);
	ck_assert(!seq_downloads_beside(c.s, scratch));
	seq_output_done(c.s, scratch, 0, PARTS * PART_BYTES);
	seq_output_done(c.s, (struct buf){ 0 }, 0, PART_BYTES);
	memory_unpin(c.m.memory);
	ck_assert(!seq_downloads_beside(c.s, c.b));
	for (int i = 0; i < PARTS; i++) {
		fill(&c, i, (float)(i + 1));
		done(&c, i);
	}
	finish(&c);
	end(&c);
}
END_TEST

/* More downloads than a sequence has room for: the rest arrive at the end. */
START_TEST(many_small_parts_arrive)
{
	enum { OUTPUTS = 3, PIECES = 16, PIECE = PART_BYTES };
	struct matrix m[OUTPUTS];
	struct err e = { 0 };
	struct seq *s;

	device_copies = true;
	for (int k = 0; k < OUTPUTS; k++) {
		m[k] = random_matrix(FLOAT32, 1, 1, (size_t)PIECES * PART);
		pin(&m[k]);
	}
	s = seq_new(test_device, FLOAT32, TIMING_FULL, &e);
	for (int i = 0; i < OUTPUTS * PIECES; i++) {
		const struct buf b = seq_output(s, &m[i % OUTPUTS]);
		const size_t at = (size_t)(i / OUTPUTS) * PIECE;
		const float value = (float)(i / OUTPUTS + 1);

		seq_fill(s, b, at, PIECE, &value, sizeof value);
		seq_output_done(s, b, at, at + PIECE);
	}
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	device_copies = false;
	for (int i = 0; i < OUTPUTS * PIECES; i++)
		ck_assert_double_eq(((float *)matrix_data(&m[i % OUTPUTS]))
		    [(size_t)(i / OUTPUTS) * PART], i / OUTPUTS + 1);
	for (int k = 0; k < OUTPUTS; k++) {
		memory_unpin(m[k].memory);
		matrix_fini(&m[k]);
	}
}
END_TEST

START_TEST(a_failure_while_a_part_arrives_is_survived)
{
	struct call c;

	begin(&c, false);
	fill(&c, 0, 1);
	done(&c, 0);
	err_set(&c.e, ERR_INTERNAL, "a failure");
	done(&c, 1);
	ck_assert_int_lt(seq_finish(c.s), 0);
	end(&c);
}
END_TEST

/* Every call of OpenCL fails once. */
START_TEST(a_call_that_fails_beside_a_download_is_survived)
{
	bool failed = true;

	for (int calls = 0; failed; calls++) {
		struct call c;

		begin(&c, false);
		device_calls_left = calls;
		for (int i = 0; i < PARTS; i++) {
			fill(&c, i, (float)(i + 1));
			done(&c, i);
		}
		failed = seq_finish(c.s) < 0;
		device_calls_left = -1;
		ck_assert(failed == (c.e.code != ERR_NONE));
		ck_assert(failed || value_of(&c, PARTS - 1) == PARTS);
		end(&c);
		ck_assert_int_lt(calls, 200);
	}
}
END_TEST

/* A square matrix of that operation and order, computed until the memory of the
 * answer is pinned, is then computed once more. */
static void answer_again(const struct variant *v, const char *op, size_t n)
{
	struct matrix a = random_matrix(FLOAT32, 9, 2, n, n);
	struct matrix first = { 0 };
	bool pinned = false;

	for (size_t i = 0; i < n; i++)
		matrix_set(&a, i * (n + 1), (double)n);
	device_copies = true;
	for (int i = 0; i < 3; i++) {
		struct args r;

		op_run(op, &a, 1, &r, "variant", v->name, NULL);
		if (i == 0)
			first = random_matrix(FLOAT32, 1, 2, n, n);
		if (i == 0)
			memcpy(matrix_data(&first), matrix_data(&r.out[0]),
			       matrix_size(&first));
		pinned = r.out[0].memory->pin.handle != NULL;
		ck_assert_mem_eq(matrix_data(&first), matrix_data(&r.out[0]),
		                 matrix_size(&first));
		args_fini(&r);
	}
	device_copies = false;
	ck_assert_msg(pinned || strcmp(v->origin, "LAPACK") == 0, "%s: %s",
	              op, v->name);
	matrix_fini(&first);
	matrix_fini(&a);
}

/* The smallest size whose result is downloaded in parts, if it is. */
enum { SMALL = 530 };

static void lu_again(const struct variant *v)
{
	answer_again(v, "lu", SMALL);
}

/* The variant `dataflow` factors the second one in several launches. */
static void cholesky_again(const struct variant *v)
{
	answer_again(v, "cholesky", SMALL);
	if (strcmp(v->name, "dataflow") == 0)
		answer_again(v, "cholesky", 1500);
}

/* The triangular solves are divided into blocks of 1024 rows. */
static void inverse_again(const struct variant *v)
{
	answer_again(v, "inverse", 1030);
}

START_TEST(operations_answer_the_same_beside_their_downloads)
{
	each_variant("lu", lu_again);
	each_variant("cholesky", cholesky_again);
	each_variant("inverse", inverse_again);
}
END_TEST

void transpose_beside(TCase *t)
{
	tcase_add_test(t,
	    a_complete_part_arrives_before_the_others_are_computed);
	tcase_add_test(t, parts_may_grow_at_both_ends);
	tcase_add_test(t, what_is_left_arrives_at_the_end);
	tcase_add_test(t,
	    an_output_that_may_stay_on_the_device_is_not_downloaded);
	tcase_add_test(t, other_buffers_and_other_memory_are_left_alone);
	tcase_add_test(t, many_small_parts_arrive);
	tcase_add_test(t, a_failure_while_a_part_arrives_is_survived);
	tcase_add_test(t, a_call_that_fails_beside_a_download_is_survived);
	tcase_add_test(t, operations_answer_the_same_beside_their_downloads);
}
