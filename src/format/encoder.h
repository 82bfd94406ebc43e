/* encoder.h - applies a content coding of HTTP to a body piece by piece: gzip
 * (RFC 1952) or zstd (RFC 8878). Both run at their fastest level, because
 * printed digits shrink to about half at every level. */
#ifndef FORMAT_ENCODER_H
#define FORMAT_ENCODER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct encoder;

/* The names of the codings, the preferred one first; NULL ends the array. */
extern const char *const encoder_codings[];

/* Makes an encoder; coding is an index in encoder_codings. NULL without
 * memory. */
struct encoder *encoder_new(int coding);
void encoder_free(struct encoder *c);		/* NULL is fine */

/* Encodes the next n bytes, and appends the output that is complete to out.
 * last: the body ends with these bytes. Returns 0, or -1 without memory. */
int encoder_add(struct encoder *c, const void *bytes, size_t n, bool last,
                struct text *out);

/* The largest memory of an encoder, in bytes. */
enum { ENCODER_BYTES = 2 << 20 };

#endif
