/* divide_room.h - the arrays that the kernels of divide and conquer
 * (kernels/tridiagonal/divide.h) share with src/ops/tridiagonal/divide.c.
 * Included by C and by OpenCL C.
 *
 * T is extended to an order N that halves evenly down to the leaves. At each
 * level, node i owns the part [i size, (i + 1) size) of every array. */
#ifndef KERNELS_SHARED_DIVIDE_ROOM_H
#define KERNELS_SHARED_DIVIDE_ROOM_H

/* The most rows of a leaf. On an NVIDIA H200, leaves of up to 32 rows took
 * 0.1 ms more than leaves of up to 16 rows and one more level. */
#define DIVIDE_LEAF 16

/* Arrays of N numbers of `wide`, one after another in one buffer. `Sorted`: in
 * ascending order of the diagonal D of D + rho z z^T. A pole is an element of D
 * that was not deflated. */
enum divide_array {
	DIVIDE_VALUES,		/* eigenvalues of the nodes, not sorted */
	DIVIDE_FIRST,		/* first rows of the nodes' eigenvectors */
	DIVIDE_LAST,		/* last rows */
	DIVIDE_COUPLING,	/* e, then zeros */
	DIVIDE_D,		/* sorted */
	DIVIDE_Z,
	DIVIDE_D_FIRST,		/* first and last rows, sorted like D */
	DIVIDE_D_LAST,
	DIVIDE_POLE,		/* ascending */
	DIVIDE_WEIGHT,		/* their elements of z */
	DIVIDE_POLE_FIRST,
	DIVIDE_POLE_LAST,
	DIVIDE_SHIFT,		/* lambda_j minus the pole DIVIDE_ORIGIN */
	DIVIDE_FITTED,		/* z for which the computed roots are exact */
	DIVIDE_SCALE,		/* 1 / norms of the eigenvectors */
	DIVIDE_COS,		/* of the rotations */
	DIVIDE_SIN,
	DIVIDE_RHO,		/* a node's rho is its first element */
	DIVIDE_ARRAYS
};

/* Arrays of N integers. Columns and positions count from a node's first. */
enum divide_list {
	DIVIDE_ORDER,		/* columns in ascending order of their values */
	DIVIDE_KIND,		/* enum divide_kind, sorted like D */
	DIVIDE_KEPT,		/* positions in D whose z is not negligible */
	DIVIDE_LEFT,		/* positions in D of a rotation's columns, of */
	DIVIDE_RIGHT,		/* which the left one is deflated; if left is
				 * negative, the rotation does not exist */
	DIVIDE_SOURCE,		/* column of Q that becomes column p of P */
	DIVIDE_PACKED,		/* pole of column p of P */
	DIVIDE_ORIGIN,		/* the pole nearest to a root */
	DIVIDE_COUNTS,		/* COUNT_LENGTH for each node, one node after
				 * another */
	DIVIDE_LISTS
};

/* Where a column of Q has elements that are not zero: bits. */
enum divide_kind {
	DIVIDE_DEFLATED = 0, DIVIDE_UPPER = 1, DIVIDE_LOWER = 2,
	DIVIDE_FULL = 3
};

/* How many poles a node has, how many of these are of each kind, and how many
 * rotations there may be. */
enum divide_count {
	COUNT_POLES, COUNT_UPPER, COUNT_FULL, COUNT_LOWER, COUNT_PAIRS,
	COUNT_LENGTH
};

#endif
