/* pinned.c - the memory of an output is pinned when it is used again. */
#include "tests/ops/op.h"

void transpose_pinned(TCase *t);

enum { N = 300 };

/* Returns a matrix of that many rows of N, whose memory may have been used
 * before, as if it had not been. */
static struct matrix fresh(size_t rows)
{
	struct matrix b = random_matrix(FLOAT32, 6, 2, rows, (size_t)N);

	memory_unpin(b.memory);
	b.memory->pin.downloads = 0;
	return b;
}

/* Computes B = A^T, in the region of B's memory that begins at element `at`. */
static void transposes_to(struct matrix *b, size_t at, unsigned seed)
{
	const struct region r = { at, N, N, N };
	struct matrix a = random_matrix(FLOAT32, seed, 2, (size_t)N, (size_t)N);
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, FLOAT32, TIMING_NONE, &e);
	size_t wrong = 0;

	ck_assert_ptr_nonnull(s);
	seq_launch(s, "transpose_tile", GRID2(N, N, 16, 16),
	           ARG_BUF(seq_input(s, &a)),
	           ARG_BUF(seq_output_region(s, b, &r)), ARG_INT(N),
	           ARG_INT(N));
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			wrong += matrix_get(&a, i * N + j) !=
			         matrix_get(b, at + j * N + i);
	ck_assert_uint_eq(wrong, 0);
	matrix_fini(&a);
}

START_TEST(the_second_output_of_a_memory_pins_it)
{
	struct matrix b = fresh(N);

	device_copies = true;
	transposes_to(&b, 0, 1);
	ck_assert_ptr_null(b.memory->pin.handle);
	transposes_to(&b, 0, 2);
	ck_assert_ptr_nonnull(b.memory->pin.handle);
	transposes_to(&b, 0, 3);
	device_copies = false;
	memory_unpin(b.memory);
	ck_assert_ptr_null(b.memory->pin.handle);
	matrix_fini(&b);
}
END_TEST

START_TEST(a_device_that_shares_the_memory_does_not_pin_it)
{
	struct matrix b = fresh(N);

	for (unsigned i = 0; i < 3; i++)
		transposes_to(&b, 0, i);
	ck_assert(!device_sheet(test_device)->unified_memory ||
	          !b.memory->pin.handle);
	matrix_fini(&b);
}
END_TEST

START_TEST(an_output_that_does_not_fill_the_memory_does_not_pin_it)
{
	struct matrix b = fresh(N + 1);

	device_copies = true;
	for (unsigned i = 0; i < 3; i++) {
		transposes_to(&b, 0, i);
		transposes_to(&b, N, i);
	}
	device_copies = false;
	ck_assert_ptr_null(b.memory->pin.handle);
	matrix_fini(&b);
}
END_TEST

void transpose_pinned(TCase *t)
{
	tcase_add_test(t, the_second_output_of_a_memory_pins_it);
	tcase_add_test(t, a_device_that_shares_the_memory_does_not_pin_it);
	tcase_add_test(t,
	    an_output_that_does_not_fill_the_memory_does_not_pin_it);
}
