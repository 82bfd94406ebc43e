/* many.h - several eigenvalues of a matrix: all of them, or those that the
 * parameter `which` names, of A x = lambda x or, with an operand b, of A x =
 * lambda B x, where B is symmetric and positive definite.
 *
 *     ask.c         what a call may ask for, and the shapes of its outputs
 *     many.c        the stack: has every matrix answered, settles the outputs
 *     several.c     one matrix: loads it, has it decomposed, answers
 *     choose.c      which eigenvalues are answered, and in which order
 *     decompose.c   all eigenvalues and the chosen eigenvectors, by LAPACK
 *     pencil.c      turns A x = lambda B x into a problem of one matrix
 *     columns.c     normalises eigenvectors and writes them by columns
 *     judge.c       the quality of what was answered
 *     batch.c       stacks of small symmetric matrices, on the device
 *     large.c       large sparse matrices, by Krylov-Schur: search.h and what
 *                   it includes; rayleigh.c answers
 *
 * All matrices here are column-major and in double precision, whatever the type
 * of the operands.
 */
#ifndef OPS_EIGEN_MANY_H
#define OPS_EIGEN_MANY_H

#include "ops/eigen/eigen.h"
#include "ops/lapack/stack.h"

enum eigen_which {
	EIGEN_DOMINANT, EIGEN_ALL, EIGEN_LARGEST, EIGEN_SMALLEST,
	EIGEN_LARGEST_REAL, EIGEN_SMALLEST_REAL, EIGEN_NEAREST
};

enum eigen_structure {
	EIGEN_ANY_STRUCTURE, EIGEN_SYMMETRIC_STRUCTURE,
	EIGEN_GENERAL_STRUCTURE
};

static inline enum eigen_which eigen_which(const struct args *a)
{
	return (enum eigen_which)a->param[EIGEN_P_WHICH];
}

/* The number of eigenvalues that a call asks for. */
size_t eigen_asked(const struct args *a);

static inline bool eigen_has_b(const struct args *a)
{
	return a->in[EIGEN_B].ndim != MATRIX_ABSENT;
}

/* Has the call that output? */
static inline bool eigen_gives(const struct args *a, int output)
{
	return a->out[output].memory != NULL;
}

/* --- choose.c */

struct eigen_choice {
	enum eigen_which which;
	size_t k;			/* at most n */
	double sigma;
};

/* Eigenvalues with the least keys are chosen first. */
double eigen_key(const struct eigen_choice *c, double re, double im);

/* Chooses among n eigenvalues; im is NULL if the matrix is symmetric. Of a
 * conjugate pair, the value with the positive imaginary part must come
 * directly before the other. Writes the indices of the chosen ones to order[],
 * which has room for n: ascending values for a symmetric matrix, else
 * descending moduli. Returns how many there are, which is k, or k + 1 where k
 * would cut a conjugate pair in two. -1: no memory. */
int eigen_choose(const struct eigen_choice *c, const double *re,
                 const double *im, size_t n, size_t *order);

/* --- decompose.c and pencil.c */

/* The eigenvalues of one matrix and the eigenvectors that were asked for. */
struct eigen_set {
	size_t n, count;		/* rows; chosen eigenvalues */
	bool symmetric;
	bool balanced;			/* general: the matrix that is
					 * decomposed has been balanced */
	bool plain;			/* general: it must not be balanced */
	double *re, *im;		/* n each; im is 0 if symmetric */
	size_t *order;			/* n; eigen_choose()'s */
	size_t *column;			/* n; of eigenvalue i of the answer: the
					 * column of its vector. A complex
					 * pair's are the real and the imaginary
					 * parts of the first one's vector. */
	double *right, *left;		/* n x n, by columns; NULL: not
					 * wanted */
	size_t columns;			/* so many of them are set */
};

/* -1: no memory; eigen_set_fini() must be called in any case. */
int eigen_set_init(struct eigen_set *s, size_t n, bool right, bool left);
void eigen_set_fini(struct eigen_set *s);

/* Decomposes the n x n matrix a, which it overwrites and whose largest element
 * must be in [1, 2) or so. Multiplies the eigenvalues by 2^power, chooses, and
 * computes the vectors for which s has room; those of a symmetric matrix to
 * the right only. *solved: did LAPACK's algorithms converge? -1: no memory. */
int eigen_decompose(struct eigen_set *s, const struct lapack *l, double *a,
                    int power, const struct eigen_choice *c, bool *solved);

/* Overwrites the n x n matrix b by its Cholesky factor L, where B = L L^T, and
 * a by L^-1 A L^-T, whose eigenvalues are those of A x = lambda B x, made
 * symmetric if `symmetric`. Returns 0, or the order of the first leading minor
 * of B that is not positive; -1: no memory. */
int eigen_pencil_reduce(const struct lapack *l, size_t n, double *a,
                        double *b, bool symmetric);

/* Turns eigenvectors y of L^-1 A L^-T, n x columns, into x = L^-T y; b holds
 * L. */
void eigen_pencil_back(const struct lapack *l, size_t n, const double *b,
                       double *y, size_t columns);

/* --- columns.c */

/* Scales a vector to unit 2-norm, and gives it the sign or phase with which its
 * largest component, the first of several, is real and positive once its
 * components are stored as `dtype`. */
void eigen_normalise(double *x, size_t n, enum dtype dtype);
void eigen_normalise_complex(double *x, double *y, size_t n,
                             enum dtype dtype);

/* The same for all chosen vectors of a set. */
void eigen_normalise_set(const struct eigen_set *s, double *vectors,
                         enum dtype dtype);

/* Writes the chosen eigenvalues and normalised vectors, those of s->column, as
 * the columns of matrix `index` of that output, if the call has it, which has
 * at least s->count columns; those beyond become NaN. */
void eigen_put_values(struct args *a, size_t index,
                      const struct eigen_set *s);
void eigen_put_vectors(struct args *a, int output, size_t index,
                       const struct eigen_set *s, const double *vectors);

/* Are all chosen values finite once they are stored? Is one complex? */
bool eigen_set_fits(const struct eigen_set *s, enum dtype dtype);
bool eigen_set_is_complex(const struct eigen_set *s);

/* --- many.c and several.c */

/* What is kept of a matrix until its stack has been answered. */
struct eigen_told {
	struct verdict verdict;
	size_t count;			/* eigenvalues; 0: it has failed */
	bool complex;			/* at least one of them is */
};

/* A call; told has a row for every matrix of the stack. */
struct eigen_many {
	struct eigen_choice choice;
	enum eigen_structure structure;
	struct eigen_told *told;
};

/* The body of every variant's run() if `which` is not dominant. */
int eigen_many_run(struct seq *s, struct args *a,
                   const struct eigen_kernels *k);

/* Answers matrix `index` of the stack; c->how is the struct eigen_many. */
struct failure_detail eigen_several(const struct lapack_call *c, size_t index,
                                    void *room);

/* --- large.c */

/* Is the call's matrix one that stays sparse? */
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

/* --- batch.c */

/* Decomposes a stack of small symmetric matrices on the device, in one launch,
 * by the kernel that goes with k: one work-item for several matrices, or one
 * work-group for each. Returns 1 if it did, 0 if this call is for the host, -1
 * if the sequence failed. */
int eigen_batch_try(struct seq *s, struct args *a,
                    const struct eigen_kernels *k);

/* What that takes of the device's memory. */
void eigen_batch_need(const struct args *a, const struct sheet *d,
                      const struct eigen_kernels *k, struct need *need);

#endif
