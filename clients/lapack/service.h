/* service.h - one request to an operation of the service: operands as raw
 * bytes, one after another, and outputs as raw bytes or as an npz.
 *
 * LINALGD_URL    http://127.0.0.1:8080 (the default), https://... or unix:/PATH
 * LINALGD_TOKEN  a token, where the service wants one
 *
 * Each thread keeps one connection. When the service cannot be reached, no
 * thread tries again for some seconds, so that a program goes on without it as
 * fast as it would alone. */
#ifndef CLIENTS_LAPACK_SERVICE_H
#define CLIENTS_LAPACK_SERVICE_H

#include "base/text.h"
#include "clients/lapack/kind.h"

struct service {
	const struct kind *kind;
	struct text path, body, answer;
	bool several;			/* the answer is an npz */
};

/* Begins a request to the operation, which has further parameters, as in
 * "&return=lu,pivots", or "". With `several` the answer has several outputs.
 * In any case the caller passes *s to service_fini(). */
void service_begin(struct service *s, const struct kind *k, const char *op,
                   const char *parameters, bool several);
void service_fini(struct service *s);

/* Adds an operand with so many rows and columns, and returns where the caller
 * has to store its elements by rows, before the next call; NULL without
 * memory. */
void *service_operand(struct service *s, const char *name, size_t rows,
                      size_t columns);

/* Sends the request. Returns whether the service has answered it. */
bool service_ask(struct service *s);

/* Returns n elements of `size` bytes each, which is the whole output of that
 * name, or NULL if it has another length. They may lie at any address. */
const void *service_output(const struct service *s, const char *name, size_t n,
                           size_t size);

#endif
