/* json_whole.c - see json_whole.h. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/number.h"
#include "format/json_whole.h"

enum { WIDE_DIGITS = 38 };	/* that any wide_t has */

enum text_kind { NO_INTEGER, FITS, BEYOND };

static enum text_kind kind_of(const char *from, const char *to, int64_t *v)
{
	const bool negative = from < to && *from == '-';
	enum text_kind kind = FITS;

	*v = 0;
	for (const char *p = from + negative; p < to; p++) {
		const int digit = *p - '0';

		if (digit < 0 || digit > 9)
			return NO_INTEGER;
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, negative ? -digit : digit, v))
			kind = BEYOND;
	}
	return kind;
}

static bool is_whole(double x)
{
	return x >= -0x1p63 && x < 0x1p63 && x == (double)(int64_t)x;
}

bool json_whole_held(int64_t v)
{
	return is_whole((double)v) && (int64_t)(double)v == v;
}

/* Copies the digits of a number's text, up to its exponent and without trailing
 * zeros; returns how many. */
static size_t digits_of(char *to, const char *p, const char *end)
{
	size_t n = 0, last = 0;

	for (; p < end && *p != 'e'; p++) {
		if (*p < '0' || *p > '9')
			continue;
		to[n++] = *p;
		last = *p == '0' ? last : n;
	}
	return last;
}

/* Does x stand for the integer of that text without loss? True also if the text
 * is x's shortest digits filled up with zeros, as many programs print a
 * float64. */
static bool keeps_digits(const char *from, const char *to, double x)
{
	char shortest[NUMBER_TEXT], digits[NUMBER_TEXT], given[WIDE_DIGITS];
	wide_t m = 0;
	size_t n;

	from += *from == '-';
	if (to - from > WIDE_DIGITS)
		return false;
	for (const char *p = from; p < to; p++)
		m = m * 10 + (wide_t)(*p - '0');
	if ((wide_t)fabs(x) == m)
		return true;
	n = number_print_double(shortest, fabs(x));
	n = digits_of(digits, shortest, shortest + n);
	return digits_of(given, from, to) == n && !memcmp(given, digits, n);
}

bool json_whole_loses(const char *from, const char *to, double x)
{
	int64_t v;

	return kind_of(from, to, &v) != NO_INTEGER &&
	       !keeps_digits(from, to, x);
}

static void put_real(void *data, size_t i, double x)
{
	memcpy((char *)data + i * sizeof x, &x, sizeof x);
}

static void put_whole(void *data, size_t i, int64_t v)
{
	memcpy((char *)data + i * sizeof v, &v, sizeof v);
}

static bool all_whole(const void *data, size_t n)
{
	const double *x = data;

	for (size_t i = 0; i < n; i++)
		if (!is_whole(x[i]))
			return false;
	return true;
}

static void become_whole(struct json_whole *w, void *data, size_t n)
{
	w->kind = all_whole(data, n) ? WHOLE_INT64 : WHOLE_FLOAT64;
	for (size_t i = 0; i < n && w->kind == WHOLE_INT64; i++)
		put_whole(data, i, (int64_t)((const double *)data)[i]);
}

static void become_real(struct json_whole *w, void *data, size_t n)
{
	for (size_t i = 0; i < n && w->kind == WHOLE_INT64; i++) {
		const int64_t v = ((const int64_t *)data)[i];

		w->lossy |= !json_whole_held(v);
		put_real(data, i, (double)v);
	}
	w->kind = WHOLE_FLOAT64;
}

void json_whole_put(struct json_whole *w, const char *from, const char *to,
                    double x, void *data, size_t n)
{
	int64_t v;
	const enum text_kind kind = kind_of(from, to, &v);
	const bool lost = kind == FITS && !json_whole_held(v);

	if (w->kind == WHOLE_OPEN && lost)
		become_whole(w, data, n);
	if (w->kind == WHOLE_INT64 && (kind == FITS ||
	                              (kind == NO_INTEGER && is_whole(x)))) {
		put_whole(data, n, kind == FITS ? v : (int64_t)x);
		return;
	}
	if (kind == BEYOND || !is_whole(x))
		become_real(w, data, n);
	w->beyond |= kind == BEYOND;
	w->points |= kind == NO_INTEGER && fabs(x) >= JSON_WHOLE_LIMIT;
	w->lossy |= (lost || kind == BEYOND) && !keeps_digits(from, to, x);
	w->limit = w->kind != WHOLE_FLOAT64 || w->beyond ? JSON_WHOLE_LIMIT :
	           INFINITY;
	put_real(data, n, x);
}

bool json_whole_rounded(const struct json_whole *w, const void *data,
                        size_t n)
{
	const double *x = data;
	bool whole = w->beyond && w->lossy && !w->points;

	for (size_t i = 0; i < n && whole; i++)
		whole = x[i] == rint(x[i]);
	return whole;
}
