/* service.h - one request to an operation of the service: operands as raw
 * bytes, one after another, and outputs as raw bytes or as an npz.
 *
 * LINALGD_URL    http://127.0.0.1:8080 (the default), https://... or unix:/PATH
 * LINALGD_TOKEN  a token, where the service wants one
 * LINALGD_LAPACK_TIMEOUT  the seconds that a request may take, 600 by default;
 *                0: as long as it needs
 *
 * Each thread keeps one connection. When the service cannot be reached or does
 * not answer in time, no thread tries again for some seconds, so that a program
 * goes on without it as fast as it would alone. */
#ifndef CLIENTS_LAPACK_SERVICE_H
#define CLIENTS_LAPACK_SERVICE_H

#include "base/text.h"
#include "clients/lapack/kind.h"

struct service {
	const struct kind *kind;
	struct text path, body, answer;
	bool several;			/* the answer is an npz */
};

/* Begins a request to the operation. `parameters` are appended to its query, as
 * "&return=lu,pivots" or "". If `several` is set, the request has several
 * outputs and asks for an npz, else it has one and asks for raw bytes. The
 * caller always passes *s to service_fini(). */
void service_begin(struct service *s, const struct kind *k, const char *op,
                   const char *parameters, bool several);
void service_fini(struct service *s);

/* Adds an operand of rows x columns elements. Returns where the caller has to
 * store them, by rows, before its next call here; NULL without memory. */
void *service_operand(struct service *s, const char *name, size_t rows,
                      size_t columns);

/* Sends the request. Returns whether the service has answered it. */
bool service_ask(struct service *s);

/* Returns the output of that name, which may be unaligned, or NULL if it does
 * not have n elements of `size` bytes each. */
const void *service_output(const struct service *s, const char *name, size_t n,
                           size_t size);

#endif
