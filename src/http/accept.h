/* accept.h - chooses a media type by the header Accept (RFC 9110, 12.5.1). */
#ifndef HTTP_ACCEPT_H
#define HTTP_ACCEPT_H

#include <stdbool.h>

/* The quality in thousandths, 0 to 1000, that an Accept header gives to a
 * media type: that of the most specific range that fits. 1000 if header is
 * NULL. If the media type has parameters ("; version=1"), a range that gives
 * one of them another value does not fit; no other parameter matters. */
int accept_quality(const char *header, const char *media_type);

/* Index of the type with the highest quality in a NULL-terminated list, the
 * first among equals; -1 when none is acceptable. */
int accept_choose(const char *header, const char *const *media_types);

/* Chooses a content coding for a reply. header is the value of Accept-Encoding,
 * NULL if the client has sent none; codings is a list that NULL ends, the
 * preferred coding first. Returns the index of the coding with the largest
 * weight, or -1 for identity, no coding. Identity is chosen if its weight is
 * larger than that of each coding, and also if neither is acceptable, because
 * RFC 9110, 12.5.3, then prefers an unencoded reply to an error. only_asked: a
 * coding is chosen only if the header itself gives identity a lower weight. */
int accept_coding(const char *header, const char *const *codings,
                  bool only_asked);

#endif
