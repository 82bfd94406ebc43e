/* matrix_reply.h - replies to a request with one matrix. */
#ifndef HTTP_MATRIX_REPLY_H
#define HTTP_MATRIX_REPLY_H

#include "http/handler.h"
#include "matrix/matrix.h"

/* Replies with m, which must not change until release(arg), as x-npy,
 * octet-stream, x-matrix-market, or as JSON {"matrix": ...}. ERR_ACCEPT when
 * the type cannot hold it. release is always called. */
int matrix_reply(struct exchange *x, const char *type, const struct matrix *m,
                 void (*release)(void *arg), void *arg, struct err *e);

/* Adds the headers Linalgd-Shape and Linalgd-Dtype. */
void matrix_reply_headers(struct exchange *x, const struct matrix *m);

#endif
