/* json_base64.c - reads an operand's base64 text, with JSON's escapes in it. */
#include <string.h>

#include "format/json_reader.h"

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return !at ? -1 : at - digits < 16 ? (int)(at - digits) :
	       (int)(at - digits) - 6;
}

/* Reads a digit of \u, and takes the character that the last one completes. */
static const char *code_digit(struct json_reader *r, const char *p,
                              const char *end, struct err *e)
{
	const int digit = hex_digit(*p);
	char c;

	if (digit < 0)
		return json_refuse(r, p, end, "a hexadecimal digit", e);
	r->code = r->code << 4 | (unsigned)digit;
	if (++r->escape < JSON_CODE + JSON_CODE_DIGITS)
		return p + 1;
	r->escape = JSON_NO_ESCAPE;
	c = r->code < 0x80 ? (char)r->code : '?';
	return json_operand_base64(&r->operand, &c, 1, e) < 0 ? NULL : p + 1;
}

/* Reads the character after a backslash. */
static const char *escaped(struct json_reader *r, const char *p,
                           const char *end, struct err *e)
{
	if (*p != '/' && *p != 'u')
		return json_refuse(r, p, end, "base64", e);
	r->escape = *p == 'u' ? JSON_CODE : JSON_NO_ESCAPE;
	r->code = 0;
	if (*p == '/' && json_operand_base64(&r->operand, p, 1, e) < 0)
		return NULL;
	return p + 1;
}

/* Reads base64 text, in which some programs write "/" as "\/" and "+" as
 * "\u002B". */
const char *json_read_base64(struct json_reader *r, const char *p,
                             const char *end, struct err *e)
{
	const char *from = p;

	if (r->escape != JSON_NO_ESCAPE)
		return r->escape == JSON_BACKSLASH ? escaped(r, p, end, e) :
		       code_digit(r, p, end, e);
	while (p < end && *p != '"' && *p != '\\')
		p++;
	if (json_operand_base64(&r->operand, from, (size_t)(p - from), e) < 0)
		return NULL;
	if (p == end)
		return p;
	if (*p == '"')
		json_value_done(r);
	else
		r->escape = JSON_BACKSLASH;
	return p + 1;
}
