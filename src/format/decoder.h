/* decoder.h - decodes a content coding of HTTP (RFC 9110, section 8.4.1) piece
 * by piece: gzip (RFC 1952), also with several members, and zstd (RFC 8878).
 *
 * A decoder never allocates more than some 8 MiB: a zstd frame that declares a
 * larger window is refused, as RFC 9659 demands for HTTP. The caller must limit
 * the decoded length.
 */
#ifndef FORMAT_DECODER_H
#define FORMAT_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct decoder;

/* The value for the header Accept-Encoding that lists all codings. */
extern const char decoder_codings[];

/* Returns whether coding, the value of Content-Encoding, stands for no coding:
 * it is NULL, empty or "identity". */
bool decoder_is_identity(const char *coding);

/* Makes a decoder for the value of Content-Encoding. NULL with ERR_MEDIA if the
 * coding is unknown or the value lists several, or with ERR_MEMORY. */
struct decoder *decoder_new(const char *coding, struct err *e);
void decoder_free(struct decoder *d);		/* NULL is fine */

/* Decodes some of the *n bytes at *from; advances *from past the used bytes and
 * subtracts them from *n. Writes at most `most` bytes to room, and returns how
 * many. If it returns less than `most`, all input is used. -1 with ERR_REQUEST
 * if the stream is malformed. */
ssize_t decoder_run(struct decoder *d, const char **from, size_t *n,
                    void *room, size_t most, struct err *e);

/* To be called after the last byte: ERR_REQUEST if the stream is truncated. */
int decoder_end(const struct decoder *d, struct err *e);

/* Returns the bytes of memory that the decoder has allocated. */
size_t decoder_memory(const struct decoder *d);

#endif
