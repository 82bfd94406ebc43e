/* digest.c - see digest.h. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <nettle/base64.h>

#include "http/digest.h"

static const char algorithm[] = "sha-256";

/* Finds the key sha-256 in a header that is a dictionary, of whose equal keys
 * the last counts (RFC 9651, 3.2). Returns the text from the key's value on, or
 * NULL if there is no such key. */
static const char *find(const char *header)
{
	const size_t n = sizeof algorithm - 1;
	const char *value = NULL;

	while (header && *(header += strspn(header, " \t,"))) {
		if (strncasecmp(header, algorithm, n) == 0 &&
		    header[n] == '=')
			value = header + n + 1;
		header = strchr(header, ',');
	}
	return value;
}

int digest_begin(struct digest *d, const char *header, struct err *e)
{
	const char *value = find(header);
	const char *end = value && *value == ':' ? strchr(value + 1, ':') :
	                  NULL;
	uint8_t bytes[BASE64_DECODE_LENGTH(64)];
	struct base64_decode_ctx c;
	size_t n = sizeof bytes;

	if (!value)
		return 0;
	base64_decode_init(&c);
	if (!end || end - value > 64 ||
	    !base64_decode_update(&c, &n, bytes, (size_t)(end - value) - 1,
	                          value + 1) ||
	    !base64_decode_final(&c) || n != sizeof d->told)
		return err_set(e, ERR_REQUEST, "Content-Digest: sha-256 is not "
		               "32 bytes in base64 between colons");
	memcpy(d->told, bytes, sizeof d->told);
	sha256_init(&d->hash);
	d->wanted = true;
	return 0;
}

void digest_add(struct digest *d, const void *bytes, size_t n)
{
	if (d->wanted)
		sha256_update(&d->hash, n, bytes);
}

int digest_end(struct digest *d, struct err *e)
{
	uint8_t came[SHA256_DIGEST_SIZE];

	if (!d->wanted)
		return 0;
	sha256_digest(&d->hash, sizeof came, came);
	return memcmp(came, d->told, sizeof came) == 0 ? 0 :
	       err_set(e, ERR_REQUEST, "Content-Digest: the body that came "
	               "has another sha-256");
}

bool digest_is_wanted(const char *header)
{
	const char *weight = find(header);

	return weight && *weight >= '1' && *weight <= '9';
}

const char *digest_text(struct sha256_ctx *hash, char text[DIGEST_TEXT])
{
	uint8_t bytes[SHA256_DIGEST_SIZE];
	char base64[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1];

	sha256_digest(hash, sizeof bytes, bytes);
	base64_encode_raw(base64, sizeof bytes, bytes);
	base64[sizeof base64 - 1] = 0;
	snprintf(text, DIGEST_TEXT, "%s=:%s:", algorithm, base64);
	return text;
}
