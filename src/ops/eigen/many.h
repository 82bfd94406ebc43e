/* many.h - several eigenvalues of a matrix: all of them, or those that the
 * parameter `which` names. They are those of A x = lambda x or, with an operand
 * b, those of the problem that the parameter `problem` names.
 *
 *     ask.c         checks a call and sets the shapes of its outputs
 *     many.c        answers every matrix of a stack, then settles the outputs
 *     several.c     has one matrix decomposed, and answers
 *     load.c        copies and scales an operand
 *     finish.c      turns the vectors of a balanced matrix into the operand's
 *     parts.h       divides rows or columns among threads
 *     choose.c      chooses the eigenvalues to answer, and sorts them
 *     decompose.c   computes all eigenvalues and chosen vectors by LAPACK
 *     reduced.c     decomposes one general matrix on the device
 *     spectral.c    decomposes symmetric matrices by LAPACK
 *     pencil.c      reduces a problem of A and a positive definite B to that
 *                   of one matrix
 *     symmetry.c    tells whether a matrix is symmetric
 *     qz.c          solves A x = lambda B x for any B by the QZ algorithm
 *     columns.c     scales matrices, normalises eigenvectors, and writes them
 *                   to outputs
 *     judge.c       measures the quality of the answered eigenpairs
 *     batch.c       decomposes small symmetric matrices on the device
 *     tridiagonal.c decomposes one symmetric matrix on the device; gang.h does
 *                   it on several devices
 *     large.c       computes eigenpairs of large sparse matrices by the
 *                   Krylov-Schur method (search.h and what it includes);
 *                   rayleigh.c answers
 *
 * But for batch.c and tridiagonal.c, all matrices here are column-major and in
 * double precision, whatever the type of the operands. spectral.c computes in
 * float32 where the operand is float32.
 */
#ifndef OPS_EIGEN_MANY_H
#define OPS_EIGEN_MANY_H

#include <math.h>

#include "ops/eigen/eigen.h"
#include "ops/lapack/stack.h"
#include "ops/need.h"

enum eigen_which {
	EIGEN_DOMINANT, EIGEN_ALL, EIGEN_LARGEST, EIGEN_SMALLEST,
	EIGEN_LARGEST_REAL, EIGEN_SMALLEST_REAL, EIGEN_NEAREST,
	EIGEN_INTERVAL
};

enum eigen_order { EIGEN_SORTED, EIGEN_FOUND };

enum eigen_structure {
	EIGEN_ANY_STRUCTURE, EIGEN_SYMMETRIC_STRUCTURE,
	EIGEN_GENERAL_STRUCTURE
};

/* The eigenproblem. The first three have a symmetric positive definite B and
 * are LAPACK's ITYPE 1, 2 and 3: A x = lambda B x, A B x = lambda x and
 * B A x = lambda x. EIGEN_GENERAL_PENCIL is A x = lambda B x for any B. Without
 * B the problem is A x = lambda x, and the form EIGEN_DEFINITE. */
enum eigen_form {
	EIGEN_DEFINITE, EIGEN_DEFINITE_ABX, EIGEN_DEFINITE_BAX,
	EIGEN_GENERAL_PENCIL
};

static inline enum eigen_form eigen_form(const struct args *a)
{
	return (enum eigen_form)a->param[EIGEN_P_PROBLEM];
}

/* Returns e if the eigenvalues of (2^-power[0] A, 2^-power[1] B) are 2^-e times
 * those of (A, B). Without B, power[1] must be 0. */
static inline int eigen_pencil_power(enum eigen_form form, const int power[2])
{
	const bool product = form == EIGEN_DEFINITE_ABX ||
	                     form == EIGEN_DEFINITE_BAX;

	return power[EIGEN_A] + (product ? 1 : -1) * power[EIGEN_B];
}

static inline enum eigen_which eigen_which(const struct args *a)
{
	return (enum eigen_which)a->param[EIGEN_P_WHICH];
}

/* The number of eigenvalues that a call asks for, at most n. */
size_t eigen_asked(const struct args *a);

static inline bool eigen_has_b(const struct args *a)
{
	return a->in[EIGEN_B].ndim != MATRIX_ABSENT;
}

/* Returns whether the call's result has this output. */
static inline bool eigen_gives(const struct args *a, int output)
{
	return a->out[output].memory != NULL;
}

/* --- choose.c */

struct eigen_choice {
	enum eigen_which which;
	size_t k;			/* at most n */
	double sigma;
	double low, high;		/* EIGEN_INTERVAL: the real parts of the
					 * chosen eigenvalues are in (low,
					 * high] */
	bool found;			/* eigenvalues of general matrices keep
					 * the order in which the algorithm
					 * has found them */
};

struct eigen_choice eigen_choice_of(const struct args *a);

/* Returns the number by which c ranks an eigenvalue: those with the smallest
 * keys are chosen. */
double eigen_key(const struct eigen_choice *c, double re, double im);

/* Returns the key itself or, if it is NaN, infinity. A singular pencil has
 * eigenvalues that are NaN, and they are sorted as the last ones. */
static inline double eigen_key_or_last(double key)
{
	return isnan(key) ? INFINITY : key;
}

/* Chooses among the n eigenvalues re[i] + im[i] i; im is NULL if the matrix is
 * symmetric. Of a conjugate pair, the value with the positive imaginary part
 * must come directly before the other. Writes the indices of the chosen
 * eigenvalues to order[], which has room for n: by ascending value for a
 * symmetric matrix, else by descending modulus unless c->found. Returns the
 * number of chosen eigenvalues: k, or k + 1 where k would cut a conjugate pair
 * in two, or as many as the interval has. Returns -1 if there is no memory. */
int eigen_choose(const struct eigen_choice *c, const double *re,
                 const double *im, size_t n, size_t *order);

/* --- decompose.c, spectral.c and pencil.c */

/* The eigenvalues of one matrix and the eigenvectors that were asked for. */
struct eigen_set {
	size_t n, count;		/* rows; chosen eigenvalues */
	bool symmetric;
	bool single;			/* symmetric: decomposed in float32 */
	bool balanced;			/* general: the matrix that is
					 * decomposed has been balanced */
	bool plain;			/* general: the matrix must not be
					 * balanced */
	double *re, *im;		/* n each; im is 0 if symmetric */
	size_t *order;			/* n; set by eigen_choose() */
	size_t *column;			/* n; element i is the column of the
					 * vector of eigenvalue order[i]. Both
					 * of a conjugate pair have the column
					 * with the real parts of the first
					 * one's vector; the imaginary parts
					 * are in the next column. */
	double *right, *left;		/* n x n, by columns; NULL: not
					 * wanted */
	double *alpha, *beta;		/* set by eigen_qz(), else NULL: re + im
					 * i is alpha / beta. alpha has n real
					 * parts and then n imaginary parts,
					 * beta has n elements. */
	struct seq *device;		/* general: the sequence in which
					 * eigen_reduced() decomposes the
					 * matrix; NULL: LAPACK does it alone */
	size_t low, high;		/* general: the rows that are not
					 * triangular (ops/eigen/balance.h) */
	size_t columns;			/* columns that have been computed */
};

/* The outputs that are complex if an eigenvalue of any matrix is. */
enum { EIGEN_TYPED = 4 };
extern const int eigen_typed[EIGEN_TYPED];

/* Allocates the arrays for a matrix of n rows, with room for the eigenvectors
 * that are wanted. Returns -1 if there is no memory. The caller must call
 * eigen_set_fini() in any case. */
int eigen_set_init(struct eigen_set *s, size_t n, bool right, bool left);
void eigen_set_fini(struct eigen_set *s);

/* Decomposes the n x n matrix a, whose largest element must be about 1.
 * Multiplies the eigenvalues by 2^power, chooses among them, and computes the
 * vectors for which s has room, but no left ones of a symmetric matrix, which
 * equal the right ones. Sets *solved to whether LAPACK's algorithms converged.
 * Returns -1 if there is no memory. */
int eigen_decompose(struct eigen_set *s, const struct lapack *l, double *a,
                    int power, const struct eigen_choice *c, bool *solved);

/* Computes all eigenvalues and all wanted eigenvectors of a general matrix by
 * s->device, and stores them in LAPACK's order; chooses none. Returns -1 if
 * there is no memory or the sequence has failed. */
int eigen_reduced(struct eigen_set *s, const struct lapack *l, const double *a,
                  bool *solved);

/* Returns whether eigen_reduced() decomposes the call's matrix if the matrix
 * turns out not to be symmetric. */
bool eigen_is_reduced(const struct args *a, const struct sheet *d,
                      const struct eigen_kernels *k);

/* Adds the device's memory that eigen_reduced() takes for a matrix of n
 * rows. */
void eigen_reduced_need(struct need *need, const struct sheet *d, size_t n);

/* Decomposes a symmetric matrix as eigen_decompose() does, in float32 if
 * s->single. */
int eigen_spectral(struct eigen_set *s, const struct lapack *l,
                   const double *a, int power, const struct eigen_choice *c,
                   bool *solved);

/* Multiplies the eigenvalues by 2^power, chooses among them, and sets s->column
 * for the case that all n vectors have been computed. Returns -1 if there is no
 * memory. */
int eigen_set_choose(struct eigen_set *s, int power,
                     const struct eigen_choice *c);

/* Replaces the n x n matrix by the mean of itself and its transpose. */
void eigen_make_symmetric(double *a, size_t n);

/* --- qz.c */

/* Solves A x = lambda B x for n x n matrices a and b, whose largest elements
 * must be about 1, and overwrites them. Sets s->alpha and s->beta, and s->re
 * and s->im to their quotients. An eigenvalue with beta = 0 is infinite, and
 * one with alpha = beta = 0, which a singular pencil has, is NaN. Computes all
 * vectors for which s has room, but chooses none. Sets *solved to whether the
 * QZ algorithm converged. Returns -1 if there is no memory. */
int eigen_qz(struct eigen_set *s, const struct lapack *l, double *a, double *b,
             bool *solved);

/* --- columns.c */

/* Rounds n numbers to those that an output of this type stores. */
void eigen_as_stored(double *x, size_t n, enum dtype dtype);

/* Returns the largest modulus of n numbers, or 0 if there are none. */
double eigen_peak(const double *x, size_t n);

/* Divides n numbers by 2^power. */
void eigen_divide(double *x, size_t n, int power);

/* Divides n numbers by the power of two that puts their largest modulus into
 * [1, 2), and returns its exponent. */
int eigen_scale(double *x, size_t n);

/* Scale a vector of n components, x or x + i y, to unit 2-norm, and give it the
 * sign or phase that makes its largest component real and positive. That is the
 * first of those components whose moduli are the largest once they are stored
 * as `dtype`. */
void eigen_normalise(double *x, size_t n, enum dtype dtype);
void eigen_normalise_complex(double *x, double *y, size_t n,
                             enum dtype dtype);

/* Normalises the vector of chosen eigenvalue i. The first eigenvalue of a
 * conjugate pair stands for both: for the second one nothing is done. */
void eigen_normalise_one(const struct eigen_set *s, size_t i, double *vectors,
                         enum dtype dtype);

/* Write the chosen eigenvalues, and the normalised vectors that s->column
 * names, as the first s->count columns of matrix `index` of that output, if the
 * call has it. Further columns of that matrix become NaN. The threads of c,
 * which may be NULL, share the vectors. */
void eigen_put_values(struct args *a, size_t index,
                      const struct eigen_set *s);
void eigen_put_vectors(const struct lapack_call *c, struct matrix *out,
                       size_t index, const struct eigen_set *s,
                       const double *vectors);

/* Writes alpha 2^power[0] and beta 2^power[1] of the chosen eigenvalues to the
 * two rows of matrix `index` of the output alpha_beta, in the same way. */
void eigen_put_pairs(struct args *a, size_t index, const struct eigen_set *s,
                     const int power[2]);

/* Are all chosen eigenvalues finite once they are stored as `dtype`? Are
 * alpha 2^power[0] and beta 2^power[1] of all of them? Is one of the chosen
 * eigenvalues complex? */
bool eigen_set_fits(const struct eigen_set *s, enum dtype dtype);
bool eigen_pairs_fit(const struct eigen_set *s, const int power[2],
                     enum dtype dtype);
bool eigen_set_is_complex(const struct eigen_set *s);

/* --- symmetry.c */

/* Returns the largest |a_ij - a_ji| that is accepted if the client says that a
 * matrix is symmetric: rounding errors of the client's own computation may
 * cause such a difference. The largest element must be about 1. */
double eigen_slack(const struct args *a);

/* Finds an element x_ij below the diagonal of an n x n matrix, column-major,
 * that differs from x_ji by more than `slack`. Returns false if there is
 * none. */
bool eigen_differs(const double *x, size_t n, double slack, size_t *row,
                   size_t *column);

/* Returns whether one of the first few rows of a matrix differs from the column
 * of the same number: of matrix `index` of the stack m, or of m's only one. */
bool eigen_differs_early(const struct matrix *m, size_t index);

/* --- many.c and several.c */

/* The facts that are kept of a matrix until its whole stack is answered. */
struct eigen_told {
	struct verdict verdict;
	size_t count;			/* eigenvalues; 0 if it has failed */
	bool complex;			/* at least one of them is complex */
};

/* What a call asks for; told has an element for every matrix of the stack. */
struct eigen_many {
	struct eigen_choice choice;
	enum eigen_structure structure;
	struct eigen_told *told;
	struct seq *device;		/* see struct eigen_set */
};

/* Answers several eigenvalues of every matrix of the stack: the body of every
 * variant's run() if `which` is not dominant. Returns -1 if the sequence
 * failed. */
int eigen_many_run(struct seq *s, struct args *a,
                   const struct eigen_kernels *k);

/* Keeps only the first `columns` columns of an output, in place. */
void eigen_shorten(struct args *a, int output, size_t columns);

/* Answers matrix `index` of the stack, or returns why it has no answer. c->how
 * is the struct eigen_many, and room has space for A and, if there is one, B.
 * lapack_run() calls this function on several threads. */
struct failure_detail eigen_several(const struct lapack_call *c, size_t index,
                                    void *room);

/* --- large.c */

/* Returns whether the call's matrix stays sparse. */
static inline bool eigen_is_large(const struct args *a)
{
	return a->in[EIGEN_A].layout == CSR;
}

/* The operation's stays_sparse(). */
bool eigen_stays_sparse(const struct args *a, int operand);

/* Answers a sparse matrix, or records its failure. Returns 1 if the iteration
 * did not converge and the matrix is small enough to be made dense; -1 if the
 * sequence failed. */
int eigen_large_run(struct seq *s, struct args *a,
                    const struct eigen_many *m);

/* Adds the memory of the largest factorization that the call may make, if the
 * device shares the host's memory. */
void eigen_large_need(const struct args *a, const struct sheet *d,
                      struct need *need);

/* --- batch.c */

/* Decomposes a stack of small symmetric matrices on the device, by the kernel
 * that batch.c chooses for k and for the call's method. Returns 1 if the
 * outputs are set, 0 if another part should answer the call, and -1 if the
 * sequence failed. */
int eigen_batch_try(struct seq *s, struct args *a,
                    const struct eigen_kernels *k);

/* Adds to `need` the buffers that eigen_batch_try() would create for this
 * call, and nothing if the host answers it. */
void eigen_batch_need(const struct args *a, const struct sheet *d,
                      const struct eigen_kernels *k, struct need *need);

/* --- tridiagonal.c */

/* Does the answer have eigenvectors, right or left ones? */
bool eigen_wants_vectors(const struct args *a);

/* Returns the reason why the matrix has no answer as a symmetric one, or
 * { ERR_NONE }. `told` is what tridiagonal_look has found out about it. */
struct symmetric_told;
struct failure_detail eigen_symmetric_fault(const struct args *a,
                                            const struct symmetric_told *told);

/* Makes the outputs that the call has real, with `count` columns. */
void eigen_settle_symmetric(struct args *a, size_t count);

/* eigen_tridiagonal_try() decomposes one symmetric matrix on the device, if the
 * client asks for it by method=tridiagonal, or if k are not the kernels for
 * CPUs and the device is faster than LAPACK. Returns 1, 0 or -1 as
 * eigen_batch_try() does. eigen_tridiagonal_need() adds the buffers that it
 * would create. */
int eigen_tridiagonal_try(struct seq *s, struct args *a,
                          const struct eigen_kernels *k,
                          const struct eigen_choice *c);
void eigen_tridiagonal_need(const struct args *a, const struct sheet *d,
                            const struct eigen_kernels *k, struct need *need);

#endif
