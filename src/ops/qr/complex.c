/* complex.c - A P = Q R of complex matrices by LAPACK on the host; see
 * ops/lapack/complex.h. */
#include <complex.h>
#include <string.h>

#include "ops/lapack/complex.h"
#include "ops/qr/qr.h"

enum { BLOCK = 64 };			/* columns of LAPACK's blocks */

static void put_order(const struct lapack_call *c, size_t index,
                      const int *order, size_t n)
{
	int64_t *const p = lapack_out(c->a, QR_P, index);

	for (size_t j = 0; p && j < n; j++)
		p[j] = order[j] - 1;
}

#define LAPACK_BODY "ops/qr/complex_typed.h"
#include "ops/lapack/each_complex.h"

/* With no rows or no columns Q is the identity and R has no elements. */
static struct failure_detail empty(const struct lapack_call *c, size_t index,
                                   cplx *q)
{
	const struct qr_sizes *z = complex_how(c);
	int64_t *const p = lapack_out(c->a, QR_P, index);

	for (size_t i = 0; i < z->m * z->columns; i++)
		q[i] = i % (z->m + 1) == 0;
	for (size_t j = 0; p && j < z->n; j++)
		p[j] = (int64_t)j;
	put_q(c, index, z, q);
	return (struct failure_detail){ .code = ERR_NONE };
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct qr_sizes *z = complex_how(c);

	if (z->k == 0)
		return empty(c, index, room);
	if (c->a->dtype == COMPLEX128 || !decompose_c(c, index, room))
		decompose(c, index, room);
	return (struct failure_detail){ .code = ERR_NONE };
}

int qr_complex(struct seq *s, struct args *a)
{
	const struct qr_sizes z = qr_sizes_of(a);
	const size_t columns = size_max(z.n, z.columns);

	return complex_run(&(struct lapack_call){
		.rows = size_max(z.m, z.n), .operands = 1, .one = one,
		.how = &z,
		.room = COMPLEX_BYTES(z.m * columns) +
		        COMPLEX_BYTES(z.m * z.n) +
		        COMPLEX_BYTES(z.columns * z.n) + COMPLEX_BYTES(z.k) +
		        COMPLEX_BYTES((BLOCK + 1) * columns) +
		        COMPLEX_BYTES(5 * size_max(z.m, z.n)) +
		        2 * COMPLEX_BYTES(z.n),
	}, s, a);
}
