/* ask.c - checks what a call asks for, and sets the shapes of its outputs: the
 * operation's check() and shape(). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/many.h"
#include "ops/gang/devices.h"

/* The most rows for a full decomposition: LAPACK counts the elements of its
 * workspaces, up to 2 n^2 + 6 n + 1, in 32 bits. */
enum { MOST_ROWS = 32000 };

/* The outputs of which=dominant. */
static const unsigned of_dominant = 1u << EIGEN_VALUE | 1u << EIGEN_VECTOR |
	1u << EIGEN_ITERATIONS | 1u << EIGEN_CONVERGED | 1u << EIGEN_BRACKET |
	1u << EIGEN_TIE;

/* Those that several eigenvalues of a large sparse matrix have, too. */
static const unsigned of_both = 1u << EIGEN_ITERATIONS | 1u << EIGEN_CONVERGED;

size_t eigen_asked(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);

	return eigen_which(a) == EIGEN_ALL ||
	       eigen_which(a) == EIGEN_INTERVAL ? n :
	       size_min((size_t)args_real(a, EIGEN_P_K, 1), n);
}

static const char *which_text(const struct args *a)
{
	return a->op->params[EIGEN_P_WHICH].choices[eigen_which(a)];
}

/* --- parameters */

static int check_k(const struct args *a, struct err *e)
{
	const enum eigen_which which = eigen_which(a);
	const double k = a->param[EIGEN_P_K];
	const size_t n = matrix_rows(&a->in[EIGEN_A]);

	if (isnan(k))
		return 0;
	if (which == EIGEN_DOMINANT || which == EIGEN_ALL ||
	    which == EIGEN_INTERVAL)
		return err_set_at(e, ERR_PARAMETER, "/k", "eigen: k does not "
		                  "go with which=%s, which asks for %s",
		                  which_text(a), which == EIGEN_ALL ?
		                  "all eigenvalues" : which == EIGEN_INTERVAL ?
		                  "all eigenvalues of an interval" :
		                  "one eigenvalue");
	if (k > (double)n)
		return err_set_at(e, ERR_PARAMETER, "/k", "eigen: k is %.0f, "
		                  "but the matrix has the order %zu", k, n);
	return 0;
}

static int check_sigma(const struct args *a, struct err *e)
{
	const bool nearest = eigen_which(a) == EIGEN_NEAREST;
	const bool given = !isnan(a->param[EIGEN_P_SIGMA]);

	if (nearest && !given)
		return err_set_at(e, ERR_PARAMETER, "/sigma", "eigen: "
		                  "which=nearest needs sigma, the number to "
		                  "which the eigenvalues are nearest");
	if (!nearest && given)
		return err_set_at(e, ERR_PARAMETER, "/sigma", "eigen: sigma "
		                  "goes with which=nearest, not with which=%s",
		                  which_text(a));
	return 0;
}

static int check_interval(const struct args *a, struct err *e)
{
	const bool asked = eigen_which(a) == EIGEN_INTERVAL;
	const bool given[] = { !isnan(a->param[EIGEN_P_LOW]),
	                       !isnan(a->param[EIGEN_P_HIGH]) };

	if (asked && !given[0] && !given[1])
		return err_set_at(e, ERR_PARAMETER, "/low", "eigen: "
		                  "which=interval needs low, high or both, "
		                  "the bounds of the eigenvalues");
	if (!asked && (given[0] || given[1]))
		return err_set_at(e, ERR_PARAMETER, given[0] ? "/low" :
		                  "/high", "eigen: %s goes with "
		                  "which=interval, not with which=%s",
		                  given[0] ? "low" : "high", which_text(a));
	if (given[0] && given[1] &&
	    !(a->param[EIGEN_P_LOW] < a->param[EIGEN_P_HIGH]))
		return err_set_at(e, ERR_PARAMETER, "/high", "eigen: high is "
		                  "%g, and must be larger than low, which is "
		                  "%g", a->param[EIGEN_P_HIGH],
		                  a->param[EIGEN_P_LOW]);
	return 0;
}

static int check_order(const struct args *a, struct err *e)
{
	if (eigen_which(a) == EIGEN_DOMINANT &&
	    a->param[EIGEN_P_ORDER] != EIGEN_SORTED)
		return err_set_at(e, ERR_PARAMETER, "/order", "eigen: "
		                  "order=found does not go with "
		                  "which=dominant, which asks for one "
		                  "eigenvalue");
	return 0;
}

/* Does the method compute the eigenvalues that `which` names? */
static bool method_answers(enum eigen_method m, enum eigen_which which)
{
	switch (m) {
	case EIGEN_AUTO:
		return true;
	case EIGEN_LAPACK:
	case EIGEN_TRIDIAGONAL:
	case EIGEN_HESSENBERG:
		return which != EIGEN_DOMINANT;
	case EIGEN_JACOBI:
	case EIGEN_QL:
		return which == EIGEN_ALL;
	default:
		return which == EIGEN_DOMINANT;
	}
}

static const char *problem_text(const struct args *a)
{
	return a->op->params[EIGEN_P_PROBLEM].choices[eigen_form(a)];
}

static int check_problem(const struct args *a, struct err *e)
{
	if (eigen_form(a) != EIGEN_DEFINITE && !eigen_has_b(a))
		return err_set_at(e, ERR_PARAMETER, "/problem", "eigen: "
		                  "problem=%s goes with b, which the request "
		                  "has not", problem_text(a));
	if (eigen_form(a) == EIGEN_GENERAL_PENCIL &&
	    a->param[EIGEN_P_STRUCTURE] == EIGEN_SYMMETRIC_STRUCTURE)
		return err_set_at(e, ERR_PARAMETER, "/structure", "eigen: "
		                  "structure=symmetric does not go with "
		                  "problem=general, which takes no structure "
		                  "into account");
	return 0;
}

static int check_method(const struct args *a, struct err *e)
{
	const enum eigen_method m =
	    (enum eigen_method)a->param[EIGEN_P_METHOD];
	const char *name = a->op->params[EIGEN_P_METHOD].choices[m];

	if (!method_answers(m, eigen_which(a)))
		return err_set_at(e, ERR_PARAMETER, "/method", "eigen: "
		                  "method=%s does not go with which=%s", name,
		                  which_text(a));
	if ((m == EIGEN_JACOBI || m == EIGEN_QL || m == EIGEN_TRIDIAGONAL ||
	     m == EIGEN_HESSENBERG) && eigen_has_b(a))
		return err_set_at(e, ERR_PARAMETER, "/method", "eigen: "
		                  "method=%s does not go with b", name);
	if (m == EIGEN_HESSENBERG && matrix_stack(&a->in[EIGEN_A]) != 1)
		return err_set_at(e, ERR_PARAMETER, "/method", "eigen: "
		                  "method=hessenberg takes one matrix, but a "
		                  "is a stack");
	return 0;
}

static int check_complex(const struct args *a, struct err *e)
{
	const enum eigen_method m =
	    (enum eigen_method)a->param[EIGEN_P_METHOD];

	if (!dtype_is_complex(a->dtype))
		return 0;
	if (m != EIGEN_AUTO && m != EIGEN_LAPACK)
		return err_set_at(e, ERR_PARAMETER, "/method", "eigen: "
		                  "method=%s takes only real matrices; complex "
		                  "ones are decomposed by auto and lapack",
		                  a->op->params[EIGEN_P_METHOD].choices[m]);
	if (eigen_which(a) == EIGEN_DOMINANT &&
	    matrix_rows(&a->in[EIGEN_A]) > MOST_ROWS)
		return err_set_at(e, ERR_TOO_LARGE, "/a", "eigen: the complex "
		                  "matrix has %zu rows, at most %d are allowed",
		                  matrix_rows(&a->in[EIGEN_A]), MOST_ROWS);
	return 0;
}

static int check_structure(const struct args *a, struct err *e)
{
	if (eigen_which(a) != EIGEN_DOMINANT ||
	    a->param[EIGEN_P_STRUCTURE] == EIGEN_ANY_STRUCTURE)
		return 0;
	return err_set_at(e, ERR_PARAMETER, "/structure", "eigen: structure "
	                  "does not go with which=dominant, which finds the "
	                  "structure itself");
}

/* --- outputs */

static unsigned defaults(const struct op *o)
{
	unsigned want = 0;

	for (int i = 0; o->outputs[i].name; i++)
		want |= (unsigned)!o->outputs[i].on_request << i;
	return want;
}

/* The outputs that the client named in `return`, or 0 if it named none or all
 * of them. */
static unsigned named(const struct args *a)
{
	const unsigned all = defaults(a->op) | 1u << EIGEN_LEFT_VECTORS |
	                     1u << EIGEN_ALPHA_BETA;

	return a->want == defaults(a->op) || !(all & ~a->want) ? 0 : a->want;
}

/* The wanted outputs that a call with this `which` has. */
static unsigned available(const struct args *a)
{
	const bool dominant = eigen_which(a) == EIGEN_DOMINANT;
	unsigned all = dominant ? of_dominant : ~of_dominant;

	if (eigen_is_large(a))
		all |= of_both;
	if (eigen_form(a) != EIGEN_GENERAL_PENCIL)
		all &= ~(1u << EIGEN_ALPHA_BETA);
	if (eigen_which(a) == EIGEN_ALL && a->want == defaults(a->op))
		all &= ~(1u << EIGEN_VECTORS);
	return a->want & all;
}

static int check_outputs(const struct args *a, struct err *e)
{
	const bool dominant = eigen_which(a) == EIGEN_DOMINANT;
	const unsigned large = eigen_is_large(a) ? of_both : 0;
	const unsigned wrong = named(a) & (dominant ? ~of_dominant :
	                                              of_dominant & ~large);

	if (!dominant && named(a) >> EIGEN_ALPHA_BETA & 1 &&
	    eigen_form(a) != EIGEN_GENERAL_PENCIL)
		return err_set_at(e, ERR_PARAMETER, "/return", "eigen: "
		                  "alpha_beta goes with problem=general, and "
		                  "this one is problem=%s", problem_text(a));
	for (int i = 0; a->op->outputs[i].name; i++)
		if (wrong >> i & 1)
			return err_set_at(e, ERR_PARAMETER, "/return", "eigen: "
			    "which=%s has no output %s; it has %s",
			    which_text(a), a->op->outputs[i].name, dominant ?
			    "eigenvalue, eigenvector, iterations, converged, "
			    "bracket, tie" :
			    "eigenvalues, eigenvectors, left_eigenvectors, "
			    "with problem=general alpha_beta and, for a large "
			    "sparse matrix, iterations, converged");
	return 0;
}

/* --- operands */

static int check_square(const struct args *a, int operand, struct err *e)
{
	const struct matrix *m = &a->in[operand];
	const size_t rows = matrix_rows(m), cols = matrix_cols(m);
	const char *pointer = operand == EIGEN_B ? "/b" : "/a";

	if (rows != cols)
		return err_set_at(e, ERR_SHAPE, pointer, "eigen: %s is "
		                  "%zux%zu, must be square",
		                  operand == EIGEN_B ? "b" : "matrix", rows,
		                  cols);
	if (rows == 0)
		return err_set_at(e, ERR_SHAPE, pointer,
		                  "eigen: a 0x0 matrix has no eigenvalues");
	return 0;
}

/* A and B must have the same shape, unless one of them is a single matrix that
 * serves the whole stack of the other. */
static int check_b(const struct args *a, struct err *e)
{
	const struct matrix *x = &a->in[EIGEN_A], *y = &a->in[EIGEN_B];
	char left[MATRIX_SHAPE_TEXT], right[MATRIX_SHAPE_TEXT];
	const bool alike = x->ndim == y->ndim &&
	    memcmp(x->dim, y->dim, (size_t)x->ndim * sizeof x->dim[0]) == 0;

	if (eigen_which(a) == EIGEN_DOMINANT)
		return err_set_at(e, ERR_PARAMETER, "/b", "eigen: b goes with "
		                  "which=all, largest, smallest, largest-real, "
		                  "smallest-real, nearest and interval, not "
		                  "with which=dominant");
	if (check_square(a, EIGEN_B, e) < 0)
		return -1;
	if (matrix_rows(x) == matrix_rows(y) &&
	    (alike || x->ndim == 2 || y->ndim == 2))
		return 0;
	return err_set_at(e, ERR_SHAPE, "/b", "eigen: a is %s and b is %s; "
	                  "they must have the same shape, unless one of them "
	                  "is a single matrix of the same size",
	                  matrix_shape_text(x, left),
	                  matrix_shape_text(y, right));
}

int eigen_takes(const struct args *a, struct err *e)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);

	if (eigen_which(a) == EIGEN_DOMINANT || n <= MOST_ROWS ||
	    eigen_is_large(a))
		return 0;
	return err_set_at(e, ERR_TOO_LARGE, "/a", "eigen: the matrix has %zu "
	                  "rows; with which=%s it may have at most %d", n,
	                  which_text(a), MOST_ROWS);
}

int eigen_check(const struct args *a, struct err *e)
{
	if (check_square(a, EIGEN_A, e) < 0 ||
	    (eigen_has_b(a) && check_b(a, e) < 0))
		return -1;
	return check_k(a, e) < 0 || check_sigma(a, e) < 0 ||
	       check_interval(a, e) < 0 || check_order(a, e) < 0 ||
	       check_problem(a, e) < 0 || check_method(a, e) < 0 ||
	       check_complex(a, e) < 0 ||
	       check_structure(a, e) < 0 ||
	       check_outputs(a, e) < 0 ||
	       gang_check(a, "one real matrix of 64 rows or more for each "
	                  "device, all of its eigenvalues (which=all) as those "
	                  "of a symmetric matrix without b, by method=auto or "
	                  "tridiagonal, with a quality of estimate or none",
	                  e) < 0 ? -1 : 0;
}

/* --- shapes */

/* The number of answered eigenvalues, plus one where k might cut a conjugate
 * pair in two. */
static size_t columns_of(const struct args *a)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	const bool pairs = eigen_which(a) != EIGEN_ALL &&
	    !dtype_is_complex(a->dtype) &&
	    a->param[EIGEN_P_STRUCTURE] != EIGEN_SYMMETRIC_STRUCTURE;

	return size_min(n, eigen_asked(a) + pairs);
}

/* The operand that has the shape of the answer's stack. */
static const struct matrix *stacked(const struct args *a)
{
	return &a->in[eigen_has_b(a) &&
	              a->in[EIGEN_B].ndim > a->in[EIGEN_A].ndim ?
	              EIGEN_B : EIGEN_A];
}

int eigen_shape(struct args *a, struct err *e)
{
	const struct matrix *m = stacked(a);
	const size_t n = matrix_rows(m), k = columns_of(a);
	const bool symmetric =
	    a->param[EIGEN_P_STRUCTURE] == EIGEN_SYMMETRIC_STRUCTURE;
	const enum dtype part = dtype_part(a->dtype);
	const enum dtype wide = dtype_of_parts(part);
	const enum dtype vectors = symmetric ? a->dtype : wide;
	/* The dimensions are those after the stack's; 0 ends them. */
	const struct { enum dtype dtype; size_t dim[2]; } form[] = {
		[EIGEN_VALUE] = { COMPLEX128, { 0 } },
		[EIGEN_VECTOR] = { wide, { n } },
		[EIGEN_ITERATIONS] = { INT64, { 0 } },
		[EIGEN_CONVERGED] = { BOOL, { 0 } },
		[EIGEN_BRACKET] = { FLOAT64, { 2 } },
		[EIGEN_TIE] = { BOOL, { 0 } },
		[EIGEN_VALUES] = { symmetric ? part : wide, { k } },
		[EIGEN_VECTORS] = { vectors, { n, k } },
		[EIGEN_LEFT_VECTORS] = { vectors, { n, k } },
		[EIGEN_ALPHA_BETA] = { wide, { 2, k } },
	};

	(void)e;
	a->stack = matrix_stack(m);
	for (size_t i = 0; i < COUNT(form); i++) {
		struct matrix *out = &a->out[i];

		if (!(available(a) >> i & 1))
			continue;
		*out = (struct matrix){ .dtype = form[i].dtype,
		                        .ndim = m->ndim - 2 };
		for (int d = 0; d < out->ndim; d++)
			out->dim[d] = m->dim[d];
		for (int d = 0; d < 2 && form[i].dim[d] > 0; d++)
			out->dim[out->ndim++] = form[i].dim[d];
	}
	return 0;
}
