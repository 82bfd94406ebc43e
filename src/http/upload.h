/* upload.h - the reader for a request's body, chosen by its headers. */
#ifndef HTTP_UPLOAD_H
#define HTTP_UPLOAD_H

#include "format/reader.h"
#include "http/server.h"

/* By Content-Type, if the operands can fit into the sink's pool; the sink
 * lives as long as the reader. NULL: ERR_MEDIA, ERR_LENGTH, ERR_TOO_LARGE,
 * ERR_MEMORY, or what the format does not like. */
struct reader *upload_open(const struct exchange *x, const struct sink *k,
                           struct err *e);

/* What every request with a body says of these two: of a value that is none,
 * of octets without a type, and of a shape that no octets came for. All of
 * them -1 but for a dtype that is one. */
int upload_dtype(const char *value, int *dtype, struct err *e);
int upload_wants_dtype(struct err *e);
int upload_wants_no_shape(struct err *e);

#endif
