/* judge.h - the quality of the eigenpairs of one matrix; see judge.c. */
#ifndef OPS_EIGEN_JUDGE_H
#define OPS_EIGEN_JUDGE_H

#include "ops/eigen/many.h"

struct eigen_judged {
	const struct lapack *l;
	const double *a, *b;		/* the operands, column-major; b may be
					 * NULL */
	enum eigen_form form;
	double epsilon;			/* of the stored type */
	bool full;			/* compute exactly, not an estimate */
};

/* Sets the measures of *v that are known for these pairs, whose vectors must
 * already be rounded to the stored type. Returns -1 if there is no memory. */
int eigen_judge(const struct eigen_judged *j, const struct eigen_set *s,
                struct verdict *v);

#endif
