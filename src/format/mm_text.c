/* mm_text.c - see mm_text.h. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/size.h"
#include "format/json_whole.h"
#include "format/mm_text.h"

enum { NUMBER_MOST = 256 };	/* bytes of a number in Fortran's form */

const char *mm_skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

int mm_split(char words[MM_WORDS][MM_WORD], const char *p, const char *end)
{
	int n = 0;

	while ((p = mm_skip_blanks(p, end)) < end) {
		size_t k = 0;

		if (n == MM_WORDS)
			return -1;
		while (p < end && *p != ' ' && *p != '\t' && k < MM_WORD - 1)
			words[n][k++] = *p++;
		words[n++][k] = 0;
	}
	return n;
}

int mm_find(const char *const *names, const char *word)
{
	for (int i = 0; names[i]; i++)
		if (strcasecmp(names[i], word) == 0)
			return i;
	return -1;
}

static bool ends_word(const char *p, const char *end)
{
	return p == end || *p == ' ' || *p == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *mm_integer(const char *p, const char *end, size_t *x)
{
	const char *from = p = mm_skip_blanks(p, end);

	for (*x = 0; p < end && is_digit(*p); p++)
		if (!size_mul(*x, 10, x) ||
		    !size_add(*x, (size_t)(*p - '0'), x))
			return NULL;
	return p == from || !ends_word(p, end) ? NULL : p;
}

/* Reads the number from `from` on, whose exponent, at p, is in Fortran's
 * form. */
static const char *fortran_real(const char *from, const char *p,
                                const char *end, double *x)
{
	const char *digits = p + (*p == 'D' || *p == 'd'), *stop;
	char text[NUMBER_MOST];
	size_t n = (size_t)(p - from);

	if (n >= sizeof text)
		return NULL;
	memcpy(text, from, n);
	text[n++] = 'e';
	for (stop = digits; stop < end && (is_digit(*stop) ||
	     (stop == digits && (*stop == '+' || *stop == '-'))); stop++) {
		if (n == sizeof text)
			return NULL;
		text[n++] = *stop;
	}
	return number_parse(text, text + n, x) == text + n ? stop : NULL;
}

const char *mm_real(const char *p, const char *end, double *x, bool *rounded)
{
	const char *from = p = mm_skip_blanks(p, end);

	if (p + 1 < end && *p == '+' && p[1] != '-')
		from = ++p;
	p = p < end ? number_parse(p, end, x) : NULL;
	if (p && p < end && memchr("Dd+-", *p, 4) && p[-1] != 'f' &&
	    p[-1] != 'n')
		p = fortran_real(from, p, end, x);
	if (!p || !ends_word(p, end) || (isinf(*x) && is_digit(p[-1])))
		return NULL;
	if (fabs(*x) >= JSON_WHOLE_LIMIT && !isinf(*x))
		*rounded |= json_whole_loses(from, p, *x);
	return p;
}
