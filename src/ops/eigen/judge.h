/* judge.h - the quality of the eigenpairs of one matrix; see judge.c. */
#ifndef OPS_EIGEN_JUDGE_H
#define OPS_EIGEN_JUDGE_H

#include "ops/eigen/many.h"

struct eigen_judged {
	const struct lapack_call *call;
	const double *a, *b;		/* the operands, column-major; b may be
					 * NULL */
	enum eigen_form form;
	double epsilon;			/* of the stored type */
	bool full;			/* compute exactly, not an estimate */
};

/* The random weight of an eigenvalue, by its index: a number from 0.5 to 1.5
 * with a random sign, divided by the root of its mean square. Were the weights
 * mere signs, equal residuals of two vectors would often cancel. */
static inline double eigen_weight(size_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	double x;

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	x = (0.5 + (double)(z >> 12) * 0x1p-52) / sqrt(13.0 / 12);
	return z & 1 ? x : -x;
}

/* Sets the measures of *v that are known for these pairs, whose vectors must
 * already be rounded to the stored type. Returns -1 if there is no memory. */
int eigen_judge(const struct eigen_judged *j, const struct eigen_set *s,
                struct verdict *v);

#endif
