/* eigen_run.c - every matrix of the stack: look at it, choose the method,
 * answer. Vectors of n elements come to the host once, at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen.h"

static int refuse_nonfinite(const struct eigen_problem *p)
{
	const size_t first = p->index * p->n * p->n;
	size_t i = 0;

	while (i + 1 < p->n * p->n && isfinite(matrix_get(p->m, first + i)))
		i++;
	return err_set_at(seq_err(p->s), ERR_NONFINITE, "/a", "%selement "
	                  "(%zu, %zu) is %g, must be finite", p->where,
	                  i / p->n, i % p->n, matrix_get(p->m, first + i));
}

static void zero_matrix(const struct eigen_problem *p, struct eigen_pair *r)
{
	for (size_t i = 0; i < p->n; i++)
		r->vector[i] = i == 0;
	r->iterations = 1;
	r->converged = r->enclosed = true;
}

/* Did rounding blur a nilpotent matrix? Then powers of it vanish exactly. */
static int try_nilpotent(struct eigen_problem *p, struct eigen_pair *r)
{
	struct eigen_pair zero = { .vector = malloc(p->n * sizeof(double)) };
	const int64_t limit = p->limit, left = limit - r->iterations;
	int rc;

	if (!zero.vector)
		return err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory");
	p->limit = left < (int64_t)p->n + 1 ? left : (int64_t)p->n + 1;
	rc = p->limit > 0 ? eigen_power(p, &zero) : 0;
	p->limit = limit;
	r->iterations += zero.iterations;
	if (rc == 0 && zero.converged && zero.value == 0) {
		for (size_t i = 0; i < p->n; i++)
			r->vector[i] = zero.vector[i];
		r->value = r->error = 0;
		r->tie = false;
		r->converged = true;
	}
	free(zero.vector);
	return rc;
}

static int krylov(struct eigen_problem *p, struct eigen_pair *r)
{
	if (eigen_krylov(p, r) < 0)
		return -1;
	return r->converged || r->iterations >= p->limit ? 0 :
	       try_nilpotent(p, r);
}

static int similarity(struct eigen_problem *p, struct eigen_pair *r,
                      bool impatient)
{
	if ((p->k->seed ? eigen_seed : eigen_similarity)(p, r, impatient) < 0)
		return -1;
	return r->converged && r->value > 0 && !p->positive ?
	       eigen_cyclic(p, r) : 0;
}

static int choose(struct eigen_problem *p, struct eigen_pair *r)
{
	if (!p->below || !p->above) {
		eigen_triangle(p, r);
		return 0;
	}
	if (p->non_negative && similarity(p, r, true) < 0)
		return -1;
	if (r->converged || r->iterations >= p->limit)
		return 0;
	return krylov(p, r);
}

static int solve(struct eigen_problem *p, struct eigen_pair *r)
{
	switch (p->method) {
	case EIGEN_SIMILARITY:
		if (!p->non_negative)
			return err_set(seq_err(p->s), ERR_MATHEMATICS,
			               "%smethod=similarity needs a matrix "
			               "without negative elements", p->where);
		return similarity(p, r, false);
	case EIGEN_POWER:
		return eigen_power(p, r);
	case EIGEN_KRYLOV:
		return krylov(p, r);
	default:
		return choose(p, r);
	}
}

static int refuse_partial(const struct eigen_problem *p,
                          const struct eigen_pair *r)
{
	return err_set(seq_err(p->s), ERR_CONVERGENCE, "%snot converged after "
	               "%lld products: the best estimate is %.10g with a "
	               "relative error of %.3g, tol is %.3g%s", p->where,
	               (long long)r->iterations, r->value / p->unit, r->error,
	               p->tol, r->error > p->tol ? "" :
	               ", but others may be as large or it is too "
	               "ill-conditioned to tell");
}

static void put(struct args *a, int output, size_t i, double value)
{
	if (a->out[output].memory)
		matrix_set(&a->out[output], i, value);
}

/* Unit 2-norm; the largest component as stored, the first of equals, comes
 * out positive. */
static void put_vector(struct args *a, size_t at, const double *v, size_t n)
{
	struct matrix *out = &a->out[EIGEN_VECTOR];
	double peak = 0, sum = 0, big = 0;

	if (!out->memory)
		return;
	for (size_t i = 0; i < n; i++)
		peak = fmax(peak, fabs(v[i]));
	for (size_t i = 0; i < n; i++)
		sum += v[i] / peak * (v[i] / peak);
	for (size_t i = 0; i < n; i++) {
		matrix_set(out, at + i, v[i] / peak / sqrt(sum));
		if (fabs(matrix_get(out, at + i)) > fabs(big))
			big = matrix_get(out, at + i);
	}
	for (size_t i = 0; i < n && big < 0; i++)
		matrix_set(out, at + i, 0 - matrix_get(out, at + i));
}

static void put_pair(struct args *a, const struct eigen_problem *p,
                     const struct eigen_pair *r)
{
	const size_t i = p->index;

	put(a, EIGEN_VALUE, i, r->value / p->unit);
	put_vector(a, i * p->n, r->vector, p->n);
	put(a, EIGEN_ITERATIONS, i, (double)r->iterations);
	put(a, EIGEN_CONVERGED, i, r->converged);
	put(a, EIGEN_BRACKET, 2 * i, r->enclosed ? r->low / p->unit : NAN);
	put(a, EIGEN_BRACKET, 2 * i + 1,
	    r->enclosed ? r->high / p->unit : NAN);
	put(a, EIGEN_TIE, i, r->tie);
}

/* One matrix; adds to any[] what the stack has of brackets and ties. */
static int one(struct eigen_problem *p, struct args *a, double *vector,
               bool any[OP_OUTPUTS])
{
	struct eigen_pair r = { .vector = vector };
	double largest;

	if (eigen_problem_look(p, p->index, &largest) < 0)
		return -1;
	if (isnan(largest))
		return refuse_nonfinite(p);
	if (largest == 0)
		zero_matrix(p, &r);
	else if (solve(p, &r) < 0)
		return -1;
	if (!r.converged && a->param[EIGEN_P_ALLOW_PARTIAL] == 0)
		return refuse_partial(p, &r);
	if (!isfinite(r.value / p->unit))
		return err_set(seq_err(p->s), ERR_MATHEMATICS,
		               "%sthe eigenvalue is beyond float64", p->where);
	put_pair(a, p, &r);
	any[EIGEN_BRACKET] |= r.enclosed;
	any[EIGEN_TIE] |= r.tie;
	return 0;
}

static void set_rules(struct eigen_problem *p, const struct args *a)
{
	/* What rounding leaves of one product. */
	const double floor = (8 + sqrt((double)p->n)) * p->epsilon;

	p->method = (enum eigen_method)a->param[EIGEN_P_METHOD];
	p->limit = (int64_t)a->param[EIGEN_P_MAX_ITERATIONS];
	p->tol = fmax(floor, args_real(a, EIGEN_P_TOL,
	                               a->dtype == FLOAT32 ? 1e-5 : 1e-8));
}

int eigen_run(struct seq *s, struct args *a, const struct eigen_kernels *k)
{
	const size_t count = matrix_stack(&a->in[0]);
	bool any[OP_OUTPUTS] = { 0 };
	struct eigen_problem p;
	char where[64] = "eigen: ";
	double *vector;
	int rc = 0;

	eigen_problem_init(&p, s, a, k);
	set_rules(&p, a);
	p.where = where;
	vector = malloc(p.n * sizeof *vector);
	if (!vector)
		return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for "
		               "a vector of %zu elements", p.n);
	for (p.index = 0; rc == 0 && p.index < count; p.index++) {
		if (count > 1)
			snprintf(where, sizeof where,
			         "eigen: matrix %zu of the stack: ", p.index);
		rc = one(&p, a, vector, any);
		seq_progress(s, (double)(p.index + 1) / (double)count);
	}
	free(vector);
	/* What no matrix of the stack has is not answered. */
	if (!any[EIGEN_BRACKET])
		a->want &= ~(1u << EIGEN_BRACKET);
	if (!any[EIGEN_TIE])
		a->want &= ~(1u << EIGEN_TIE);
	return rc < 0 ? -1 : seq_finish(s);
}

/* Residual and norms of one matrix with its answer, as LAPACK's xGET22. */
static double ratio(struct eigen_problem *p, const struct args *a,
                    double *vector)
{
	double state[STATE_LENGTH] = { 0 }, largest;

	if (eigen_problem_look(p, p->index, &largest) < 0 || largest == 0)
		return 0;
	for (size_t i = 0; i < p->n; i++)
		vector[i] = matrix_get(&a->out[EIGEN_VECTOR],
		                       p->index * p->n + i);
	eigen_write(p, p->pair, 0, vector, p->n);
	eigen_begin(p, p->unit * matrix_get(&a->out[EIGEN_VALUE], p->index), 0,
	            0);
	eigen_round(p, p->pair, 0, p->pair, p->n, state);
	return state[STATE_ERROR] /
	    (p->norm * (double)p->n * dtype_epsilon(a->dtype));
}

int eigen_residual(struct seq *s, struct args *a,
                   const struct eigen_kernels *k)
{
	struct eigen_problem p;
	double *vector, worst = 0;

	if (!a->out[EIGEN_VALUE].memory || !a->out[EIGEN_VECTOR].memory)
		return 0;
	eigen_problem_init(&p, s, a, k);
	vector = malloc(p.n * sizeof *vector);
	if (!vector)
		return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory");
	for (; p.index < matrix_stack(p.m) && !seq_failed(s); p.index++)
		worst = fmax(worst, ratio(&p, a, vector));
	free(vector);
	if (seq_finish(s) < 0)
		return -1;
	a->residual = worst;
	return 0;
}
