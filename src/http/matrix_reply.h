/* matrix_reply.h - replies to a request with one matrix. */
#ifndef HTTP_MATRIX_REPLY_H
#define HTTP_MATRIX_REPLY_H

#include <nettle/sha2.h>

#include "http/handler.h"
#include "matrix/matrix.h"

/* Replies with m, which must not change until release(arg), as x-npy,
 * octet-stream, x-matrix-market, or as JSON {"matrix": ...}. ERR_ACCEPT when
 * the type cannot hold it. release is always called. */
int matrix_reply(struct exchange *x, const char *type, const struct matrix *m,
                 void (*release)(void *arg), void *arg, struct err *e);

/* Replies as matrix_reply(), with a Content-Length for the text formats: bytes
 * is the length of the text, UINT64_MAX if it is unknown. */
int matrix_reply_sized(struct exchange *x, const char *type,
                       const struct matrix *m, uint64_t bytes,
                       void (*release)(void *arg), void *arg, struct err *e);

/* Checks that a media type can represent the matrix; else ERR_ACCEPT. */
int matrix_reply_check(const char *type, const struct matrix *m,
                       struct err *e);

/* Counts the bytes that matrix_reply() sends, and hashes them unless hash is
 * NULL. The work is done in slices (base/slice.h). */
int matrix_reply_measure(const char *type, const struct matrix *m,
                         uint64_t *bytes, struct sha256_ctx *hash,
                         struct err *e);

/* Adds the headers Linalgd-Shape and Linalgd-Dtype. */
void matrix_reply_headers(struct exchange *x, const struct matrix *m);

#endif
