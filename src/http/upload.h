/* upload.h - opens the reader for a request's body. */
#ifndef HTTP_UPLOAD_H
#define HTTP_UPLOAD_H

#include "format/reader.h"
#include "http/handler.h"

/* Opens the reader that Content-Type names, if the operands can fit into the
 * sink's pool; the sink must outlive the reader. NULL with ERR_MEDIA,
 * ERR_LENGTH, ERR_TOO_LARGE, ERR_MEMORY, or an error of the format. */
struct reader *upload_open(const struct exchange *x, const struct sink *k,
                           struct err *e);

/* The common handling of the parameters dtype and shape. upload_dtype()
 * parses a dtype. The other two only set an error and return -1: raw octets
 * without a dtype, and a shape for a body that is not raw octets. */
int upload_dtype(const char *value, int *dtype, struct err *e);
int upload_wants_dtype(struct err *e);
int upload_wants_no_shape(const char *name, bool in_query, struct err *e);

/* Converts a matrix that is to be stored to the dtype that the query names, or
 * to none if that is -1. raw: its elements are raw octets, which have that type
 * already, or the one that element_dtype() gives for it. */
int upload_settle(struct matrix *m, const char *name, int dtype, bool raw,
                  struct memory_pool *p, struct err *e);

#endif
