/* complex_system_typed.h - complex_system.h for one of the two types
 * (ops/lapack/each_complex.h). */

/* One system. */
struct TYPED(complex_system) {
	const number *a;		/* n x n: A, or A^T; a general matrix
					 * may be the operand itself */
	bool across;			/* op(A) is the transpose of a */
	bool half;			/* a is conj(A), hermitian; its upper
					 * triangle is read */
	number *copy;			/* n x n, for A if it is no operand */
	number *lu;			/* A's factors; unused for a triangular
					 * A */
	size_t ld;			/* of lu: see complex_ld() */
	real *sizes;			/* n x n: the moduli of A's elements,
					 * for refinement */
	number *b, *x;			/* n x sides */
	int *pivots;
	double norm;			/* |op(A)| in the 1-norm */
	double rcond;			/* of op(A); 0: not estimated yet */
	double up;			/* A and B have been multiplied by it */
};

/* Room for LAPACK and for the verdict: 2 n elements, 3 n + 2 sides numbers, and
 * complex_refine_room() bytes. */
struct TYPED(complex_spare) {
	number *elements;
	real *numbers;
	void *refined;
};

/* Refines X, and sets the verdict if one is wanted. Overwrites B if that is not
 * of the operand's type. By a solver that has `quick`, returns false if the
 * backward error has not become that of a few roundings; then there is no
 * verdict. */
bool TYPED(complex_improve)(const struct lapack_call *c, size_t index,
                            const struct TYPED(complex_solver) *solver,
                            const struct TYPED(complex_system) *y,
                            const struct TYPED(complex_spare) *room);
