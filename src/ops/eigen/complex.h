/* complex.h - eigenvalues of complex matrices. */
#ifndef OPS_EIGEN_COMPLEX_H
#define OPS_EIGEN_COMPLEX_H

#include "ops/eigen/arrange.h"
#include "ops/eigen/many.h"
#include "ops/lapack/complex.h"

/* What a call asks for, and two facts of each matrix of its stack. */
struct eigen_complex {
	struct eigen_choice choice;
	bool *real;			/* its eigenvalues are real */
	size_t *count;			/* its answered eigenvalues */
};

/* --- complex_pairs.c */

/* The operands of one matrix of the stack and its eigenpairs. All matrices are
 * n x n and column-major. */
struct eigen_complex_set {
	size_t n, count;		/* rows; answered eigenvalues */
	bool hermitian;			/* A, and the reduced matrix, too */
	bool vectors;			/* eigenvectors are wanted */
	bool plain;			/* a matrix that is not hermitian must
					 * not be balanced */
	enum eigen_form form;
	cplx *a, *b;			/* A; B or NULL */
	cplx *alpha, *beta;		/* set by eigen_complex_qz() */
	struct arrange rows;		/* in which order a pair with a positive
					 * definite B is reduced */
	int power[2];			/* A and B have been divided by
					 * 2^power; 0 without B */
	cplx *values;			/* n eigenvalues of a, or of a and b */
	cplx *right, *left;		/* their eigenvectors */
	double *conditions;		/* not hermitian: the reciprocals of the
					 * eigenvalues' condition numbers */
	bool kept;			/* the residuals are as promised */
	size_t *order;			/* element i is the index of answered
					 * eigenvalue i */
};

/* Sets s->hermitian by the parameter `structure` and the elements of s->a, and
 * makes a matrix that is hermitian up to rounding errors exactly hermitian.
 * Returns ERR_MATHEMATICS if structure=symmetric and A is not hermitian, else
 * ERR_NONE. */
struct failure_detail eigen_complex_structure(const struct lapack_call *c,
                                              struct eigen_complex_set *s);

/* Computes all eigenvalues of s->a and, if s->vectors is set, all eigenvectors.
 * LAPACK's workspaces are taken from r. Returns LAPACK's info. */
int eigen_complex_decompose(const struct lapack_call *c,
                            struct eigen_complex_set *s,
                            struct complex_room r);

/* Chooses s->count eigenvalues or, for which=interval, sets s->count to the
 * number of those in the interval. Writes their indices to s->order: by
 * ascending value for a hermitian matrix, else by descending modulus unless
 * c->found. `room` has n EIGEN_COMPLEX_KEY bytes. */
void eigen_complex_choose(struct eigen_complex_set *s,
                          const struct eigen_choice *c, void *room);
enum { EIGEN_COMPLEX_KEY = 24 };

/* Finds an element of the n x n matrix X that differs from that of X^H by more
 * than `slack` times the largest modulus of an element, and sets *i and *j to
 * its indices. Returns whether there is one. */
bool eigen_complex_differs(const cplx *x, size_t n, double slack, size_t *i,
                           size_t *j);

/* X = (X + X^H) / 2 */
void eigen_complex_make_hermitian(cplx *x, size_t n);

/* --- complex_pencil.c */

/* Loads the operands A and, unless s->b is NULL, B of matrix `index` of the
 * stack. Those of a pair are divided by powers of two, which s->power tells. */
void eigen_complex_load(const struct lapack_call *c, size_t index,
                        struct eigen_complex_set *s);

/* Returns eigenvalue k of the client's operands, before they were divided. */
cplx eigen_complex_value(const struct eigen_complex_set *s, size_t k);

/* Reduces a problem of A and a positive definite B to that of one matrix:
 * overwrites s->b by the Cholesky factor L of B, whose rows and columns are
 * first sorted by the diagonal unless `sorted` is false, and s->a by the matrix
 * that has the eigenvalues of the pair. Returns ERR_MATHEMATICS if B is not
 * hermitian, and ERR_NOT_POSITIVE if it, as sorted, is not positive
 * definite. */
struct failure_detail eigen_complex_reduce(const struct lapack_call *c,
                                           struct eigen_complex_set *s,
                                           bool sorted);

/* To be called after eigen_complex_reduce(). Returns whether the QZ algorithm
 * should solve the problem, as eigen_pencil_needs_qz() does for real pairs. */
bool eigen_complex_needs_qz(const struct eigen_complex_set *s);

/* Turns s->count right or left eigenvectors of the reduced matrix, the columns
 * of z, into those of the pair. Does nothing if eigen_complex_reduce() has not
 * been called. */
void eigen_complex_back(const struct eigen_complex_set *s, bool left, cplx *z);

/* Solves A x = lambda B x for any B by the QZ algorithm, which overwrites s->a
 * and s->b: sets s->alpha, s->beta and s->values, their quotients, and, if
 * s->vectors is set, all eigenvectors. An eigenvalue with beta = 0 is infinite,
 * and one with alpha = beta = 0 is NaN. Takes 8 n reals from r. Returns
 * LAPACK's info, or EIGEN_NO_MEMORY. */
int eigen_complex_qz(const struct lapack_call *c, struct eigen_complex_set *s,
                     struct complex_room r);
enum { EIGEN_NO_MEMORY = -10000 };

/* --- complex_judge.c */

/* Sets the verdict on matrix `index`. The columns of v are the chosen right
 * eigenvectors, rounded as they are stored, and s->a and s->b must hold the
 * operands. `room` has 4 n elements. */
void eigen_complex_judge(const struct lapack_call *c, size_t index,
                         const struct eigen_complex_set *s, const cplx *v,
                         cplx *room);

/* Returns whether |A v - l v| is at most tol |A|, or tol |l| for the dominant
 * pair, for each chosen pair of a matrix that is not hermitian: if it has been
 * balanced, some may be larger. True without vectors, and for pairs A, B. The
 * columns of v are the right eigenvectors as stored; av has n x s->count
 * elements. */
bool eigen_complex_keeps_promise(const struct args *a,
                                 const struct eigen_complex_set *s,
                                 const cplx *v, cplx *av);

/* --- complex.c */

/* The run() of the variant for complex matrices. */
int eigen_complex(struct seq *s, struct args *a);

#endif
