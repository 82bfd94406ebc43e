/* finish.h - turns the vectors of a balanced matrix into the answer; see
 * many.h. */
#ifndef OPS_EIGEN_FINISH_H
#define OPS_EIGEN_FINISH_H

#include "ops/eigen/balance.h"
#include "ops/eigen/many.h"

/* Turns the vectors of all chosen eigenvalues into those of the matrix before
 * it was balanced, if set->balanced is set, normalises them, and rounds them to
 * the output's type. */
struct eigen_finish {
	const struct lapack_call *call;
	const struct eigen_set *set;
	const struct balance *balance;
	enum balance_side side;
	enum dtype dtype;		/* the output's */
	double *room;			/* n x n numbers */
};
void eigen_finish(const struct eigen_finish *f, double *vectors);

#endif
