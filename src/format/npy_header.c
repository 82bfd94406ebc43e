/* npy_header.c - see npy_header.h. */
#include <string.h>

#include "base/size.h"
#include "format/npy_header.h"

struct cursor {
	const char *p, *end;
	const char *label;
	struct err *e;
};

static int malformed(struct cursor *c)
{
	return err_set(c->e, ERR_FORMAT, "%s: malformed npy header at "
	               "\"%.*s\"", c->label,
	               (int)size_min((size_t)(c->end - c->p), 24), c->p);
}

static char next(struct cursor *c)
{
	while (c->p < c->end && strchr(" \t\n", *c->p) && *c->p)
		c->p++;
	return c->p < c->end ? *c->p : 0;
}

static bool take(struct cursor *c, char ch)
{
	if (next(c) != ch)
		return false;
	c->p++;
	return true;
}

/* 'text' or "text", without escapes. */
static int string(struct cursor *c, const char **s, size_t *n)
{
	char quote = next(c);
	const char *close;

	if (quote != '\'' && quote != '"')
		return malformed(c);
	close = memchr(c->p + 1, quote, (size_t)(c->end - c->p - 1));
	if (!close)
		return malformed(c);
	*s = c->p + 1;
	*n = (size_t)(close - *s);
	c->p = close + 1;
	return 0;
}

static int refuse(struct cursor *c, const char *descr, size_t n)
{
	static const struct {
		char kind;
		const char *why;
	} kinds[] = {
		{ 'O', "object arrays (pickles) are refused" },
		{ 'c', "only complex64 and complex128 are read" },
		{ 'f', "only float16, float32 and float64 are read" },
		{ 'V', "structured arrays are refused" },
		{ 'S', "strings are not numbers" },
		{ 'U', "strings are not numbers" },
		{ 'M', "dates are not numbers" },
		{ 'm', "dates are not numbers" },
	};
	const char *why = "not a known dtype";

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (memchr(descr, kinds[i].kind, size_min(n, 2)))
			why = kinds[i].why;
	return err_set(c->e, ERR_FORMAT, "%s: dtype \"%.*s\": %s", c->label,
	               (int)size_min(n, 24), descr, why);
}

static bool known(struct element x)
{
	switch (x.kind) {
	case 'f': return x.bytes == 2 || x.bytes == 4 || x.bytes == 8;
	case 'i':
	case 'u': return x.bytes == 1 || x.bytes == 2 || x.bytes == 4 ||
	                 x.bytes == 8;
	case 'b': return x.bytes == 1;
	case 'c': return x.bytes == 8 || x.bytes == 16;
	case 'V': return x.bytes == 2 && !x.big_endian;
	default:  return false;
	}
}

/* The number of bytes that the digits say; 0: none that an element has. */
static unsigned char bytes_of(const char *digits, const char *end)
{
	const size_t n = (size_t)(end - digits);

	if (n == 2 && memcmp(digits, "16", n) == 0)
		return 16;
	return n == 1 && *digits >= '1' && *digits <= '9' ?
	       (unsigned char)(*digits - '0') : 0;
}

static int descr(struct cursor *c, struct npy_header *h)
{
	const char *s, *type;
	size_t n;

	if (next(c) == '[')
		return err_set(c->e, ERR_FORMAT, "%s: structured arrays are "
		               "refused", c->label);
	if (string(c, &s, &n) < 0)
		return -1;
	type = n && strchr("<>|=", *s) ? s + 1 : s;
	if (s + n < type + 2)
		return refuse(c, s, n);
	h->element = (struct element){
		type[0], bytes_of(type + 1, s + n), *s == '>',
	};
	return known(h->element) ? 0 : refuse(c, s, n);
}

static int fortran_order(struct cursor *c, struct npy_header *h)
{
	static const char *const words[] = { "False", "True" };

	next(c);
	for (int i = 0; i < 2; i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(c->end - c->p) < n || memcmp(c->p, words[i], n))
			continue;
		h->fortran = i;
		c->p += n;
		return 0;
	}
	return malformed(c);
}

/* A decimal integer; Python 2 wrote long ones with an L. */
static int integer(struct cursor *c, size_t *x)
{
	char ch = next(c);

	if (ch < '0' || ch > '9')
		return malformed(c);
	for (*x = 0; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
		if (!size_mul(*x, 10, x) ||
		    !size_add(*x, (size_t)(*c->p - '0'), x))
			return err_set(c->e, ERR_FORMAT, "%s: a dimension is "
			               "beyond 64 bits", c->label);
	take(c, 'L');
	return 0;
}

static int shape(struct cursor *c, struct npy_header *h)
{
	if (!take(c, '('))
		return malformed(c);
	for (h->ndim = 0; !take(c, ')');) {
		if (h->ndim == MATRIX_DIMS)
			return err_set(c->e, ERR_FORMAT, "%s: more than %d "
			               "dimensions", c->label, MATRIX_DIMS);
		if (integer(c, &h->dim[h->ndim++]) < 0)
			return -1;
		if (!take(c, ',') && next(c) != ')')
			return malformed(c);
	}
	return 0;
}

static const struct {
	const char *key;
	int (*parse)(struct cursor *c, struct npy_header *h);
} keys[] = {
	{ "descr", descr },
	{ "fortran_order", fortran_order },
	{ "shape", shape },
};

static int entry(struct cursor *c, struct npy_header *h, unsigned *seen)
{
	const char *s;
	size_t n;

	if (string(c, &s, &n) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(keys); i++) {
		if (n != strlen(keys[i].key) || memcmp(s, keys[i].key, n) ||
		    *seen >> i & 1)
			continue;
		*seen |= 1u << i;
		return take(c, ':') ? keys[i].parse(c, h) : malformed(c);
	}
	return err_set(c->e, ERR_FORMAT, "%s: npy header has an unknown or "
	               "repeated key \"%.*s\"", c->label,
	               (int)size_min(n, 24), s);
}

int npy_header_parse(struct npy_header *h, const char *label,
                     const char *dict, size_t n, struct err *e)
{
	struct cursor c = { dict, dict + n, label, e };
	unsigned seen = 0;

	*h = (struct npy_header){ 0 };
	if (!take(&c, '{'))
		return malformed(&c);
	while (!take(&c, '}')) {
		if (entry(&c, h, &seen) < 0)
			return -1;
		if (!take(&c, ',') && next(&c) != '}')
			return malformed(&c);
	}
	if (next(&c))
		return malformed(&c);
	if (seen != (1u << COUNT(keys)) - 1)
		return err_set(e, ERR_FORMAT, "%s: npy header lacks descr, "
		               "fortran_order or shape", label);
	return 0;
}
