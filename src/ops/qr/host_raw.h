/* host_raw.h - the verdict on LAPACK's h and tau, which mode=raw answers, on
 * the host: a few vectors are multiplied by the reflections. */
#ifndef OPS_QR_HOST_RAW_H
#define OPS_QR_HOST_RAW_H

#include "base/verdict.h"
#include "ops/qr/qr.h"

/* One matrix and its answer. */
struct host_raw {
	const struct qr_sizes *z;
	enum dtype dtype;
	const void *a;			/* row-major */
	const void *h, *tau;		/* h in columns of ld elements */
	size_t ld;
	const int *order;		/* the columns of A P, from 1; not read
					 * without pivoting */
	bool full;			/* quality=full */
	double *room;			/* HOST_RAW_ROOM(z) numbers */
};

#define HOST_RAW_ROOM(z) (3 * size_max((z)->m, (z)->n))

/* Sets the residual |A P - Q R| / (max(m,n) eps |A|) and the orthogonality
 * |I - Q^T Q| / (m eps). */
void host_raw_judge(const struct host_raw *r, struct verdict *v);

#endif
