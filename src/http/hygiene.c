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

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && strncasecmp(s, word, n) == 0;
}

/* Moves *s past leading spaces; returns the length without spaces at either
 * end. */
static size_t trim(const char **s, size_t n)
{
	for (; n && (**s == ' ' || **s == '\t'); n--)
		++*s;
	while (n && ((*s)[n - 1] == ' ' || (*s)[n - 1] == '\t'))
		n--;
	return n;
}

static unsigned count(const char *s, size_t n, char c)
{
	unsigned found = 0;

	for (const char *end = s + n; (s = memchr(s, c, (size_t)(end - s)));
	     s++)
		found++;
	return found;
}

static int count_entries(struct hygiene *h, unsigned n, struct err *e)
{
	h->entries += n;
	if (h->entries <= HYGIENE_ENTRIES)
		return 0;
	return err_set(e, ERR_HEAD, "more than %d headers, cookies and "
	               "arguments", HYGIENE_ENTRIES);
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

/* Notes a coding; an unknown one is refused at the head's end, because a later
 * line may have a worse fault. */
static int take_coding(struct hygiene *h, const char *value, size_t n,
                       struct err *e)
{
	(void)e;
	h->chunked = true;
	h->coded = !is_word(value, n, "chunked");
	return 0;
}

/* Finds "close", and "keep-alive" for HTTP/1.0 (RFC 9112, 9.3). */
static int take_connection(struct hygiene *h, const char *value, size_t n,
                           struct err *e)
{
	const char *const end = value + n;

	(void)e;
	while (value < end) {
		const char *comma = memchr(value, ',', (size_t)(end - value));
		const char *stop = comma ? comma : end;
		const char *token = value;
		size_t length = trim(&token, (size_t)(stop - value));

		h->closes |= is_word(token, length, "close");
		h->keeps |= is_word(token, length, "keep-alive");
		value = comma ? comma + 1 : end;
	}
	return 0;
}

/* Counts cookies: libmicrohttpd keeps a record of each pair. */
static int take_cookies(struct hygiene *h, const char *value, size_t n,
                        struct err *e)
{
	return count_entries(h, 1 + count(value, n, ';'), e);
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

/* The headers that have a meaning here, and whether they may be repeated. */
enum { HOST, LENGTH };
#define NAME(text) text, sizeof text - 1
static const struct {
	const char *name;
	size_t length;
	bool list;
	int (*take)(struct hygiene *h, const char *value, size_t n,
	            struct err *e);
} known[] = {
	[HOST] = { NAME("Host"), false, NULL },
	[LENGTH] = { NAME("Content-Length"), false, take_length },
	{ NAME("Transfer-Encoding"), false, take_coding },
	{ NAME("Expect"), false, take_expect },
	{ NAME("Content-Type"), false, NULL },
	{ NAME("Content-Encoding"), false, NULL },
	{ NAME("Authorization"), false, NULL },
	{ NAME("Idempotency-Key"), false, NULL },
	{ NAME("Origin"), false, NULL },
	{ NAME("Connection"), true, take_connection },
	{ NAME("Cookie"), true, take_cookies },
};

static int take_known(struct hygiene *h, size_t i, const char *value,
                      size_t n, struct err *e)
{
	if (h->seen >> i & 1 && !known[i].list)
		return err_set(e, ERR_REQUEST, "more than one %s",
		               known[i].name);
	h->seen |= 1u << i;
	return known[i].take ? known[i].take(h, value, n, e) : 0;
}

/* Checks the grammar of a header's name and value. */
static int check_header(const char *name, size_t name_length,
                        const char *value, size_t value_length, struct err *e)
{
	if (!is_token(name, name_length))
		return err_set(e, ERR_REQUEST,
		               "a header's name is not a token");
	if (!is_field_text(value, value_length))
		return err_set(e, ERR_REQUEST, "the value of header %.*s has "
		               "control characters",
		               (int)size_min(name_length, 40), name);
	return 0;
}

int hygiene_header(struct hygiene *h, const char *name, size_t name_length,
                   const char *value, size_t value_length, struct err *e)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (known[i].length == name_length &&
		    strncasecmp(name, known[i].name, name_length) == 0)
			return take_known(h, i, value, value_length, e);
	return 0;
}

/* Splits "Name: value", without the spaces before the value. Those after it
 * stay: libmicrohttpd takes them as part of the value, so a length or a coding
 * with trailing spaces must be refused. */
static int split(const char *line, size_t n, size_t *name_length,
                 const char **value, size_t *value_length, struct err *e)
{
	const char *colon = memchr(line, ':', n);

	if (line[0] == ' ' || line[0] == '\t')
		return err_set(e, ERR_REQUEST, "a line of the head begins with "
		               "a space: headers continued on a second line "
		               "are not taken");
	if (!colon)
		return err_set(e, ERR_REQUEST, "a header line without a colon");
	*name_length = (size_t)(colon - line);
	*value = colon + 1;
	while (*value < line + n && (**value == ' ' || **value == '\t'))
		++*value;
	*value_length = n - (size_t)(*value - line);
	return 0;
}

int hygiene_field_line(struct hygiene *h, const char *line, size_t n,
                       struct err *e)
{
	size_t name_length, value_length;
	const char *value;

	if (split(line, n, &name_length, &value, &value_length, e) ||
	    check_header(line, name_length, value, value_length, e) ||
	    count_entries(h, 1, e))
		return -1;
	return hygiene_header(h, line, name_length, value, value_length, e);
}

int hygiene_trailer_line(const char *line, size_t n, struct err *e)
{
	size_t name_length, value_length;
	const char *value;

	if (split(line, n, &name_length, &value, &value_length, e))
		return -1;
	return check_header(line, name_length, value, value_length, e);
}

/* Checks that the target is visible ASCII. */
static int check_target(const char *target, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned char c = (unsigned char)target[i];

		if (c <= 0x20 || c >= 0x7f)
			return err_set(e, ERR_REQUEST, "byte 0x%02x in the "
			               "request target must be written "
			               "%%%02X", c, c);
	}
	return 0;
}

static int take_version(struct hygiene *h, const char *s, size_t n,
                        struct err *e)
{
	h->http_1_0 = n == 8 && memcmp(s, "HTTP/1.0", 8) == 0;
	if (h->http_1_0 || (n == 8 && memcmp(s, "HTTP/1.1", 8) == 0))
		return 0;
	return err_set(e, ERR_REQUEST, "the protocol is %.*s, must be HTTP/1.1 "
	               "or HTTP/1.0", (int)size_min(n, 20), s);
}

/* The version is taken from after the last space, so that an error about a
 * space in the target says so. */
int hygiene_request_line(struct hygiene *h, const char *line, size_t n,
                         struct err *e)
{
	const char *target = memchr(line, ' ', n);
	const char *version = memrchr(line, ' ', n);
	size_t length;

	if (!target || target == version ||
	    !is_token(line, (size_t)(target - line)))
		return err_set(e, ERR_REQUEST, "the request line is no METHOD "
		               "TARGET HTTP/1.1");
	target++;
	length = (size_t)(version - target);
	version++;
	if (length == 0)
		return err_set(e, ERR_REQUEST, "the request target is empty");
	if (check_target(target, length, e) ||
	    count_entries(h, 1 + count(target, length, '&'), e))
		return -1;
	return take_version(h, version, n - (size_t)(version - line), e);
}

int hygiene_end(struct hygiene *h, struct err *e)
{
	if (!(h->seen >> HOST & 1) && !h->http_1_0)
		return err_set(e, ERR_REQUEST, "Host is missing");
	if (h->seen >> LENGTH & 1 && h->chunked)
		return err_set(e, ERR_REQUEST,
		               "Content-Length beside Transfer-Encoding");
	if (h->chunked && h->http_1_0)
		return err_set(e, ERR_REQUEST, "Transfer-Encoding in a request "
		               "of HTTP/1.0, which has none");
	if (h->coded)
		return err_set(e, ERR_CODING, "Transfer-Encoding is not "
		               "chunked, the only coding that is known");
	h->closes |= h->http_1_0 && !h->keeps;
	return 0;
}

uint64_t hygiene_length(const struct hygiene *h)
{
	return h->chunked ? LENGTH_UNKNOWN : h->length;
}
