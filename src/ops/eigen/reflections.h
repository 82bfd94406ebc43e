/* reflections.h - Z = Q Z on the host, where Q = H_k ... H_2 H_1 is what
 * xSYTRD computes from A's upper triangle. xORMTR computes the same by blocks
 * of 32 reflections, and multiplies by their triangular parts separately.
 * Here the vectors of a block are the columns of a rectangle V, padded with
 * zeros, so that nearly all operations are xGEMM's. With
 *
 *     U = the upper triangle of V^T V, its diagonal replaced by 1 / tau,
 *
 * the block's product is I - V U^-T V^T (C. Puglisi, "Modification of the
 * Householder Method Based on the Compact WY Representation", 1992). */
#ifndef OPS_EIGEN_REFLECTIONS_H
#define OPS_EIGEN_REFLECTIONS_H

#include "ops/lapack/lapack.h"

struct reflections {
	const struct lapack *l;
	int n, ld;			/* ld: leading dimension of a and z */
	const void *a;			/* n x n, by columns: the matrix that
					 * xSYTRD has overwritten */
	const void *tau;		/* n - 1 */
	void *room;			/* of reflections_room() elements */
};

/* Returns how many elements of `room` the product with `columns` columns
 * needs. */
size_t reflections_room(size_t n, size_t columns);

/* Overwrite z, which is n x columns, by columns, with Q Z. */
void reflections_times_s(const struct reflections *r, float *z, int columns);
void reflections_times_d(const struct reflections *r, double *z, int columns);

#endif
