/* complex.h - eigenvalues of complex matrices. */
#ifndef OPS_EIGEN_COMPLEX_H
#define OPS_EIGEN_COMPLEX_H

#include "ops/eigen/many.h"
#include "ops/lapack/complex.h"

/* What all matrices of a call have in common, and whether the eigenvalues of
 * each are real. */
struct eigen_complex {
	struct eigen_choice choice;
	bool *real;
};

/* --- complex_pairs.c */

/* One matrix and its eigenpairs. */
struct eigen_complex_set {
	size_t n, count;		/* rows; pairs that are answered */
	bool hermitian, vectors;
	cplx *a;			/* as it came; hermitian: made so */
	cplx *values, *right, *left;	/* the last two by columns */
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

/* Chooses s->count eigenvalues: hermitian ones ascend, others descend by
 * modulus. room has n times EIGEN_COMPLEX_KEY bytes. */
void eigen_complex_choose(struct eigen_complex_set *s,
                          const struct eigen_choice *c, void *room);
enum { EIGEN_COMPLEX_KEY = 24 };

/* --- complex.c */

/* The run() of the variant for complex matrices. */
int eigen_complex(struct seq *s, struct args *a);

#endif
