/* eigen_state.h - what eigen's kernels and host code exchange: indices into
 * small arrays of `acc` (see eigen.h).
 *
 * All numbers are for B = unit A, where unit is the power of two that puts the
 * largest |a_ij| into [1, 2): no product overflows or underflows. */
#ifndef KERNELS_SHARED_EIGEN_STATE_H
#define KERNELS_SHARED_EIGEN_STATE_H

/* The state of an iteration v -> y = scale (B v + shift v) - pull u, where u is
 * the v of the round before. */
enum eigen_state {
	STATE_DONE,	/* not 0: the rounds still queued return at once */
	STATE_ROUNDS,	/* products so far */
	STATE_LOW,	/* min and max of (B v)_i / v_i over v_i > 0 */
	STATE_HIGH,
	STATE_VALUE,	/* v.Bv / v.v */
	STATE_ERROR,	/* |B v - value v| / |v|, value of the round before */
	STATE_SCALE,	/* the power of two for the next y */
	STATE_PEAK,	/* max |y_i| */
	STATE_SHIFT,
	STATE_MOMENTUM,	/* the pull, if nothing were scaled */
	STATE_PULL,
	STATE_UNIT,
	STATE_FLOOR,	/* > 0: stop by the bracket; positive y_i stay above */
	STATE_TOL,
	STATE_LENGTH
};

/* The partial results of a round that each block of rows contributes. */
enum eigen_part {
	PART_LOW, PART_HIGH, PART_PEAK, PART_VY, PART_VV, PART_RR, PART_LENGTH
};

/* The structure of a block of rows of A. */
enum eigen_look {
	LOOK_LOWEST,	/* min a_ij */
	LOOK_LARGEST,	/* max |a_ij|; infinite if any is not finite */
	LOOK_SMALLEST,	/* min |a_ij| over nonzeros; infinite without any */
	LOOK_NORM,	/* max over rows of the sum of |a_ij| */
	LOOK_BELOW,	/* not 0: a nonzero below the diagonal */
	LOOK_ABOVE,
	LOOK_LENGTH
};

#endif
