/* device.h - what expm's files for the device share: device.c and
 * approximant.c. */
#ifndef OPS_EXPM_DEVICE_H
#define OPS_EXPM_DEVICE_H

#include "device/seq.h"
#include "ops/lu/substitute.h"
#include "ops/op.h"
#include "shared/expm_tile.h"

struct expm_task {
	struct seq *s;
	struct args *a;
	size_t n, each;			/* bytes of an element */
	size_t index;			/* of the matrix in the stack */
	int exponent;			/* its norm is below 2^exponent */
	int32_t beside;			/* EXPM_BELOW, EXPM_ABOVE */
	double *host;			/* n sums */
	int *powers;			/* of balancing; NULL: not yet */
	void *balanced;			/* a matrix on the host */
	struct buf operand, out;
	struct buf in;			/* the operand or, after balancing, out:
					 * it holds the matrix until its answer
					 * takes the place */
	struct buf a1, a2, a4, a6, u, v, w;
	struct buf ones, x, y;		/* n wide numbers each */
	struct buf bits;		/* `beside` */
	struct buf place;
	struct factors f;
	struct substitution how;
};

/* The grid of a kernel with an item for each element. */
#define EXPM_BY_ELEMENTS(t) GRID2((t)->n, (t)->n, EXPM_GROUP, 1)

/* A real argument of a kernel has the sequence's element type. */
#define EXPM_REAL(t, x)                                                      \
	((t)->each == sizeof(double) ?                                       \
	 (struct arg){ sizeof(double), &(double){ (x) }, 0 } :               \
	 (struct arg){ sizeof(float), &(float){ (float)(x) }, 0 })

/* c = a b */
void expm_times(const struct expm_task *t, struct buf a, struct buf b,
                struct buf c);

/* a4 = (V + U) (V - U)^-1; a2 gets the factors. */
void expm_approximate(struct expm_task *t, int degree);

#endif
