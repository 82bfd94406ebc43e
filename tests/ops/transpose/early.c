/* early.c - operands that are sent ahead to a device with memory of its own:
 * bytes that came early are not uploaded again, and no operand is taken for
 * another. */
#include "tests/ops/op.h"

void transpose_early(TCase *t);

enum { N = 600 };
static const size_t half = N / 2 * N * sizeof(float);

static struct err e;

static struct matrix operand(uint64_t name)
{
	struct matrix m = random_matrix(FLOAT32, 5, 2, (size_t)N, (size_t)N);

	e = (struct err){ 0 };
	m.memory->upload_id = name;
	return m;
}

static void expect_half(const struct matrix *a)
{
	device_expect(test_device, a->memory, half / 2);
	device_expect(test_device, a->memory, half);
}

/* B = A^T, which shows A as it is on the device. */
static struct matrix flipped(const struct matrix *a)
{
	struct matrix b = random_matrix(FLOAT32, 6, 2, (size_t)N, (size_t)N);
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_SUMMARY, &e);

	ck_assert_ptr_nonnull(s);
	seq_launch(s, "transpose_tile", GRID2(N, N, 16, 16),
	           ARG_BUF(seq_input(s, a)), ARG_BUF(seq_output(s, &b)),
	           ARG_INT(N), ARG_INT(N));
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	return b;
}

/* How many of the first rows on the device are from before change(). */
static size_t early_rows(const struct matrix *a)
{
	struct matrix b = flipped(a);
	size_t rows = 0;

	for (size_t i = 0; i < N; i++) {
		size_t same = 0;

		for (size_t j = 0; j < N; j++)
			same += matrix_get(a, i * N + j) ==
			        matrix_get(&b, j * N + i);
		ck_assert(same == N || (same == 0 && rows == i));
		rows += same == 0;
	}
	matrix_fini(&b);
	return rows;
}

/* Changes an announced matrix, which never happens outside of this test: rows
 * of the result that lack the change were uploaded before it. */
static void change(struct matrix *m)
{
	float *x = matrix_data(m);

	for (size_t i = 0; i < (size_t)N * N; i++)
		x[i] += 1000;
}

START_TEST(only_the_rest_is_uploaded)
{
	struct matrix a = operand(11);

	device_copies = true;
	expect_half(&a);
	change(&a);
	ck_assert_uint_eq(early_rows(&a), N / 2);
	ck_assert_uint_eq(early_rows(&a), 0);
	expect_half(&a);
	device_expect(test_device, a.memory, 2 * half);
	change(&a);
	ck_assert_uint_eq(early_rows(&a), N);
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

START_TEST(other_contents_have_another_name)
{
	struct matrix a = operand(21);

	device_copies = true;
	expect_half(&a);
	change(&a);
	a.memory->upload_id = 22;
	ck_assert_uint_eq(early_rows(&a), 0);
	a.memory->upload_id = 0;
	ck_assert_uint_eq(early_rows(&a), 0);
	expect_half(&a);
	change(&a);
	ck_assert_uint_eq(early_rows(&a), 0);
	a.memory->upload_id = 23;
	device_expect(test_device, a.memory, 2 * half + 1);
	ck_assert_uint_eq(early_rows(&a), 0);
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

/* As when a body ends early, or a job is dismissed. */
START_TEST(who_never_calls_makes_way)
{
	struct matrix a = operand(31);

	device_copies = true;
	for (uint64_t i = 0; i < 20; i++) {
		a.memory->upload_id = 31 + i;
		expect_half(&a);
	}
	change(&a);
	a.memory->upload_id = 31;
	ck_assert_uint_eq(early_rows(&a), 0);
	a.memory->upload_id = 50;
	ck_assert_uint_eq(early_rows(&a), N / 2);
	a.memory->upload_id = 51;
	device_expect(test_device, a.memory, half);
	change(&a);
	ck_assert_uint_eq(early_rows(&a), 0);
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

START_TEST(what_cannot_be_sent_ahead_is_sent_later)
{
	struct matrix a = operand(0);

	device_copies = true;
	for (int calls = 0; calls < 8; calls++) {
		a.memory->upload_id = 101 + (uint64_t)calls;
		device_calls_left = calls;
		expect_half(&a);
		device_calls_left = -1;
		ck_assert_uint_eq(early_rows(&a), 0);
	}
	device_copies = false;
	matrix_fini(&a);
}
END_TEST

START_TEST(a_device_that_shares_the_hosts_memory_needs_none)
{
	const bool shares = device_sheet(test_device)->type == DEVICE_CPU;
	struct matrix a = operand(41);

	expect_half(&a);
	change(&a);
	if (shares)
		ck_assert_uint_eq(early_rows(&a), 0);
	matrix_fini(&a);
}
END_TEST

void transpose_early(TCase *t)
{
	tcase_add_test(t, only_the_rest_is_uploaded);
	tcase_add_test(t, other_contents_have_another_name);
	tcase_add_test(t, who_never_calls_makes_way);
	tcase_add_test(t, what_cannot_be_sent_ahead_is_sent_later);
	tcase_add_test(t, a_device_that_shares_the_hosts_memory_needs_none);
}
