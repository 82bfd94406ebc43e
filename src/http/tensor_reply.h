/* tensor_reply.h - inference requests of the Open Inference Protocol: finds the
 * operation, opens the reader of the body, makes the reply. format/tensors.h
 * describes their format. */
#ifndef HTTP_TENSOR_REPLY_H
#define HTTP_TENSOR_REPLY_H

#include "format/tensors.h"
#include "http/job_reply.h"

/* Returns the operation that the path names and allocates *r, which the caller
 * frees; NULL with ERR_NOT_FOUND or ERR_MEMORY. */
const struct op *tensor_op(const struct exchange *x, struct tensor_request **r,
                           struct err *e);

/* Opens the reader of the body. The header Inference-Header-Content-Length
 * tells how many of the body's bytes are JSON. */
struct reader *tensor_upload(const struct exchange *x, const struct sink *k,
                             struct tensor_request *r, struct err *e);

extern const struct reply_format tensor_format;

#endif
