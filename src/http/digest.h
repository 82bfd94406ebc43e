/* digest.h - the headers Content-Digest and Want-Content-Digest (RFC 9530),
 * with SHA-256 as the only algorithm. Digests by other algorithms are ignored,
 * as the standard allows. */
#ifndef HTTP_DIGEST_H
#define HTTP_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <nettle/sha2.h>

#include "base/err.h"

/* The digest of a request's body, updated as the body arrives. { 0 } checks no
 * digest. */
struct digest {
	bool wanted;
	uint8_t told[SHA256_DIGEST_SIZE];
	struct sha256_ctx hash;
};

/* Begins the digest of a body; header is the value of Content-Digest, or NULL
 * if the request has none. ERR_REQUEST if the value of the key sha-256 is not
 * the base64 form of 32 bytes between colons. */
int digest_begin(struct digest *d, const char *header, struct err *e);
void digest_add(struct digest *d, const void *bytes, size_t n);
/* Checks the digest after the last byte of the body: ERR_REQUEST if it differs
 * from the header's. */
int digest_end(struct digest *d, struct err *e);

/* Returns whether a Want-Content-Digest header asks for SHA-256: header is its
 * value, or NULL if the request has none. */
bool digest_is_wanted(const char *header);

/* Finishes the hash and writes "sha-256=:BASE64:", the value of a
 * Content-Digest header; returns text. */
enum { DIGEST_TEXT = 64 };
const char *digest_text(struct sha256_ctx *hash, char text[DIGEST_TEXT]);

#endif
