/* silence.c - a host takes its database for silent if no count is answered, but
 * not before the first count after an outage can have been. */
#include "fleet/silence.h"
#include "tests/test.h"

enum { NEVER = 0 };

/* Seconds. */
static const struct {
	int64_t now, heard, back;
	bool silent;
} rows[] = {
	{ 100, 99, NEVER, false },
	{ 100, 96, NEVER, false },
	{ 100, 95, NEVER, true },
	{ 100, 10, NEVER, true },
	{ 100, 10, 99, false },		/* just connected again */
	{ 100, 10, 96, false },
	{ 100, 10, 95, true },		/* and no count since */
	{ 100, 99, 50, false },
};

START_TEST(a_database_is_silent_after_five_seconds_without_a_count)
{
	const int64_t second = INT64_C(1000000000);

	ck_assert_int_eq(silence_is_now(rows[_i].now * second,
	                                rows[_i].heard * second,
	                                rows[_i].back * second),
	                 rows[_i].silent);
}
END_TEST

TCase *tcase_fleet_silence(void)
{
	TCase *c = tcase_create("fleet_silence");

	tcase_add_loop_test(c,
	    a_database_is_silent_after_five_seconds_without_a_count, 0,
	    sizeof rows / sizeof rows[0]);
	return c;
}
