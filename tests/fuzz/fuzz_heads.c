/* fuzz_heads.c - arbitrary bytes as what arrives on a connection. The gate must
 * pass and refuse the same requests, wherever the bytes are cut into pieces;
 * and a request that it passes must be delimited as a second, simple reader of
 * the strict grammar delimits it.
 *
 * The first byte determines the size of the pieces. */
#include <strings.h>

#include "http/gate.h"
#include "patch.h"

struct passed {
	unsigned heads, requests;
	enum err_code refused;
	size_t whole;			/* bytes of the complete requests, only
					 * of bytes that came at once */
};

static struct passed feed(const uint8_t *data, size_t n, size_t piece)
{
	struct gate g = { 0 };
	struct err e = { 0 };
	struct passed p = { 0 };

	for (size_t at = 0; at < n && e.code == ERR_NONE; at += piece) {
		const size_t k = n - at < piece ? n - at : piece;
		char *copy = malloc(k);
		const unsigned before = g.requests;
		size_t took;

		memcpy(copy, data + at, k);
		took = gate_feed(&g, copy, k, &e);
		free(copy);
		fuzz_want(took <= k && (took == k || e.code != ERR_NONE ||
		                        g.state == GATE_CLOSED));
		fuzz_want(e.code == ERR_NONE || e.text[0]);
		fuzz_want(e.code == ERR_NONE || took == 0 ||
		          g.requests > before);
		p.whole = took;
	}
	fuzz_want(e.code != ERR_INTERNAL && e.code != ERR_MEMORY);
	fuzz_want(g.heads >= g.requests && g.heads - g.requests <= 1);
	p.heads = g.heads;
	p.requests = g.requests;
	p.refused = e.code;
	gate_fini(&g);
	return p;
}

/* Finds the end of a head that the gate has passed; returns its length. */
static size_t head_length(const char *s, size_t n)
{
	const char *end = memmem(s, n, "\r\n\r\n", 4);

	fuzz_want(end != NULL);
	return (size_t)(end - s) + 4;
}

/* Returns the value of the only header of that name, or NULL. */
static const char *header(const char *head, size_t n, const char *name)
{
	const size_t k = strlen(name);
	const char *found = NULL;

	for (size_t i = 2; i + k < n; i++)
		if (head[i - 1] == '\n' && head[i + k] == ':' &&
		    strncasecmp(head + i, name, k) == 0) {
			fuzz_want(!found);
			found = head + i + k + 1;
		}
	return found;
}

/* Returns the length of the chunked body at s. */
static size_t chunks_length(const char *s, size_t n)
{
	size_t at = 0, size;
	const char *end;

	do {
		size = (size_t)strtoull(s + at, NULL, 16);
		end = memmem(s + at, n - at, "\r\n", 2);
		fuzz_want(end != NULL);
		at = (size_t)(end - s) + 2;
		if (size)
			at += size + 2;
		fuzz_want(at <= n);
	} while (size);
	while (n - at >= 2 && memcmp(s + at, "\r\n", 2) != 0) {
		end = memmem(s + at, n - at, "\r\n", 2);
		fuzz_want(end != NULL);
		at = (size_t)(end - s) + 2;
	}
	return at + 2;
}

/* Asserts that n bytes are exactly so many requests; s ends with a NUL. */
static void check_requests(const char *s, size_t n, unsigned requests)
{
	for (size_t at = 0; requests > 0; requests--) {
		const char *head, *length, *coding;
		size_t k;

		if (n - at >= 2 && memcmp(s + at, "\r\n", 2) == 0)
			at += 2;
		head = s + at;
		k = head_length(head, n - at);
		length = header(head, k, "Content-Length");
		coding = header(head, k, "Transfer-Encoding");
		fuzz_want(!length || !coding);
		at += k;
		if (length)
			at += strtoull(length, NULL, 10);
		else if (coding)
			at += chunks_length(s + at, n - at);
		fuzz_want(at <= n && (requests > 1 || at == n));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct passed whole, pieces;
	char *text;

	if (n < 2)
		return 0;
	whole = feed(data + 1, n - 1, n - 1);
	pieces = feed(data + 1, n - 1, 1 + data[0] % 67);
	/* for one of two reasons, if a line that has both comes in pieces */
	fuzz_want((whole.refused == ERR_NONE) == (pieces.refused == ERR_NONE));
	fuzz_want(whole.heads == pieces.heads);
	fuzz_want(whole.requests == pieces.requests);
	if (whole.refused == ERR_NONE)
		return 0;
	text = malloc(whole.whole + 1);
	memcpy(text, data + 1, whole.whole);
	text[whole.whole] = 0;
	check_requests(text, whole.whole, whole.requests);
	free(text);
	return 0;
}
