/* complex.h - eigenvalues of complex matrices. */
#ifndef OPS_EIGEN_COMPLEX_H
#define OPS_EIGEN_COMPLEX_H

#include "ops/eigen/many.h"
#include "ops/lapack/complex.h"

/* What all matrices of a call have in common, and for each whether its
 * eigenvalues are real, and how many are answered. */
struct eigen_complex {
	struct eigen_choice choice;
	bool *real;
	size_t *count;
};

/* --- complex_pairs.c */

/* One matrix, or pair, and its eigenpairs. */
struct eigen_complex_set {
	size_t n, count;		/* rows; pairs that are answered */
	bool hermitian, vectors;
	enum eigen_form form;		/* the problem, with B */
	cplx *a;			/* as it came; hermitian: made so */
	cplx *b;			/* or NULL */
	cplx *alpha, *beta;		/* of eigen_complex_qz() */
	int power[2];			/* A and B have been divided by 2^power,
					 * if there is B */
	cplx *values, *right, *left;	/* the last two by columns; values are
					 * those of the divided matrices */
	double *conditions;		/* of general eigenvalues, reciprocal */
	size_t *order;			/* the chosen ones, as answered */
};

/* Sets s->hermitian as `structure` and s->a say, and makes a hermitian matrix
 * exactly so. Returns ERR_MATHEMATICS for one that the client says is hermitian
 * and is not, else ERR_NONE. */
struct failure_detail eigen_complex_structure(const struct lapack_call *c,
                                              struct eigen_complex_set *s);

/* Sets all eigenvalues and, if s->vectors, all eigenvectors; r is room for
 * LAPACK's workspaces. Returns LAPACK's info. */
int eigen_complex_decompose(const struct lapack_call *c,
                            struct eigen_complex_set *s,
                            struct complex_room r);

/* Chooses s->count eigenvalues, or sets that to the number of those in the
 * interval: hermitian ones ascend, others descend by modulus unless c->found.
 * room has n times EIGEN_COMPLEX_KEY bytes. */
void eigen_complex_choose(struct eigen_complex_set *s,
                          const struct eigen_choice *c, void *room);
enum { EIGEN_COMPLEX_KEY = 24 };

/* Finds the first place where x, n x n, is farther from its conjugate transpose
 * than `slack` times its largest element, and returns whether there is one. */
bool eigen_complex_differs(const cplx *x, size_t n, double slack, size_t *i,
                           size_t *j);

/* Replaces x by the mean of itself and its conjugate transpose. */
void eigen_complex_mirror(cplx *x, size_t n);

/* --- complex_pencil.c */

/* Divides n elements by the power of two that puts the largest real or
 * imaginary part into [1, 2), and returns its exponent. */
int eigen_complex_scale(cplx *x, size_t n);

/* Sets s->a and, with s->b, that and s->power to the call's operands. */
void eigen_complex_load(const struct lapack_call *c, size_t index,
                        struct eigen_complex_set *s);

/* Returns eigenvalue k, if `whole` of the operands as they came. */
cplx eigen_complex_value(const struct eigen_complex_set *s, size_t k,
                         bool whole);

/* Overwrites s->b by the factor L and s->a by the matrix that has the
 * eigenvalues of the pair; s->hermitian tells of A. Returns ERR_MATHEMATICS if
 * B is not hermitian, ERR_NOT_POSITIVE if it is not positive definite. */
struct failure_detail eigen_complex_reduce(const struct lapack_call *c,
                                           struct eigen_complex_set *s);

/* Turns s->count right or left vectors of that matrix into those of the pair;
 * without a definite pair, they stay as they are. */
void eigen_complex_back(const struct eigen_complex_set *s, bool left, cplx *z);

/* Decomposes a pair by the QZ algorithm, and overwrites it. Returns LAPACK's
 * info, or EIGEN_NO_MEMORY. It takes 8 reals for each row of r. */
int eigen_complex_qz(const struct lapack_call *c, struct eigen_complex_set *s,
                     struct complex_room r);
enum { EIGEN_NO_MEMORY = -10000 };

/* --- complex_judge.c */

/* Sets the verdict on the chosen right vectors v, which have been rounded as
 * they are stored; s->a and s->b are the operands. room has 4 n elements. */
void eigen_complex_judge(const struct lapack_call *c, size_t index,
                         const struct eigen_complex_set *s, const cplx *v,
                         cplx *room);

/* --- complex.c */

/* The run() of the variant for complex matrices. */
int eigen_complex(struct seq *s, struct args *a);

#endif
