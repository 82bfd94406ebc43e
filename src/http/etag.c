/* etag.c - see etag.h. */
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "http/dates.h"
#include "http/digest.h"
#include "http/etag.h"

/* A number that is the same in all tags: the service's, or a random one. */
static const uint64_t *service_number;

void etag_set_service(const uint64_t *n)
{
	service_number = n;
}

static uint64_t service(void)
{
	static uint64_t number;

	if (service_number && *service_number)
		return *service_number;
	while (!number)
		io_random(&number, sizeof number);
	return number;
}

const char *etag_of(const struct stored *s, const char *form,
                    char etag[ETAG_TEXT])
{
	snprintf(etag, ETAG_TEXT, "\"%llx.%llx%s%.16s\"",
	         (unsigned long long)service(),
	         (unsigned long long)s->version, form ? "-" : "",
	         form ? form : "");
	return etag;
}

const char *etag_of_text(const char *text, size_t n, char etag[ETAG_TEXT])
{
	enum { BYTES = 16 };
	uint8_t digest[BYTES];
	struct sha256_ctx hash;
	char *to = etag;

	sha256_init(&hash);
	sha256_update(&hash, n, (const uint8_t *)text);
	sha256_digest(&hash, BYTES, digest);
	*to++ = '"';
	for (int i = 0; i < BYTES; i++)
		to += sprintf(to, "%02x", digest[i]);
	strcpy(to, "\"");
	return etag;
}

/* Returns the length of a tag of n bytes without "-FORM" and without its
 * closing quote. */
static size_t version_length(const char *tag, size_t n)
{
	const char *dash = memchr(tag, '-', n);

	return dash ? (size_t)(dash - tag) : n - 1;
}

static bool ends_as_coding(const char *s, size_t n)
{
	return n == 6 && (memcmp(s, "-gzip\"", 6) == 0 ||
	                  memcmp(s, "-zstd\"", 6) == 0);
}

/* Returns whether `one`, an entity tag of n bytes with its quotes from a
 * header's list, names the representation whose tag is etag, or, if any_form is
 * set, the same version in any form. */
static bool names(const char *one, size_t n, const char *etag, bool any_form)
{
	const size_t whole = strlen(etag);
	const size_t version = version_length(etag, whole);
	const size_t own = version_length(one, n);

	if (own != version || memcmp(one, etag, version) != 0)
		return false;
	return any_form || own == n - 1 ||
	       (n == whole && memcmp(one, etag, n) == 0) ||
	       (n > whole && memcmp(one, etag, whole - 1) == 0 &&
	        ends_as_coding(one + whole - 1, n - whole + 1));
}

bool etag_is_any(const char *list)
{
	return list && list[strspn(list, " \t,")] == '*';
}

bool etag_is_in(const char *list, const char *etag, bool any_form, bool weak)
{
	while (*(list += strspn(list, " \t,"))) {
		const bool is_weak = strncmp(list, "W/", 2) == 0;
		const char *end;

		if (*list == '*')
			return true;
		list += is_weak ? 2 : 0;
		end = *list == '"' ? strchr(list + 1, '"') : NULL;
		if (!end)
			return false;
		if ((weak || !is_weak) &&
		    names(list, (size_t)(end - list) + 1, etag, any_form))
			return true;
		list = end + 1;
	}
	return false;
}

static int refuse(const char *header, const char *why, struct err *e)
{
	return err_set(e, ERR_PRECONDITION, "%s: %s", header, why);
}

bool etag_has_conditions(const struct exchange *x)
{
	return exchange_header(x, "If-Match") ||
	       exchange_header(x, "If-None-Match") ||
	       exchange_header(x, "If-Unmodified-Since");
}

/* Checks If-Match; without it, If-Unmodified-Since. */
static int admit_same(const struct exchange *x, const char *etag,
                      int64_t stored_ms, struct err *e)
{
	const char *match = exchange_header(x, "If-Match");
	bool given;

	if (match)
		return etag_is_in(match, etag, true, false) ? 0 :
		       refuse("If-Match", "the matrix has changed", e);
	if (!date_unchanged(x, "If-Unmodified-Since", stored_ms, &given) &&
	    given)
		return refuse("If-Unmodified-Since", "the matrix has changed",
		              e);
	return 0;
}

int etag_admit_change(const struct exchange *x, const struct stored *s,
                      struct err *e)
{
	const char *none = exchange_header(x, "If-None-Match");
	char etag[ETAG_TEXT];

	if (!s)
		return exchange_header(x, "If-Match") ?
		       refuse("If-Match", "there is no such matrix", e) : 0;
	etag_of(s, NULL, etag);
	if (admit_same(x, etag, s->created_ms, e))
		return -1;
	if (none && etag_is_in(none, etag, true, true))
		return refuse("If-None-Match", "the matrix is there", e);
	return 0;
}

int etag_admit_read(const struct exchange *x, const char *etag,
                    int64_t stored_ms, struct err *e)
{
	const char *none = exchange_header(x, "If-None-Match");

	if (admit_same(x, etag, stored_ms, e))
		return -1;
	return none ? etag_is_in(none, etag, false, true) :
	       date_unchanged(x, "If-Modified-Since", stored_ms, NULL);
}
