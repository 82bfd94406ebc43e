/* complex_solver_typed.h - complex_solver.h for one of the two types
 * (ops/lapack/each_complex.h). */

/* The factors of an n x n matrix A: P A = L U or, with `cholesky`, the lower
 * triangle of A = L L^H. */
struct TYPED(complex_solver) {
	const struct lapack *l;
	size_t n;
	bool cholesky;
	const number *lu;		/* n x n, column-major */
	size_t ld;
	const int *pivots;		/* row i is swapped with row pivots[i]
					 * - 1 */
	const struct complex_solver_c *quick;	/* in complex128: factors in
						 * complex64, if these take the
						 * place of lu */
	cplx_c *narrow;			/* n x COMPLEX_NARROW, with quick */
};

/* Overwrites n x sides numbers by A^-1 X, A^-T X or A^-H X: `trans` is 'N', 'T'
 * or 'C', with `cholesky` not 'T'. */
void TYPED(complex_invert)(const struct TYPED(complex_solver) *s, char trans,
                           size_t sides, number *x);

/* Returns an estimate of 1 / (|A| |A^-1|) in the 1-norm, or, if `turned`, in
 * the infinity norm. `norm` is |A|. There is room for 2 n elements and 2 n
 * numbers. */
double TYPED(complex_rcond)(const struct TYPED(complex_solver) *s, bool turned,
                            double norm, number *elements, real *numbers);

/* Returns an estimate of the 1-norm of an n x n matrix M, infinity if a product
 * overflows (N. Higham 1988, algorithm 2.4; LAPACK's xLACN2). apply() replaces
 * x by M x or, if `back`, by M^H x. x has room for n elements. */
double TYPED(complex_estimate)(void (*apply)(const void *how, bool back,
                                             number *x),
                               const void *how, size_t n, number *x);

/* Returns an estimate of the largest element of |op(A)^-1| w, divided by
 * `size`, for a vector w, which is overwritten. op(A) is A^T if `turned`, and
 * `norm` is |op(A)|. x has room for n elements. */
double TYPED(complex_bound)(const struct TYPED(complex_solver) *s, bool turned,
                            real *w, double norm, double size, number *x);
