/* run.c - for every matrix of the stack: finds its structure, chooses the
 * method, and answers or records a failure. Vectors come to the host only once,
 * at the end. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/eigen.h"
#include "ops/failure.h"

static void zero_matrix(const struct eigen_problem *p, struct eigen_pair *r)
{
	for (size_t i = 0; i < p->n; i++)
		r->vector[i] = i == 0;
	r->iterations = 1;
	r->converged = r->enclosed = true;
	r->tie = p->n > 1;
	r->condition = 1;
}

static int krylov(struct eigen_problem *p, struct eigen_pair *r)
{
	if (eigen_krylov(p, r) < 0)
		return -1;
	if (r->converged)
		return p->n <= EIGEN_FULL ? eigen_full_confirm(p, r) : 0;
	if (r->iterations >= p->limit)
		return 0;
	return eigen_full_can(p) ? eigen_full(p, r) :
	                           eigen_try_nilpotent(p, r);
}

static int similarity(struct eigen_problem *p, struct eigen_pair *r,
                      bool impatient)
{
	if ((p->k->seed ? eigen_seed : eigen_similarity)(p, r, impatient) < 0)
		return -1;
	/* If the largest eigenvalue is 0, all are. */
	r->tie = r->converged && r->value == 0 && p->n > 1;
	return r->converged && r->value > 0 && !p->positive ?
	       eigen_cyclic(p, r) : 0;
}

static int choose(struct eigen_problem *p, struct eigen_pair *r)
{
	if (!p->below || !p->above)
		return eigen_triangle(p, r);
	if (p->non_negative && similarity(p, r, true) < 0)
		return -1;
	if (r->converged || r->iterations >= p->limit)
		return 0;
	return p->n <= EIGEN_FULL || eigen_is_tridiagonal(p) ?
	       eigen_full(p, r) : krylov(p, r);
}

/* Decomposes on the host a matrix whose elements the device cannot
 * represent. */
static int by_host(struct eigen_problem *p, struct eigen_pair *r)
{
	for (size_t i = 0; i < p->n; i++)
		r->vector[i] = i == 0;
	r->error = INFINITY;
	return eigen_full_can(p) ? eigen_full(p, r) : 0;
}

static int solve(struct eigen_problem *p, struct eigen_pair *r)
{
	const bool triangular = !p->below || !p->above;
	bool matters = false;

	if (p->wide && !(triangular && p->method == EIGEN_AUTO) &&
	    eigen_scaling_matters(p, &matters) < 0)
		return -1;
	if (matters)
		return by_host(p, r);
	switch (p->method) {
	case EIGEN_SIMILARITY:
		return similarity(p, r, false);
	case EIGEN_POWER:
		return eigen_power(p, r);
	case EIGEN_KRYLOV:
		return krylov(p, r);
	default:
		return choose(p, r);
	}
}

/* Answers or fails one matrix; -1 when the sequence failed. */
static int one(struct eigen_problem *p, struct args *a, double *vector,
               struct eigen_stack *stack)
{
	const bool partial = a->param[EIGEN_P_ALLOW_PARTIAL] != 0;
	struct eigen_pair r = { .vector = vector };
	enum err_code why = ERR_NONE;
	double largest;

	if (eigen_problem_look(p, p->index, &largest) < 0)
		return -1;
	if (isnan(largest))
		why = ERR_NONFINITE;
	else if (largest == 0)
		zero_matrix(p, &r);
	else if (p->method == EIGEN_SIMILARITY && !p->non_negative)
		why = ERR_MATHEMATICS;
	else if (solve(p, &r) < 0)
		return -1;
	else if (!isfinite(r.value) || !isfinite(r.imaginary))
		why = ERR_MATHEMATICS;
	else if (!r.converged && !partial)
		why = ERR_CONVERGENCE;
	if (why == ERR_NONE)
		eigen_put(a, p, &r, stack);
	else
		eigen_fail(a, p, &r, why);
	return 0;
}

static void set_rules(struct eigen_problem *p, const struct args *a)
{
	/* The rounding error of one product. */
	p->floor = (8 + sqrt((double)p->n)) * p->epsilon;
	p->tol = fmax(p->floor, eigen_tol(a));
	p->method = (enum eigen_method)a->param[EIGEN_P_METHOD];
	p->limit = (int64_t)a->param[EIGEN_P_MAX_ITERATIONS];
}

/* Memory for a complex vector. */
static double *new_vector(struct eigen_problem *p)
{
	double *v = malloc(2 * p->n * sizeof *v);

	if (!v)
		err_set(seq_err(p->s), ERR_MEMORY, "eigen: no memory for a "
		        "vector of %zu elements", p->n);
	return v;
}

int eigen_run(struct seq *s, struct args *a, const struct eigen_kernels *k)
{
	const size_t count = matrix_stack(&a->in[0]);
	struct eigen_stack stack = { 0 };
	struct eigen_problem p;
	double *vector;
	int rc = 0;

	eigen_problem_init(&p, s, a, k);
	set_rules(&p, a);
	vector = new_vector(&p);
	if (!vector)
		return -1;
	for (p.index = 0; rc == 0 && p.index < count; p.index++) {
		rc = one(&p, a, vector, &stack);
		seq_progress(s, (double)(p.index + 1) / (double)count);
	}
	free(vector);
	eigen_put_end(a, &stack);
	return rc < 0 ? -1 : seq_finish(s);
}

/* The ratio of one matrix and its answer, as LAPACK's xGET22 defines it. */
static double ratio(struct eigen_problem *p, const struct args *a,
                    double *vector)
{
	const struct matrix *value = &a->out[EIGEN_VALUE];
	const struct matrix *v = &a->out[EIGEN_VECTOR];
	struct eigen_pair r = {
		.vector = vector, .value = matrix_get(value, p->index),
		.imaginary = matrix_get_imaginary(value, p->index),
	};
	double largest;

	if (eigen_problem_look(p, p->index, &largest) < 0 || largest == 0)
		return 0;
	for (size_t i = 0; i < p->n; i++) {
		vector[i] = matrix_get(v, p->index * p->n + i);
		vector[p->n + i] = matrix_get_imaginary(v,
		    p->index * p->n + i);
	}
	eigen_measure(p, &r, 0);
	return r.residual /
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
	vector = new_vector(&p);
	if (!vector)
		return -1;
	for (; p.index < matrix_stack(p.m) && !seq_failed(s); p.index++)
		if (!args_has_failed(a, p.index))
			worst = fmax(worst, ratio(&p, a, vector));
	free(vector);
	if (seq_finish(s) < 0)
		return -1;
	a->verdict.residual = worst;
	return 0;
}
