/* derived.c - what was computed from a stored matrix stays on the device, as
 * long as the call that computed it did not fail. */
#include "tests/ops/op.h"

void transpose_derived(TCase *t);

enum { COUNT_OF = 100, NUMBER = 7 };

static struct seq *open_seq(struct err *e)
{
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, e);

	ck_assert_ptr_nonnull(s);
	return s;
}

/* Looks for what is derived from the contents with that number, and writes it
 * if it is not known. Returns whether it is known. */
static bool derive(struct matrix *m, uint64_t stored, int number)
{
	int32_t numbers[COUNT_OF], found[COUNT_OF];
	struct err e = { 0 };
	struct seq *s = open_seq(&e);
	bool known;
	struct buf b;

	m->memory->stored = stored;
	for (int i = 0; i < COUNT_OF; i++)
		numbers[i] = (int32_t)stored * 1000 + number * 100 + i;
	b = seq_derived(s, m, number, sizeof numbers, &known);
	if (!known)
		seq_write(s, b, 0, numbers, sizeof numbers);
	seq_read(s, b, 0, found, sizeof found);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	ck_assert_msg(!memcmp(numbers, found, sizeof found), "other numbers");
	return known;
}

START_TEST(what_is_derived_from_a_stored_matrix_stays)
{
	struct matrix m = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)4);

	ck_assert(!derive(&m, 2001, NUMBER));
	ck_assert(derive(&m, 2001, NUMBER));
	ck_assert(!derive(&m, 2001, NUMBER + 1));
	ck_assert(!derive(&m, 2002, NUMBER));
	ck_assert(derive(&m, 2001, NUMBER));
	ck_assert(derive(&m, 2002, NUMBER));
	ck_assert(!derive(&m, 0, NUMBER));
	ck_assert(!derive(&m, 0, NUMBER));
	matrix_fini(&m);
}
END_TEST

START_TEST(nothing_of_a_failed_call_stays)
{
	struct matrix m = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)4);
	struct err e = { 0 };
	struct seq *s = open_seq(&e);
	bool known;

	m.memory->stored = 2003;
	ck_assert(seq_derived(s, &m, NUMBER, sizeof(int32_t) * COUNT_OF,
	                      &known).id);
	seq_launch(s, "no_such_kernel", GRID1(1, 1), ARG_INT(1));
	ck_refused(seq_finish(s), &e, ERR_INTERNAL);
	seq_free(s);
	ck_assert(!derive(&m, 2003, NUMBER));
	matrix_fini(&m);
}
END_TEST

/* Else the first one, which nobody fills, might be kept. */
START_TEST(a_call_that_asks_twice_gets_one_buffer)
{
	struct matrix m = random_matrix(FLOAT32, 5, 2, (size_t)9, (size_t)4);
	struct err e = { 0 };
	struct seq *s = open_seq(&e);
	const size_t bytes = sizeof(int32_t) * COUNT_OF;
	struct buf first, second;
	bool known;

	m.memory->stored = 2004;
	first = seq_derived(s, &m, NUMBER, bytes, &known);
	ck_assert(first.id && !known);
	second = seq_derived(s, &m, NUMBER, bytes, &known);
	ck_assert_int_eq(second.id, first.id);
	ck_assert(!known);
	ck_assert_int_ne(seq_derived(s, &m, NUMBER + 1, bytes, &known).id,
	                 first.id);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	matrix_fini(&m);
}
END_TEST

void transpose_derived(TCase *t)
{
	tcase_add_test(t, what_is_derived_from_a_stored_matrix_stays);
	tcase_add_test(t, nothing_of_a_failed_call_stays);
	tcase_add_test(t, a_call_that_asks_twice_gets_one_buffer);
}
