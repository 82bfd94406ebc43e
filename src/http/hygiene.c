/* hygiene.c - see hygiene.h. */
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "http/hygiene.h"

/* RFC 9110, 5.6.2: what a header's name may be made of. */
static bool is_token(const char *s, size_t n)
{
	static const char marks[] = "!#$%&'*+-.^_`|~";

	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)s[i];
		const bool alnum = (c >= '0' && c <= '9') ||
		                   (c >= 'A' && c <= 'Z') ||
		                   (c >= 'a' && c <= 'z');

		if (!alnum && (c == 0 || !strchr(marks, c)))
			return false;
	}
	return n > 0;
}

static bool is_field_text(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)s[i];

		if ((c < 0x20 && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

static bool parse_length(const char *s, size_t n, uint64_t *length)
{
	*length = 0;
	if (n == 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9' ||
		    __builtin_mul_overflow(*length, 10, length) ||
		    __builtin_add_overflow(*length, s[i] - '0', length))
			return false;
	}
	return *length <= INT64_MAX;
}

static int take_length(struct hygiene *h, const char *value, size_t n,
                       struct err *e)
{
	if (!parse_length(value, n, &h->length))
		return err_set(e, ERR_REQUEST, "Content-Length is %.*s, must "
		               "be digits for less than 2^63",
		               (int)size_min(n, 40), value);
	return 0;
}

static int take_coding(struct hygiene *h, const char *value, size_t n,
                       struct err *e)
{
	if (n != 7 || strncasecmp(value, "chunked", 7) != 0)
		return err_set(e, ERR_CODING, "Transfer-Encoding is %.*s, only "
		               "chunked is known", (int)size_min(n, 40), value);
	h->chunked = true;
	return 0;
}

static int take_expect(struct hygiene *h, const char *value, size_t n,
                       struct err *e)
{
	(void)value;
	(void)n;
	(void)e;
	h->expects_continue = true;
	return 0;
}

/* What stands at most once in a head. */
enum { HOST, LENGTH };
static const struct {
	const char *name;
	int (*take)(struct hygiene *h, const char *value, size_t n,
	            struct err *e);
} single[] = {
	[HOST] = { "Host", NULL },
	[LENGTH] = { "Content-Length", take_length },
	{ "Transfer-Encoding", take_coding },
	{ "Expect", take_expect },
	{ "Content-Type", NULL },
	{ "Content-Encoding", NULL },
	{ "Authorization", NULL },
	{ "Idempotency-Key", NULL },
};

static int take_single(struct hygiene *h, size_t i, const char *value,
                       size_t n, struct err *e)
{
	if (h->seen >> i & 1)
		return err_set(e, ERR_REQUEST, "more than one %s",
		               single[i].name);
	h->seen |= 1u << i;
	return single[i].take ? single[i].take(h, value, n, e) : 0;
}

int hygiene_header(struct hygiene *h, const char *name, size_t name_length,
                   const char *value, size_t value_length, struct err *e)
{
	if (!is_token(name, name_length))
		return err_set(e, ERR_REQUEST,
		               "a header's name is not a token");
	if (!is_field_text(value, value_length))
		return err_set(e, ERR_REQUEST, "the value of header %.*s has "
		               "control characters",
		               (int)size_min(name_length, 40), name);
	for (size_t i = 0; i < COUNT(single); i++)
		if (strlen(single[i].name) == name_length &&
		    strncasecmp(single[i].name, name, name_length) == 0)
			return take_single(h, i, value, value_length, e);
	return 0;
}

int hygiene_end(const struct hygiene *h, const char *version, struct err *e)
{
	if (strcmp(version, "HTTP/1.1") != 0 &&
	    strcmp(version, "HTTP/1.0") != 0)
		return err_set(e, ERR_REQUEST, "the protocol is %.20s, must "
		               "be HTTP/1.1 or HTTP/1.0", version);
	if (!(h->seen >> HOST & 1) && strcmp(version, "HTTP/1.1") == 0)
		return err_set(e, ERR_REQUEST, "Host is missing");
	if (h->seen >> LENGTH & 1 && h->chunked)
		return err_set(e, ERR_REQUEST,
		               "Content-Length beside Transfer-Encoding");
	return 0;
}

int hygiene_target(const char *target, struct err *e)
{
	for (const char *c = target; *c; c++)
		if ((unsigned char)*c <= 0x20 || (unsigned char)*c >= 0x7f)
			return err_set(e, ERR_REQUEST, "byte 0x%02x in the "
			               "request target must be written "
			               "%%%02X", (unsigned char)*c,
			               (unsigned char)*c);
	return 0;
}

uint64_t hygiene_length(const struct hygiene *h)
{
	return h->chunked ? LENGTH_UNKNOWN : h->length;
}
