/* complex_refine_typed.h - complex_refine.h for one of the two types
 * (ops/lapack/each_complex.h). */

/* Matrices are column-major. */
struct TYPED(complex_refinement) {
	const struct TYPED(complex_solver) *solver;
	size_t n, sides;
	bool turned;			/* op(A) is A^T, else A */
	const number *a;		/* n x n: A or A^T */
	const real *sizes;		/* n x n: the moduli of a's elements */
	bool across;			/* op(A) is the transpose of a */
	bool half;			/* a is conj(A), hermitian; its upper
					 * triangle and that of `sizes` are
					 * read */
	const number *b;		/* n x sides */
	number *x;			/* n x sides, refined in place */
	real *weight;			/* n */
	double ratio;			/* set to the largest |b - op(A) x| /
					 * |x| of a column, in the 1-norm */
	double error;			/* set to the largest componentwise
					 * backward error */
	void *room;			/* complex_refine_room() bytes */
};

/* Corrects X by op(A)^-1 (B - op(A) X), at most five times, until the
 * componentwise backward error of every column is at most eps (by LU factors in
 * complex64: COMPLEX_FEW_ROUNDINGS), or is not halved any more. B - op(A) X is
 * computed in complex128. Sets element i of `weight` to the largest
 *
 *     (|b - op(A) x| + (n + 1) eps (|op(A)| |x| + |b|))_i / max |x|
 *
 * with complex128's eps, of all columns, so that the forward error of each,
 * relative to its largest element, is at most max (|op(A)^-1| weight). */
void TYPED(complex_refine)(struct TYPED(complex_refinement) *q);
