/* arrival.c - memory is charged as bytes arrive; of several bodies that do not
 * fit together one can always continue. */
#include "base/size.h"
#include "matrix/arrival.h"
#include "tests/matrix/memory_room.h"

static struct memory *expect(size_t bytes)
{
	struct memory *m = arrival_new(pool, bytes, &e);

	ck_assert_msg(m != NULL, "%s", e.text);
	return m;
}

START_TEST(what_arrives_is_charged_in_steps_that_double)
{
	const size_t bytes = 10 * LARGE;
	struct memory *m = expect(bytes);

	ck_assert_uint_eq(memory_pool_used(pool), 0);
	for (size_t at = 1; at <= bytes; at += 1000) {
		ck_ok(arrival_charge(m, at, &e), &e);
		ck_assert_uint_ge(memory_pool_used(pool), at);
		ck_assert_uint_le(memory_pool_used(pool),
		                  size_min(bytes, LARGE + 5 * at / 2));
	}
	ck_ok(arrival_charge(m, bytes, &e), &e);
	ck_assert_uint_eq(memory_pool_used(pool), bytes);
	memory_unref(m);
}
END_TEST

START_TEST(what_has_half_arrived_is_sure_of_the_rest)
{
	struct memory *m = expect(10 * LARGE), *other;

	ck_ok(arrival_charge(m, 5 * LARGE, &e), &e);
	ck_assert_uint_eq(memory_pool_used(pool), 10 * LARGE);
	other = take(2 * LARGE);
	ck_ok(arrival_charge(m, 10 * LARGE, &e), &e);
	memory_unref(other);
	memory_unref(m);
}
END_TEST

START_TEST(what_never_arrived_has_not_to_be_given_back)
{
	struct memory *m = expect(10 * LARGE);

	ck_ok(arrival_charge(m, 1, &e), &e);
	ck_assert_uint_lt(m->charged, 2 * LARGE);
	memory_unref(m);
	ck_assert_uint_lt(memory_pool_taken(pool), 2 * LARGE);
}
END_TEST

/* Of two that do not fit together, the one that asks too late is refused, and
 * then the other has room. */
START_TEST(of_two_that_do_not_fit_one_goes_on)
{
	struct memory *a = expect(10 * LARGE);
	struct memory *b = expect(10 * LARGE);

	ck_ok(arrival_charge(a, 4 * LARGE, &e), &e);
	ck_ok(arrival_charge(b, 3 * LARGE, &e), &e);
	ck_refused(arrival_charge(b, 5 * LARGE, &e), &e, ERR_MEMORY);
	memory_unref(b);
	e = (struct err){ 0 };
	for (size_t at = 4 * LARGE; at <= 10 * LARGE; at += LARGE)
		ck_ok(arrival_charge(a, at, &e), &e);
	memory_unref(a);
}
END_TEST

/* When no further step fits, an exact request for what is needed may still
 * fit. */
START_TEST(the_last_bytes_of_the_pool_can_be_used)
{
	struct memory *other = take(3 * LARGE);
	struct memory *m = expect(9 * LARGE);

	memory_unref(other);
	other = take(5 * LARGE);
	for (size_t at = 1000; at <= 7 * LARGE; at += 1000)
		ck_ok(arrival_charge(m, at, &e), &e);
	ck_refused(arrival_charge(m, 8 * LARGE, &e), &e, ERR_MEMORY);
	memory_unref(m);
	memory_unref(other);
}
END_TEST

START_TEST(what_cannot_fit_is_refused_before_it_arrives)
{
	struct memory *other = take(8 * LARGE);

	ck_assert_ptr_null(arrival_new(pool, LIMIT + 1, &e));
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	e = (struct err){ 0 };
	ck_assert_ptr_null(arrival_new(pool, 5 * LARGE, &e));
	ck_assert_int_eq(e.code, ERR_MEMORY);
	memory_unref(other);
}
END_TEST

/* Because not all of its pages have been touched. */
START_TEST(what_arrived_in_part_is_not_kept)
{
	struct memory *m = expect(2 * LARGE);

	ck_ok(arrival_charge(m, 1, &e), &e);
	memory_unref(m);
	ck_assert_ptr_null(memory_spare(pool, 0, SIZE_MAX));
}
END_TEST

START_TEST(what_arrives_changes_its_size)
{
	struct memory *m = expect(8 * LARGE);

	ck_ok(arrival_charge(m, LARGE, &e), &e);
	ck_ok(memory_resize(&m, LARGE, &e), &e);
	ck_assert_uint_eq(memory_pool_used(pool), LARGE);
	ck_ok(memory_resize(&m, 4 * LARGE, &e), &e);
	ck_assert_uint_eq(memory_pool_used(pool), 4 * LARGE);
	memory_unref(m);
}
END_TEST

TCase *tcase_arrival(void)
{
	TCase *t = tcase_create("arrival");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, what_arrives_is_charged_in_steps_that_double);
	tcase_add_test(t, what_never_arrived_has_not_to_be_given_back);
	tcase_add_test(t, what_has_half_arrived_is_sure_of_the_rest);
	tcase_add_test(t, of_two_that_do_not_fit_one_goes_on);
	tcase_add_test(t, the_last_bytes_of_the_pool_can_be_used);
	tcase_add_test(t, what_cannot_fit_is_refused_before_it_arrives);
	tcase_add_test(t, what_arrived_in_part_is_not_kept);
	tcase_add_test(t, what_arrives_changes_its_size);
	return t;
}
