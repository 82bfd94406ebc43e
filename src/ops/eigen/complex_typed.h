/* complex_typed.h - xHEEVD for one of the two types
 * (ops/lapack/each_complex.h). */

/* Overwrites x, which is hermitian, by its eigenvectors if `vectors` is set.
 * Returns LAPACK's info. */
static int TYPED(heevd)(const struct lapack *l, bool vectors, size_t n,
                        number *x, real *values, struct complex_room r)
{
	const size_t reals = 1 + 5 * n + 2 * n * n, work = 2 * n + n * n;
	const size_t integers = 3 + 5 * n;
	number *const w = complex_array(&r, work, sizeof *w);
	real *const rwork = complex_array(&r, reals, sizeof *rwork);
	int *const iwork = complex_array(&r, integers, sizeof *iwork);

	return OF(l)->heevd(LAPACK_COLUMNS, vectors ? 'V' : 'N', 'L', (int)n,
	                    x, (int)n, values, w, (int)work, rwork,
	                    (int)reals, iwork, (int)integers);
}
