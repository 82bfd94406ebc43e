/* words.c - describes to the client why a matrix has no answer. */
#include <stdio.h>

#include "ops/eigen/many.h"

static void describe_convergence(const struct args *a, const char *where,
                                 const struct failure_detail *d,
                                 struct err *e)
{
	const double tol = eigen_tol(a);

	if (d->at != EIGEN_BY_LAPACK && eigen_which(a) != EIGEN_DOMINANT)
		err_set(e, ERR_CONVERGENCE, "%snot converged after %d "
		        "products: the first of the pairs not yet found has a "
		        "residual of %.3g |A|, tol is %.3g%s", where, d->at,
		        d->y, tol, d->x == 0 ? "" : ". The eigenvalues near "
		        "sigma lie within the spectrum, and a factorization of "
		        "the matrix is beyond the service's bounds");
	else if (d->at == EIGEN_BY_LAPACK)
		err_set(e, ERR_CONVERGENCE, "%sLAPACK's algorithms have not "
		        "converged to a residual within tol", where);
	else
		err_set(e, ERR_CONVERGENCE, "%sthe method has not converged "
		        "after %d products: the best estimate is %.10g with a "
		        "relative error of %.3g, and tol is %.3g%s", where,
		        d->at, d->x, d->y, tol, d->y > tol ? "" : "; another "
		        "eigenvalue may have a larger modulus, or this one is "
		        "too ill-conditioned to tell");
}

static void describe_asymmetry(const struct args *a, const char *where,
                               const char *operand,
                               const struct failure_detail *d, struct err *e)
{
	char pointer[8];

	snprintf(pointer, sizeof pointer, "/%s", operand);
	if (d->x == d->y)
		err_set_at(e, ERR_MATHEMATICS, pointer, "%s%s is not "
		           "hermitian: the element (%.0f, %.0f) of the "
		           "diagonal is not real", where, operand, d->x, d->y);
	else if (dtype_is_complex(a->dtype))
		err_set_at(e, ERR_MATHEMATICS, pointer, "%s%s is not "
		           "hermitian: the element (%.0f, %.0f) is not the "
		           "conjugate of (%.0f, %.0f)", where, operand, d->x,
		           d->y, d->y, d->x);
	else
		err_set_at(e, ERR_MATHEMATICS, pointer, "%s%s is not "
		           "symmetric: the elements (%.0f, %.0f) and (%.0f, "
		           "%.0f) differ", where, operand, d->x, d->y, d->y,
		           d->x);
}

static void describe_fault(const struct args *a, const char *where,
                           const struct failure_detail *d, struct err *e)
{
	switch (d->at) {
	case EIGEN_FAULT_BEYOND:
		err_set(e, ERR_MATHEMATICS, "%san eigenvalue is beyond the "
		        "range of its type", where);
		break;
	case EIGEN_FAULT_NOT_SYMMETRIC:
		describe_asymmetry(a, where, "a", d, e);
		break;
	case EIGEN_FAULT_B:
		describe_asymmetry(a, where, "b", d, e);
		break;
	default:
		err_set(e, ERR_MATHEMATICS, "%smethod=similarity needs a "
		        "matrix without negative elements", where);
	}
}

void eigen_describe(const struct args *a, const struct failure *f,
                    struct err *e)
{
	const struct failure_detail *d = &f->detail;
	char where[64] = "eigen: ";

	if (a->stack > 1)
		snprintf(where, sizeof where,
		         "eigen: matrix %zu of the stack: ", f->index);
	if (d->code == ERR_NONFINITE &&
	    (eigen_which(a) != EIGEN_DOMINANT || dtype_is_complex(a->dtype)))
		lapack_describe_nonfinite(a, f, e);
	else if (d->code == ERR_NONFINITE)
		err_set_at(e, ERR_NONFINITE, "/a", "%selement (%d, %.0f) is "
		           "%g, must be finite", where, d->at, d->x, d->y);
	else if (d->code == ERR_CONVERGENCE)
		describe_convergence(a, where, d, e);
	else if (d->code == ERR_NOT_POSITIVE)
		err_set_at(e, ERR_NOT_POSITIVE, "/b", "%sb is not positive "
		           "definite: its leading minor of order %d is not "
		           "positive", where, d->at);
	else
		describe_fault(a, where, d, e);
}
