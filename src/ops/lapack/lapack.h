/* lapack.h - LAPACK on the host: in workers only, loaded when it is first
 * needed.
 *
 * It is not linked in, because OpenBLAS starts its threads as soon as it is
 * loaded, and the front must have none of them. OPENBLAS_NUM_THREADS limits
 * their number; a worker sets it to its share of the processors.
 *
 * struct lapack has every routine for float32 and for float64: l->s.potrf is
 * SPOTRF, l->d.potrf DPOTRF. The file each_type.h compiles code once for each
 * type, and each_complex.h once for complex64 and once for complex128; stack.h
 * runs such code over the matrices of a stack.
 *
 * Matrices are column-major, and workspaces are the caller's: these are the
 * "_work" functions of LAPACKE, with LAPACK_COLUMNS as their first argument. A
 * row-major matrix is the transpose of a column-major one, so that symmetric
 * matrices need no conversion, only the other triangle: the lower triangle of a
 * row-major matrix is 'U' for LAPACK. None of the routines may be given NaN or
 * infinity, with which some of them never end.
 *
 * When the sequence that lapack_load() was given is cancelled, a routine that
 * runs ends early, and the next ones at once (escape.h): what they should have
 * computed is undefined, and those that return info return 1. */
#ifndef OPS_LAPACK_LAPACK_H
#define OPS_LAPACK_LAPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "ops/lapack/complex_routines.h"
#include "ops/lapack/routines.h"

struct seq;

enum { LAPACK_COLUMNS = 102 };		/* LAPACK_COL_MAJOR */

#define LAPACK_POINTER(name, parameters, arguments) int (*name) parameters;
#define LAPACK_BLAS_POINTER(name, parameters, arguments) \
	void (*name) parameters;

struct lapack_s {
	LAPACK_ROUTINES(LAPACK_POINTER, float)
	LAPACK_BLAS_ROUTINES(LAPACK_BLAS_POINTER, float)
};

struct lapack_d {
	LAPACK_ROUTINES(LAPACK_POINTER, double)
	LAPACK_BLAS_ROUTINES(LAPACK_BLAS_POINTER, double)
};

struct lapack_c {
	LAPACK_COMPLEX_ROUTINES(LAPACK_POINTER, cplx_c, float)
};

struct lapack_z {
	LAPACK_COMPLEX_ROUTINES(LAPACK_POINTER, cplx, double)
};

struct lapack {
	struct lapack_s s;
	struct lapack_d d;
	struct lapack_c c;		/* complex64 (complex.h) */
	struct lapack_z z;		/* complex128 */
	void (*set_threads)(int);	/* OpenBLAS's own; else NULL */
	int threads;			/* that OpenBLAS has when it is loaded;
					 * 1 for other libraries */
};

/* Up to this many rows, one thread of OpenBLAS is about as fast as two. Two
 * wait for each other at every step, and where all processors are busy each
 * such wait lasts for one of the system's time slices. */
enum { LAPACK_ROWS_OF_ONE_THREAD = 512 };

/* Returns a leading dimension for n rows of float64 whose cache lines are odd
 * in number, so that the elements of a row lie in different sets of the cache.
 * With n = 512 and 1024 as leading dimensions, DHSEQR takes more than twice as
 * long as with those of this function. */
static inline size_t lapack_ld(size_t n)
{
	enum { LINE = 64 / sizeof(double) };

	return ((n + LINE - 1) / LINE | 1) * LINE;
}

/* Returns the routines for a call that runs as the sequence s, or with NULL for
 * one that cannot be cancelled, and sets the number of their threads to one
 * that suits matrices of `rows` rows. Returns NULL with ERR_INTERNAL where the
 * library is missing. Only one thread may call this function. Several threads
 * may call the routines at the same time if
 * rows <= LAPACK_ROWS_OF_ONE_THREAD. */
const struct lapack *lapack_load(const struct seq *s, size_t rows,
                                 struct err *e);

/* Sets the number of threads again, for operations on matrices of `rows` rows;
 * `vectors`: on a matrix and a vector each. A second thread shortens those by
 * little and is busy waiting between them. Not while several threads call the
 * routines, unless rows <= LAPACK_ROWS_OF_ONE_THREAD, for which this does
 * nothing. */
void lapack_threads_for(const struct lapack *l, size_t rows, bool vectors);

/* Has that call not been cancelled? On any thread. */
bool lapack_goes_on(void);

#endif
