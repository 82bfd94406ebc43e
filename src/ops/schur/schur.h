/* schur.h - the real Schur form of an upper Hessenberg matrix on the device,
 *
 *     T = Z^T H Z, quasi-triangular,
 *
 * by the QR algorithm with small bulges and aggressive early deflation (Braman,
 * Byers and Mathias 2002), and the eigenvectors of T.
 *
 *     schur.c      the iteration
 *     deflate.c    aggressive early deflation: the host decomposes a block at
 *                  the bottom of the matrix, the device applies its transform
 *     sweep.c      sweeps: the device chases bulges
 *     shifts.c     the shifts of a sweep
 *     vectors.c    the eigenvectors of T
 *
 * T, Z and the arithmetic are float64, and so must be the sequence's element
 * type. Per deflation, the host reads and writes one small block. */
#ifndef OPS_SCHUR_SCHUR_H
#define OPS_SCHUR_SCHUR_H

#include "base/copier.h"
#include "ops/blas/gemm.h"
#include "ops/lapack/lapack.h"
#include "ops/need.h"

/* The kernels of this folder. They need work-groups of SCHUR_GROUP items and 47
 * KiB of local memory. */
#define SCHUR_KERNELS \
	"schur_begin schur_look schur_put schur_take schur_chase schur_left " \
	"schur_right schur_solve schur_flip schur_unflip"

struct schur {
	struct seq *s;
	const struct lapack *l;
	size_t n, low, high;		/* H is triangular but for the rows from
					 * `low` to `high` - 1 */
	size_t limit;			/* deflations, at most; 0: 30 for each
					 * row */
	bool form;			/* Z and all of T are wanted; otherwise
					 * only the eigenvalues */
	struct buf t;			/* row-major, n x n */
	struct buf z;			/* Z^T, row-major, n x n, if `form` */
	double *re, *im;		/* the caller's, n numbers each: the
					 * eigenvalues in the order of T's
					 * diagonal; of a conjugate pair, the
					 * one with im > 0 comes first */

	/* The rest belongs to this folder. Rows and columns count from 0. Rows
	 * `top` to `bottom` - 1 are the last unreduced block. */
	size_t top, bottom;
	size_t shifts;			/* most shifts of a sweep */
	size_t window, most;		/* usual and largest number of rows of
					 * a deflation window */
	size_t last;			/* rows of the present window */
	size_t failures;		/* 1 + the number of deflations since
					 * the last one that found an
					 * eigenvalue */
	struct copier *copier;		/* decomposes the windows, by a thread
					 * beside the caller's */
	size_t found, remain;		/* eigenvalues of the last window that
					 * have converged, and that have not */
	struct buf told, block, strip, given, u;
	double *diagonal, *below;	/* T's diagonal and subdiagonal, as
					 * schur_look() has read them; below[i]
					 * is T(i, i - 1) */
	double *host;			/* see deflate.c */
	double *shift_re, *shift_im;	/* the window's eigenvalues that have
					 * not converged, n numbers each */
	size_t ready;			/* number of these shifts */
	size_t read;			/* number of T's last rows and columns
					 * that schur_look() has read */
	size_t bulges;			/* bulges of the current sweep */
	long front;			/* row of the first bulge */
};

/* Makes the device's buffers except t and z, which the caller sets, and
 * allocates the host's arrays. Returns -1 if there is no memory. The caller
 * must call schur_fini() in any case. schur_need() adds the memory of the
 * device's buffers. */
int schur_init(struct schur *c);
void schur_fini(struct schur *c);
void schur_need(struct need *need, size_t n);

/* Computes T and Z of the matrix H, row-major in `h`, whose elements below the
 * subdiagonal may be undefined. Sets *solved to whether all eigenvalues were
 * found; if not, T is a Hessenberg matrix, with Z H's orthogonal similarity
 * transform, from which another algorithm can go on. Returns -1 if the sequence
 * has failed. */
int schur_run(struct schur *c, struct buf h, bool *solved);

/* Store the right or left eigenvectors of T in the rows of y, n x n, without
 * normalizing them. The eigenvector of a conjugate pair takes two rows: its
 * real and its imaginary part. schur_left_vectors() overwrites T, and the n x n
 * buffer `flipped`, which may be y. */
void schur_right_vectors(const struct schur *c, struct buf y);
void schur_left_vectors(const struct schur *c, struct buf flipped,
                        struct buf y);

/* --- deflate.c */

enum { SCHUR_DEFLATION = 192 };		/* most rows of a deflation window */

/* Waits for all launches, reads the last rows and columns of the matrix, and
 * sets c->top and c->last: the window is the last c->last rows of the block.
 * Returns -1 if the sequence has failed. */
int schur_look(struct schur *c);

/* Begins to decompose the window that schur_look() has read, on another thread.
 * Until schur_deflate_end(), launches must change neither the window nor the
 * row and the column before it, and the caller must change neither c->top nor
 * c->bottom. */
void schur_deflate_begin(struct schur *c);

/* Waits for the decomposition, and applies it to the rest of the matrix. Sets
 * c->ready shifts, decreases c->bottom by the number of eigenvalues found, and
 * returns this number; -1 if the sequence has failed. */
long schur_deflate_end(struct schur *c);

/* Returns the number of elements of c->host for a matrix of n rows. */
size_t schur_host_numbers(size_t n);

/* --- sweep.c */

enum { SCHUR_SHIFTS = 256 };		/* most shifts of a sweep */

/* Begins a sweep of the block from c->top to c->bottom - 1, which has at least
 * 3 rows, with `count` shifts, an even number, from index `first` on. */
void schur_sweep_begin(struct schur *c, size_t first, size_t count);

/* Moves the bulges down as far as is possible without a change of the rows and
 * columns from `end` on. */
void schur_sweep_until(struct schur *c, size_t end);

/* Moves the bulges down until they have left the block. c->bottom may have
 * decreased since the sweep began. */
void schur_sweep_end(struct schur *c);

#endif
