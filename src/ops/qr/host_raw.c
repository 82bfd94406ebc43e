/* host_raw.c - see host_raw.h. For a vector x of random signs, |D x|^2 has the
 * expectation |D|_F^2 (judge.h); with quality=full the vectors are those of the
 * identity, and their sum is exact. */
#include <math.h>
#include <string.h>

#include "ops/lapack/stack.h"
#include "ops/qr/host_raw.h"
#include "ops/qr/probe.h"

static const void *column(const struct host_raw *r, size_t j, size_t i)
{
	return (const char *)r->h + (j * r->ld + i) * dtype_bytes(r->dtype);
}

static double tau_of(const struct host_raw *r, size_t j)
{
	return r->dtype == FLOAT32 ? ((const float *)r->tau)[j] :
	                             ((const double *)r->tau)[j];
}

/* w = H_j w */
static void reflect(const struct host_raw *r, size_t j, double *w)
{
	probe_reflect(r->dtype, column(r, j, j), r->z->m - j, tau_of(r, j),
	              w + j);
}

/* Returns |unit (A P - Q R) x|. px has room for n numbers, w for m. */
static double product_off(const struct host_raw *r, const struct probed *a,
                          const double *x, double *px, double *w)
{
	const size_t m = r->z->m, n = r->z->n, k = r->z->k;

	memset(w, 0, m * sizeof *w);
	for (size_t j = 0; j < n; j++)
		probe_add(r->dtype, column(r, j, 0), x[j] * a->unit,
		          size_min(j + 1, k), w);
	for (size_t j = k; j-- > 0; )
		reflect(r, j, w);
	for (size_t j = 0; j < n; j++)
		px[r->z->pivots ? (size_t)r->order[j] - 1 : j] = x[j];
	return probe_off(a, px, w);
}

/* Returns |x - Q^T Q x|. */
static double q_off(const struct host_raw *r, const double *x, double *w)
{
	const size_t k = r->z->k;

	memset(w, 0, r->z->m * sizeof *w);
	memcpy(w, x, k * sizeof *w);
	for (size_t j = k; j-- > 0; )
		reflect(r, j, w);
	for (size_t j = 0; j < k; j++)
		reflect(r, j, w);
	for (size_t i = 0; i < k; i++)
		w[i] -= x[i];
	return probe_norm(w, k);
}

void host_raw_judge(const struct host_raw *r, struct verdict *v)
{
	const struct qr_sizes *z = r->z;
	const size_t most = size_max(z->m, z->n);
	const double eps = dtype_epsilon(r->dtype) / 2;
	double *const x = r->room, *const px = x + most, *const w = px + most;
	struct probed a = { r->dtype, r->a, z->m, z->n, 1 };
	double residual = 0, off = 0, size;

	a.unit = probe_unit(lapack_norm1(r->dtype, r->a, z->m, z->n, x));
	size = probe_size(&a);
	for (size_t j = 0; j < (r->full ? z->n : 1); j++) {
		lapack_poll();
		probe_fill(x, z->n, r->full, j);
		residual = hypot(residual, product_off(r, &a, x, px, w));
	}
	for (size_t j = 0; j < (r->full ? z->k : 1); j++) {
		lapack_poll();
		probe_fill(x, z->k, r->full, j);
		off = hypot(off, q_off(r, x, w));
	}
	v->residual = residual == 0 ? 0 :
	              residual / (size * eps * (double)most);
	v->orthogonality = off / (eps * (double)z->m);
}
