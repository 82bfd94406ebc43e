/* eigen.h - what the files of linalgd-mpi's eigen share. */
#ifndef MPI_EIGEN_H
#define MPI_EIGEN_H

#include "mpi/work.h"
#include "ops/eigen/many.h"

struct spectrum {
	struct work *w;
	size_t n;
	struct dist a, z;		/* A, overwritten; its eigenvectors */
	double *values;			/* n, ascending */
	/* In process 0: */
	size_t count, *order;		/* the chosen ones' indices */
};

/* symmetry.c: why the matrix is refused because it is not symmetric, where
 * `structure` names that; sets *e instead where it is `auto`. */
struct failure_detail eigen_asymmetry(const struct args *a, struct err *e);

/* Hands out A. */
enum err_code eigen_hand_out(struct spectrum *s);

/* spectrum.c: collects the vectors, and writes the outputs. */
enum err_code eigen_answer(struct spectrum *s);

/* Returns the chosen eigenvectors, n x count, in process 0. */
const void *eigen_vectors(const struct spectrum *s);

/* verdict.c: residual and orthogonality, as ops/eigen/judge.c defines them. */
enum err_code eigen_verdict(struct spectrum *s);

#endif
