/* intake.c - an encoded body is decoded in slices, and refused beyond the
 * limits. */
#include "format/encoder.h"
#include "http/intake.h"
#include "tests/test.h"

static struct err e;
static struct text coded;
static size_t taken, largest;

static void setup(void)
{
	e = (struct err){ 0 };
	coded = (struct text){ 0 };
	taken = largest = 0;
}

static void teardown(void)
{
	text_fini(&coded);
}

/* Encodes n zero bytes. */
static void encode(int coding, size_t n)
{
	struct encoder *c = encoder_new(coding);
	char *zeros = calloc(n, 1);

	ck_assert_int_eq(encoder_add(c, zeros, n, true, &coded), 0);
	free(zeros);
	encoder_free(c);
}

static int take(void *arg, const void *bytes, size_t n, struct err *err)
{
	(void)arg;
	(void)bytes;
	(void)err;
	taken += n;
	return 0;
}

/* Decodes the encoded bytes; returns the number of turns that this takes, or
 * -1. */
static int decode(int coding, uint64_t most)
{
	const size_t before = memory_pool_used(test_pool);
	struct intake t = { 0 };
	size_t at = 0;
	int turns = 0;

	ck_ok(intake_begin(&t, encoder_codings[coding], test_pool, most, &e),
	      &e);
	while (at < coded.length && turns >= 0) {
		const size_t had = taken;
		const ssize_t used = intake_feed(&t, coded.data + at,
		                                 coded.length - at, take, NULL,
		                                 &e);

		ck_assert(used != 0 || taken > had);
		largest = size_max(largest, taken - had);
		at += used > 0 ? (size_t)used : 0;
		turns = used >= 0 ? turns + 1 : -1;
	}
	if (turns > 0 && intake_end(&t, &e))
		turns = -1;
	intake_fini(&t);
	ck_assert_uint_eq(memory_pool_used(test_pool), before);
	return turns;
}

START_TEST(a_turn_decodes_a_slice)
{
	enum { SIZE = 4 << 20, BLOCK = 128 << 10 };

	for (int c = 0; c < 2; c++) {
		setup();
		encode(c, SIZE);
		ck_assert_int_ge(decode(c, UINT64_MAX), SIZE /
		                 (INTAKE_SLICE + 2 * BLOCK));
		ck_assert_uint_eq(taken, SIZE);
		ck_assert_uint_le(largest, INTAKE_SLICE + 2 * BLOCK);
		teardown();
	}
}
END_TEST

START_TEST(more_than_the_limit_is_refused)
{
	encode(0, 1 << 20);
	ck_assert_int_gt(decode(0, 1 << 20), 0);
	ck_assert_int_eq(decode(0, (1 << 20) - 1), -1);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
}
END_TEST

START_TEST(what_grows_too_much_is_refused)
{
	encode(0, 40 << 20);
	ck_assert_int_eq(decode(0, UINT64_MAX), -1);
	ck_assert_int_eq(e.code, ERR_TOO_LARGE);
	e = (struct err){ 0 };
	text_clear(&coded);
	encode(1, 40 << 20);
	ck_assert_int_gt(decode(1, UINT64_MAX), 0);
}
END_TEST

TCase *tcase_http_intake(void)
{
	TCase *c = tcase_create("http_intake");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_turn_decodes_a_slice);
	tcase_add_test(c, more_than_the_limit_is_refused);
	tcase_add_test(c, what_grows_too_much_is_refused);
	return c;
}
