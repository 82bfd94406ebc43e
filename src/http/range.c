/* range.c - see range.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http/range.h"

/* Reads a decimal number at *s, and advances *s past its digits. */
static bool take_number(const char **s, uint64_t *x)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	errno = 0;
	*x = strtoull(*s, &end, 10);
	*s = end;
	return errno == 0;
}

/* Parses a suffix range: "-500" is the last 500 bytes. */
static bool parse_suffix(const char *s, uint64_t size, struct range *r)
{
	uint64_t n;

	if (!take_number(&s, &n) || *s)
		return false;
	if (n > size)
		n = size;
	*r = (struct range){ size - n, n };
	return true;
}

bool range_parse(const char *header, uint64_t size, struct range *r)
{
	uint64_t first, last = UINT64_MAX;

	if (!header || strncasecmp(header, "bytes=", 6) != 0)
		return false;
	header += 6;
	if (*header == '-')
		return parse_suffix(header + 1, size, r);
	if (!take_number(&header, &first) || *header++ != '-' ||
	    (*header && !take_number(&header, &last)) || *header ||
	    last < first)
		return false;
	*r = (struct range){ first, 0 };
	if (first < size)
		r->bytes = (last < size ? last : size - 1) - first + 1;
	return true;
}

const char *range_text(const struct range *r, uint64_t size,
                       char text[RANGE_TEXT])
{
	if (r->bytes)
		snprintf(text, RANGE_TEXT, "bytes %" PRIu64 "-%" PRIu64 "/%"
		         PRIu64, r->first, r->first + r->bytes - 1, size);
	else
		snprintf(text, RANGE_TEXT, "bytes */%" PRIu64, size);
	return text;
}
