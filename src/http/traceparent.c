/* traceparent.c - see traceparent.h. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "http/traceparent.h"

static const char digits[] = "0123456789abcdef";

/* Is s n lower-case hexadecimal digits? */
static bool is_hex(const char *s, size_t n)
{
	return strspn(s, digits) >= n;
}

static bool is_zero(const char *s, size_t n)
{
	return strspn(s, "0") >= n;
}

/* Parses s, which has n characters and a NUL after them. A version later than
 * 00 may have more fields, after another dash; version ff is invalid. */
static bool parse(const char *s, size_t n, char id[], bool *sampled)
{
	enum { AT_ID = 3, AT_SPAN = AT_ID + TRACEPARENT_ID + 1,
	       AT_FLAGS = AT_SPAN + TRACEPARENT_SPAN + 1, END = AT_FLAGS + 2 };
	unsigned flags;

	if (n < END || !is_hex(s, 2) || strncmp(s, "ff", 2) == 0 ||
	    s[AT_ID - 1] != '-' || !is_hex(s + AT_ID, TRACEPARENT_ID) ||
	    s[AT_SPAN - 1] != '-' || !is_hex(s + AT_SPAN, TRACEPARENT_SPAN) ||
	    s[AT_FLAGS - 1] != '-' || !is_hex(s + AT_FLAGS, 2))
		return false;
	if (n > END && (strncmp(s, "00", 2) == 0 || s[END] != '-'))
		return false;
	if (is_zero(s + AT_ID, TRACEPARENT_ID) ||
	    is_zero(s + AT_SPAN, TRACEPARENT_SPAN))
		return false;
	memcpy(id, s + AT_ID, TRACEPARENT_ID);
	sscanf(s + AT_FLAGS, "%2x", &flags);
	*sampled = flags & 1;
	return true;
}

void traceparent_take(struct traceparent *t, const char *value, size_t n)
{
	if (t->lines++ > 0 || !parse(value, n, t->id, &t->sampled)) {
		t->id[0] = 0;
		t->sampled = false;
	}
}

/* Writes n random digits, which are not all zero. */
static void draw(char *to, size_t n)
{
	uint8_t bytes[TRACEPARENT_ID / 2];

	io_random(bytes, n / 2);
	for (size_t i = 0; i < n / 2; i++) {
		to[2 * i] = digits[bytes[i] >> 4];
		to[2 * i + 1] = digits[bytes[i] & 15];
	}
	if (is_zero(to, n))
		to[n - 1] = '1';
}

const char *traceparent_begin(struct traceparent *t,
                              char text[TRACEPARENT_TEXT])
{
	if (!*t->id)
		draw(t->id, TRACEPARENT_ID);
	draw(t->span, TRACEPARENT_SPAN);
	snprintf(text, TRACEPARENT_TEXT, "00-%s-%s-0%d", t->id, t->span,
	         t->sampled);
	return text;
}
