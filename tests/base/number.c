/* number.c - a number survives being printed and read. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/number.h"
#include "format/json_number.h"
#include "tests/test.h"

/* SplitMix64 */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void check_double(double x)
{
	char text[NUMBER_TEXT + 1];
	size_t n = number_print_double(text, x);
	double back;

	ck_assert_ptr_eq(number_parse(text, text + n, &back), text + n);
	text[n] = 0;
	ck_assert_msg(memcmp(&x, &back, sizeof x) == 0, "%s is %a, was %a",
	              text, back, x);
	ck_assert_msg(strtod(text, NULL) == x, "strtod differs on %s", text);
}

START_TEST(any_double_reads_back_to_itself)
{
	uint64_t state = 1;

	for (int i = 0; i < 100000; i++) {
		uint64_t bits = next(&state);
		double x;

		memcpy(&x, &bits, sizeof x);
		if (isfinite(x))
			check_double(x);
		check_double((double)(int64_t)(bits >> 12) / 1000);
	}
	check_double(0);
	check_double(-0.0);
	check_double(DBL_MAX);
	check_double(-DBL_MIN);
	check_double(DBL_TRUE_MIN);
}
END_TEST

START_TEST(any_float_reads_back_to_itself)
{
	uint64_t state = 2;

	for (int i = 0; i < 100000; i++) {
		uint32_t bits = (uint32_t)next(&state);
		char text[NUMBER_TEXT];
		double back;
		float x, narrow;
		size_t n;

		memcpy(&x, &bits, sizeof x);
		if (!isfinite(x))
			continue;
		n = number_print_float(text, x);
		ck_assert_ptr_eq(number_parse(text, text + n, &back), text + n);
		narrow = (float)back;
		ck_assert_int_eq(memcmp(&x, &narrow, sizeof x), 0);
		ck_assert_uint_le(n, 15);
	}
}
END_TEST

START_TEST(text_is_the_shortest)
{
	static const struct { double x; const char *text; } rows[] = {
		{ 0.1, "0.1" }, { 1, "1" }, { -0.0, "-0.0" }, { 100, "100" },
		{ 1e300, "1e+300" }, { 1.0 / 3, "0.3333333333333333" },
		{ 5e-324, "5e-324" }, { 123456.75, "123456.75" },
	};
	char text[NUMBER_TEXT];

	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = number_print_double(text, rows[i].x);

		ck_assert_msg(n == strlen(rows[i].text) &&
		              !memcmp(text, rows[i].text, n),
		              "%.*s, wanted %s", (int)n, text, rows[i].text);
	}
	ck_assert_uint_eq(number_print_float(text, 0.1f), 3);
}
END_TEST

/* Does the number also read back from one digit less? */
static bool a_shorter_one_reads_back(const char *text, size_t n, bool narrow)
{
	double x = strtod(text, NULL);
	char shorter[64];
	int digits = 0;

	for (size_t i = 0; i < n && text[i] != 'e'; i++)
		digits += text[i] >= '0' && text[i] <= '9' &&
		          (digits || text[i] != '0');
	for (size_t i = n; i && text[i - 1] == '0' && !strpbrk(text, ".e"); i--)
		digits--;
	if (digits < 2)
		return false;
	snprintf(shorter, sizeof shorter, "%.*e", digits - 2, x);
	return narrow ? strtof(shorter, NULL) == strtof(text, NULL) :
	       strtod(shorter, NULL) == x;
}

START_TEST(no_shorter_text_reads_back)
{
	uint64_t state = 4;

	for (int i = 0; i < 60000; i++) {
		const uint64_t bits = next(&state);
		const double unit = (double)(bits >> 11) * 0x1p-53;
		const double whole = (double)(bits >> bits % 64);
		const double xs[] = { unit, 100 * unit - 50, whole,
		                      ldexp(1, (int)(bits % 2000) - 1000),
		                      ldexp(unit, -1040) };

		for (size_t k = 0; k < COUNT(xs); k++) {
			char text[NUMBER_TEXT + 1];
			size_t n = number_print_double(text, xs[k]);

			ck_assert_uint_le(n, 25);
			text[n] = 0;
			ck_assert_msg(!a_shorter_one_reads_back(text, n, false),
			              "%s is not the shortest", text);
			if (fabs(xs[k]) > FLT_MAX)
				continue;
			n = number_print_float(text, (float)xs[k]);
			ck_assert_uint_le(n, 16);
			text[n] = 0;
			ck_assert_msg(!a_shorter_one_reads_back(text, n, true),
			              "%s is not the shortest float", text);
		}
	}
}
END_TEST

START_TEST(of_two_shortest_the_nearer_is_printed)
{
	static const struct { double x; const char *text; } rows[] = {
		{ 5e-324, "5e-324" }, { 2e-323, "2e-323" },
		{ 9007199254740991, "9007199254740991" },
		{ 9007199254740993e3, "9007199254740993000" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ 0x1p-1022, "2.2250738585072014e-308" },
		{ 1e15, "1e+15" }, { 1e5, "1e+05" }, { 12000, "12000" },
		{ 0.001, "0.001" }, { 0.0001, "1e-04" },
		{ 0.00012, "0.00012" }, { 0.000012, "1.2e-05" },
		{ 9.5, "9.5" }, { 299792.458, "299792.458" },
		{ 0.3, "0.3" }, { 0.1 + 0.2, "0.30000000000000004" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[NUMBER_TEXT];
		size_t n = number_print_double(text, rows[i].x);

		ck_assert_msg(n == strlen(rows[i].text) &&
		              !memcmp(text, rows[i].text, n),
		              "%.*s, wanted %s", (int)n, text, rows[i].text);
	}
}
END_TEST

static double parsed(const char *text)
{
	double x = NAN;

	ck_assert_ptr_eq(number_parse(text, text + strlen(text), &x),
	                 text + strlen(text));
	return x;
}

START_TEST(beyond_the_range_is_infinity_or_zero)
{
	ck_assert_double_eq(parsed("1e309"), HUGE_VAL);
	ck_assert_double_eq(parsed("-1e309"), -HUGE_VAL);
	ck_assert_double_eq(parsed("1e99999999999999999999"), HUGE_VAL);
	ck_assert_double_eq(parsed("0.0001e400"), HUGE_VAL);
	ck_assert_double_eq(parsed("1000000e303"), HUGE_VAL);
	ck_assert_double_eq(parsed("1e-400"), 0);
	ck_assert(signbit(parsed("-1e-400")));
	ck_assert_double_eq(parsed("1000e-400"), 0);
	ck_assert_double_eq(parsed("0.0000001e-330"), 0);
	ck_assert_double_eq(parsed("1e-99999999999999999999"), 0);
	ck_assert_double_eq(parsed("0e99999999999999999999"), 0);
}
END_TEST

START_TEST(what_is_no_number_is_none)
{
	static const char *const bad[] = {
		"", "x", "-", ".", "+1", "e5", " 1",
	};
	double x;

	for (size_t i = 0; i < COUNT(bad); i++)
		ck_assert_ptr_null(number_parse(bad[i],
		                                bad[i] + strlen(bad[i]), &x));
}
END_TEST

START_TEST(json_numbers_are_correctly_rounded)
{
	uint64_t state = 3;

	for (int i = 0; i < 200000; i++) {
		uint64_t m = next(&state) >> (next(&state) % 64);
		int point = (int)(next(&state) % 20);
		char text[64], digits[24];
		double x;
		int n = sprintf(digits, "%020llu", (unsigned long long)m);

		n = sprintf(text, "%s%llu.%se%d", i & 1 ? "-" : "",
		            (unsigned long long)(next(&state) % 1000),
		            digits + point % n, (int)(next(&state) % 61) - 30);
		ck_assert_ptr_eq(json_number(text, text + n, &x), text + n);
		ck_assert_msg(x == strtod(text, NULL), "%s is %a", text, x);
	}
}
END_TEST

static void reads_as_strtod(const char *text)
{
	const char *end = text + strlen(text);
	double x;

	ck_assert_ptr_eq(json_number(text, end, &x), end);
	ck_assert_msg(x == strtod(text, NULL), "%s is %a", text, x);
}

/* The midpoint of two doubles, and the decimals next to it, with all 19 digits
 * and as many places after the point as possible. */
START_TEST(numbers_halfway_between_two_doubles_round_to_even)
{
	uint64_t state = 5;

	for (int i = 0; i < 40000; i++) {
		const int bits = 54 + (int)(next(&state) % 9);
		const uint64_t one = (uint64_t)1 << (bits - 54);
		uint64_t m = (next(&state) >> 11 | (uint64_t)1 << 52) << 1;
		char text[64];

		m = (m | 1) << (bits - 54);
		for (int k = -1; k <= 1; k++) {
			sprintf(text, "%llu", (unsigned long long)m +
			        (unsigned long long)(k * (one > 1)));
			reads_as_strtod(text);
			sprintf(text, "%llu.0%de%d", (unsigned long long)m,
			        k + 1, (int)(next(&state) % 50) - 25);
			reads_as_strtod(text);
			sprintf(text, "0.%llue%d", (unsigned long long)m,
			        (int)(next(&state) % 60) - 30);
			reads_as_strtod(text);
		}
	}
}
END_TEST

/* Digits are read sixteen at a time: tests every number of them, and what may
 * follow. */
START_TEST(any_number_of_digits_is_read)
{
	static const char *const after[] = { "", "e2", ",", "]", "x", ":" };

	for (int digits = 1; digits < 40; digits++)
		for (size_t k = 0; k < COUNT(after); k++) {
			char text[128] = "3.";
			double x, wanted;
			char *stop;

			for (int i = 0; i < digits; i++)
				text[2 + i] = (char)('0' + (7 * i + 1) % 10);
			strcpy(text + 2 + digits, after[k]);
			for (size_t room = 0; room < 32; room += 31) {
				size_t n = strlen(text);

				memset(text + n, ' ', room);
				wanted = strtod(text, &stop);
				ck_assert_ptr_eq(json_number(text, text + n +
				                             room, &x), stop);
				ck_assert(x == wanted);
				text[n] = 0;
			}
		}
}
END_TEST

/* The page after the text cannot be read. */
START_TEST(nothing_is_read_behind_the_end)
{
	static const char *const rows[] = {
		"0", "-0.5", "0.00000000000000000000", "1e5",
		"0.000000000000000000000000000000000001",
		"123456789012345678901234567890",
	};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
	                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = two + page;

	ck_assert_ptr_ne(two, MAP_FAILED);
	ck_assert_int_eq(mprotect(end, page, PROT_NONE), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		const size_t n = strlen(rows[i]);
		double x;

		memcpy(end - n, rows[i], n);
		ck_assert_ptr_eq(json_number(end - n, end, &x), end);
		ck_assert(x == strtod(rows[i], NULL));
	}
	munmap(two, 2 * page);
}
END_TEST

START_TEST(json_numbers_follow_its_grammar)
{
	static const char *const bad[] = {
		"", "-", "+1", ".5", "1.", "1.e5", "01", "-01", "1e", "1e+",
		"1E-", "x", "-x", "inf", "nan", "Infinity",
	};
	static const char *const good[] = {
		"0", "-0", "0.0", "10", "1e5", "1E+05", "0e0", "1.5e-07",
		"123456789012345678901234567890", "0.10",
	};
	static const char huge[] = "1e999";
	double x;

	for (size_t i = 0; i < COUNT(bad); i++)
		ck_assert_ptr_null(json_number(bad[i],
		                               bad[i] + strlen(bad[i]), &x));
	for (size_t i = 0; i < COUNT(good); i++) {
		const char *end = good[i] + strlen(good[i]);

		ck_assert_ptr_eq(json_number(good[i], end, &x), end);
		ck_assert(x == strtod(good[i], NULL));
		ck_assert(signbit(x) == (good[i][0] == '-'));
	}
	ck_assert(json_number(huge, huge + strlen(huge), &x) && isinf(x));
}
END_TEST

TCase *tcase_number(void)
{
	TCase *c = tcase_create("number");

	tcase_add_test(c, any_double_reads_back_to_itself);
	tcase_add_test(c, any_float_reads_back_to_itself);
	tcase_add_test(c, text_is_the_shortest);
	tcase_add_test(c, no_shorter_text_reads_back);
	tcase_add_test(c, of_two_shortest_the_nearer_is_printed);
	tcase_add_test(c, beyond_the_range_is_infinity_or_zero);
	tcase_add_test(c, what_is_no_number_is_none);
	tcase_add_test(c, json_numbers_are_correctly_rounded);
	tcase_add_test(c, numbers_halfway_between_two_doubles_round_to_even);
	tcase_add_test(c, any_number_of_digits_is_read);
	tcase_add_test(c, json_numbers_follow_its_grammar);
	tcase_add_test(c, nothing_is_read_behind_the_end);
	return c;
}
