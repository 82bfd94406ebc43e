/* fuzz_texts.c - arbitrary bytes as the short texts that clients and operators
 * write: query strings, the values of headers and the token file. The first
 * byte chooses which. */
#include <sys/mman.h>
#include <stdio.h>
#include <unistd.h>

#include "http/accept.h"
#include "http/address.h"
#include "http/dates.h"
#include "http/digest.h"
#include "http/origin.h"
#include "http/prefer.h"
#include "http/query.h"
#include "http/range.h"
#include "http/token.h"
#include "http/traceparent.h"
#include "patch.h"

static size_t arguments;

static int take_argument(void *arg, const char *name, const char *value,
                         struct err *e)
{
	const size_t most = *(size_t *)arg;

	arguments++;
	fuzz_want(strlen(name) + strlen(value) <= most);
	return strcmp(name, "refused") == 0 ?
	       err_set(e, ERR_PARAMETER, "%.60s", value) : 0;
}

static void try_query(char *s, size_t n)
{
	struct err e = { 0 };
	size_t length = strlen(s);

	arguments = 0;
	fuzz_want((query_each(s, take_argument, &length, &e) == 0) ==
	          (e.code == ERR_NONE));
	fuzz_want(arguments <= length + 1);
	fuzz_want(!query_decode(s, n, false) || strlen(s) <= n);
}

static void try_range(char *s, size_t n)
{
	const uint64_t size = fuzz_number((uint8_t *)s) << (n % 48);
	char text[RANGE_TEXT];
	struct range r;

	if (!range_parse(n > 2 ? s + 2 : NULL, size, &r))
		return;
	fuzz_want(r.bytes <= size && (!r.bytes || r.first < size));
	fuzz_want(r.bytes <= size - (r.bytes ? r.first : 0));
	fuzz_want(strlen(range_text(&r, size, text)) < RANGE_TEXT);
}

static void try_prefer(char *s, size_t n)
{
	const int wait = prefer_wait(s, 60);

	(void)n;
	fuzz_want(wait >= -1 && wait <= 60);
	prefer_asynchronous(s);
}

static void try_accept(char *s, size_t n)
{
	static const char *const media[] = {
		"application/json", "application/x-npy",
		"text/plain; version=0.0.4", NULL,
	}, *const codings[] = { "zstd", "gzip", NULL };
	const int chosen = accept_choose(s, media);
	const int coding = accept_coding(s, codings, n % 2);
	const int quality = accept_quality(s, media[n % 3]);

	fuzz_want(chosen >= -1 && chosen < 3);
	fuzz_want(chosen < 0 || accept_quality(s, media[chosen]) > 0);
	fuzz_want(coding >= -1 && coding < 2);
	fuzz_want(quality >= 0 && quality <= 1000);
}

static void try_trace(char *s, size_t n)
{
	struct traceparent t = { 0 };
	char text[TRACEPARENT_TEXT];

	traceparent_take(&t, s, n);
	fuzz_want(strlen(traceparent_begin(&t, text)) == TRACEPARENT_TEXT - 1);
}

static void try_address(char *s, size_t n)
{
	static struct addresses all;
	struct sockaddr_storage a;
	struct address *one;

	(void)n;
	if (!address_parse(&a, s))
		return;
	fuzz_want(address_equals(&a, &a));
	one = address_take(&all, &a);
	fuzz_want(!one == (address_is_loopback(&a) != 0));
	address_give(&all, one);
}

static void try_digest(char *s, size_t n)
{
	struct digest d = { 0 };
	struct err e = { 0 };

	fuzz_want((digest_begin(&d, s, &e) == 0) == (e.code == ERR_NONE));
	digest_add(&d, s, n);
	if (e.code == ERR_NONE)
		fuzz_want((digest_end(&d, &e) == 0) == (e.code == ERR_NONE));
}

static void try_origin(char *s, size_t n)
{
	static const char *const names[] = { "https://a.example", NULL };
	const struct origin_rules r = {
		.loopback = n % 2, .listen = "localhost:8080",
		.hosts = names, .origins = names,
	};
	char *second = memchr(s, '\n', n);

	origin_knows_host(&r, s, n);
	origin_is_allowed(&r, s);
	if (second)
		*second++ = 0;
	origin_is_own(s, second ? second : "localhost:8080");
}

/* A file of these bytes, as a path; the caller closes *fd. */
static const char *file_of(const char *s, size_t n, int *fd)
{
	static char path[32];

	*fd = memfd_create("fuzz", 0);
	fuzz_want(*fd >= 0 && write(*fd, s, n) == (ssize_t)n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", *fd);
	return path;
}

static void try_tokens(char *s, size_t n)
{
	struct err e = { 0 };
	int fd;
	struct tokens *t = tokens_load(file_of(s, n, &fd), NULL, &e);

	fuzz_want((t != NULL) == (e.code == ERR_NONE));
	close(fd);
	tokens_free(t);
}

static void try_date(char *s, size_t n)
{
	char text[DATE_TEXT];
	int64_t ms, again;

	(void)n;
	if (!date_parse(s, &ms))
		return;
	fuzz_want(date_parse(date_text(ms, text), &again) && again == ms);
}

static void (*const tries[])(char *s, size_t n) = {
	try_query, try_range, try_prefer, try_accept, try_trace, try_address,
	try_digest, try_origin, try_tokens, try_date,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *s;

	if (n < 3)
		return 0;
	s = malloc(n);
	memcpy(s, data + 1, n - 1);
	s[n - 1] = 0;
	tries[data[0] % (sizeof tries / sizeof tries[0])](s, n - 1);
	free(s);
	return 0;
}
