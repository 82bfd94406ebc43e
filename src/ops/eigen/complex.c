/* complex.c - eigenvalues and eigenvectors of complex matrices and of pairs of
 * complex matrices by LAPACK on the host (ops/lapack/complex.h). xHEEVD
 * decomposes hermitian matrices, ZGEEVX others, which it balances, and ZGGEV3
 * pairs of problem=general. All eigenvalues are computed, and those that
 * `which` asks for are chosen from them. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/complex.h"
#include "ops/eigen/complex.h"

/* --- vectors */

/* Returns the index of the component of x / norm that is the largest, and the
 * first of those, as stored in type t. */
static size_t place_of_largest(const cplx *x, size_t n, double norm,
                               enum dtype t)
{
	double near = 0, most = 0;	/* near: a modulus below which none
					 * is the largest */
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const double modulus = complex_modulus(x[i]);
		double size;

		if (modulus < near)
			continue;
		near = 0.99 * modulus;
		size = modulus / norm;
		size = t == COMPLEX64 ? (float)size : size;
		if (size > most) {
			most = size;
			at = i;
		}
	}
	return at;
}

/* Scales a vector to unit 2-norm, with a phase that makes its largest component
 * real and positive: the first of those that are the largest as stored. */
static void normalise(cplx *x, size_t n, enum dtype t)
{
	const double norm = complex_norm2(x, n);
	const size_t at = place_of_largest(x, n, norm, t);
	const cplx phase = conj(x[at]) / cabs(x[at]) / norm;

	for (size_t i = 0; i < n; i++)
		x[i] *= phase;
	x[at] = creal(x[at]);
}

/* Copies the chosen right or left eigenvectors to the columns of `to`, in the
 * order of the answer, turns them into those of the pair, normalises them, and
 * rounds them to type t. */
static void take_columns(const struct eigen_complex_set *s, bool left,
                         enum dtype t, cplx *to)
{
	const cplx *const from = left && !s->hermitian ? s->left : s->right;

	for (size_t k = 0; k < s->count; k++)
		memcpy(to + k * s->n, from + s->order[k] * s->n,
		       s->n * sizeof *to);
	eigen_complex_back(s, left, to);
	for (size_t k = 0; k < s->count; k++)
		normalise(to + k * s->n, s->n, t);
	complex_round(to, s->n * s->count, t);
}

/* --- the answer */

static void put_values(const struct lapack_call *c, size_t index,
                       const struct eigen_complex_set *s)
{
	struct matrix *const m = &c->a->out[EIGEN_VALUES];
	const size_t columns = m->memory ? m->dim[m->ndim - 1] : 0;

	for (size_t k = 0; k < columns; k++) {
		const cplx x = k < s->count ?
		    eigen_complex_value(s, s->order[k]) :
		    complex_of(NAN, NAN);
		const size_t at = index * columns + k;

		if (dtype_is_complex(m->dtype))
			matrix_set_complex(m, at, creal(x), cimag(x));
		else
			matrix_set(m, at, creal(x));
	}
}

/* Writes alpha and beta to the two rows of the output alpha_beta. */
static void put_alpha_beta(const struct lapack_call *c, size_t index,
                      const struct eigen_complex_set *s)
{
	struct matrix *const m = &c->a->out[EIGEN_ALPHA_BETA];
	const size_t columns = m->memory ? matrix_cols(m) : 0;

	for (size_t k = 0; k < 2 * columns; k++) {
		const bool second = k >= columns, has = k % columns < s->count;
		const size_t i = s->order[has ? k % columns : 0];
		const cplx x = second ? s->beta[i] : s->alpha[i];
		const int power = s->power[second ? EIGEN_B : EIGEN_A];

		matrix_set_complex(m, 2 * index * columns + k,
		                   has ? ldexp(creal(x), power) : NAN,
		                   has ? ldexp(cimag(x), power) : NAN);
	}
}

/* Stores the columns of v, which are the answered vectors. Further columns of
 * the output become NaN. */
static void put_vectors(const struct lapack_call *c, size_t index, int output,
                        const struct eigen_complex_set *s, cplx *v)
{
	const struct matrix *const m = &c->a->out[output];
	const size_t columns = m->memory && output != EIGEN_VECTOR ?
	                       matrix_cols(m) : s->count;
	void *const to = lapack_out(c->a, output, index);

	for (size_t i = s->count * s->n; i < columns * s->n; i++)
		v[i] = complex_of(NAN, NAN);
	if (to)
		complex_store(v, s->n, s->n, columns, c->a->dtype, to);
}

static void put(struct args *a, int output, size_t index, double x)
{
	if (a->out[output].memory)
		matrix_set(&a->out[output], index, x);
}

static bool is_tied(const struct eigen_complex_set *s, enum dtype t)
{
	const double most = cabs(s->values[s->order[0]]);
	const double slack = most * (double)s->n * dtype_epsilon(t);

	for (size_t i = 0; i < s->n; i++)
		if (i != s->order[0] && cabs(s->values[i]) >= most - slack &&
		    cabs(s->values[i] - s->values[s->order[0]]) > slack)
			return true;
	return false;
}

/* Writes the outputs of the dominant eigenpair, whose vector is v. */
static void put_dominant(const struct lapack_call *c, size_t index,
                         const struct eigen_complex_set *s, cplx *v)
{
	const cplx l = s->values[s->order[0]];

	if (c->a->out[EIGEN_VALUE].memory)
		matrix_set_complex(&c->a->out[EIGEN_VALUE], index, creal(l),
		                   cimag(l));
	put_vectors(c, index, EIGEN_VECTOR, s, v);
	put(c->a, EIGEN_ITERATIONS, index, 0);
	put(c->a, EIGEN_CONVERGED, index, s->kept);
	put(c->a, EIGEN_TIE, index, is_tied(s, c->a->dtype));
}

static bool wants_vectors(const struct args *a)
{
	return a->out[EIGEN_VECTORS].memory ||
	       eigen_which(a) == EIGEN_DOMINANT ||
	       a->out[EIGEN_LEFT_VECTORS].memory;
}

static void answer(const struct lapack_call *c, size_t index,
                   struct eigen_complex_set *s, cplx *v, cplx *room)
{
	put_values(c, index, s);
	put_alpha_beta(c, index, s);
	if (!s->vectors)
		return;
	if (c->a->out[EIGEN_LEFT_VECTORS].memory) {
		take_columns(s, true, c->a->dtype, v);
		put_vectors(c, index, EIGEN_LEFT_VECTORS, s, v);
	}
	take_columns(s, false, c->a->dtype, v);
	if (eigen_which(c->a) == EIGEN_DOMINANT)
		put_dominant(c, index, s, v);
	else
		put_vectors(c, index, EIGEN_VECTORS, s, v);
	if (complex_is_judged(c)) {
		eigen_complex_load(c, index, s);
		eigen_complex_judge(c, index, s, v, room);
	}
}

/* Loads the operands, finds the structure of A, and reduces a pair with a
 * positive definite B to one matrix. */
static struct failure_detail prepare(const struct lapack_call *c, size_t index,
                                     struct eigen_complex_set *s, bool sorted)
{
	struct failure_detail d;

	eigen_complex_load(c, index, s);
	d = eigen_complex_structure(c, s);
	return d.code == ERR_NONE && s->b ?
	       eigen_complex_reduce(c, s, sorted) : d;
}

/* Loads the operands, and computes all eigenpairs. */
static struct failure_detail decompose(const struct lapack_call *c,
                                       size_t index,
                                       struct eigen_complex_set *s,
                                       struct complex_room r)
{
	struct failure_detail d = { .code = ERR_NONE };
	bool qz = s->form == EIGEN_GENERAL_PENCIL;
	int info;

	if (!qz)
		d = prepare(c, index, s, true);
	/* The failure names a leading minor of B in its own order. */
	if (d.code == ERR_NOT_POSITIVE)
		d = prepare(c, index, s, false);
	if (d.code != ERR_NONE)
		return d;
	qz = qz || (s->b && eigen_complex_needs_qz(s));
	if (qz) {
		s->form = EIGEN_GENERAL_PENCIL;
		eigen_complex_load(c, index, s);
	}
	info = (qz ? eigen_complex_qz : eigen_complex_decompose)(c, s, r);
	if (info == EIGEN_NO_MEMORY)
		d.code = ERR_MEMORY;
	else if (info != 0)
		d = (struct failure_detail){ .code = ERR_CONVERGENCE,
		                             .at = EIGEN_BY_LAPACK };
	return d;
}

/* Computes all eigenpairs, chooses those that are asked for, and sets s->kept;
 * for that, v, of n x n elements, becomes the vectors of a matrix that is not
 * hermitian. */
static struct failure_detail find(const struct lapack_call *c, size_t index,
                                  struct eigen_complex_set *s, void *keys,
                                  cplx *v, struct complex_room r)
{
	const struct eigen_complex *h = complex_how(c);
	const struct failure_detail d = decompose(c, index, s, r);

	if (d.code != ERR_NONE)
		return d;
	eigen_complex_choose(s, &h->choice, keys);
	if (s->vectors && !s->hermitian && !s->b)
		take_columns(s, false, c->a->dtype, v);
	s->kept = eigen_complex_keeps_promise(c->a, s, v,
	    complex_array(&r, s->n * s->count, sizeof *v));
	return d;
}

/* Does the same. If the residuals of a balanced matrix are larger than
 * promised, it is decomposed once more without balancing, so that rounding
 * errors relative to |A| bound the residuals. */
static struct failure_detail find_within_tol(const struct lapack_call *c,
                                             size_t index,
                                             struct eigen_complex_set *s,
                                             void *keys, cplx *v,
                                             struct complex_room r)
{
	const bool partial = eigen_which(c->a) == EIGEN_DOMINANT &&
	                     c->a->param[EIGEN_P_ALLOW_PARTIAL] != 0;
	struct failure_detail d = find(c, index, s, keys, v, r);

	if (d.code != ERR_NONE || s->kept)
		return d;
	s->plain = true;
	d = find(c, index, s, keys, v, r);
	return d.code != ERR_NONE || s->kept || partial ? d :
	       (struct failure_detail){ .code = ERR_CONVERGENCE,
	                                .at = EIGEN_BY_LAPACK };
}

/* Are the chosen eigenvalues finite once they are stored? With problem=general
 * they may be infinite, but alpha and beta, if they are wanted, must be
 * finite. */
static bool fits(const struct args *a, const struct eigen_complex_set *s)
{
	const double most = a->dtype == COMPLEX64 ? FLT_MAX : DBL_MAX;
	const bool qz = eigen_form(a) == EIGEN_GENERAL_PENCIL;

	for (size_t k = 0; k < s->count; k++) {
		const size_t i = s->order[k];

		if (!qz && !(cabs(eigen_complex_value(s, i)) <= most))
			return false;
		if (qz && a->out[EIGEN_ALPHA_BETA].memory &&
		    !(ldexp(cabs(s->alpha[i]), s->power[EIGEN_A]) <= most &&
		      ldexp(cabs(s->beta[i]), s->power[EIGEN_B]) <= most))
			return false;
	}
	return true;
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct eigen_complex *h = complex_how(c);
	const size_t n = c->rows, of_b = eigen_has_b(c->a) ? n : 0;
	struct complex_room r = { room };
	struct eigen_complex_set s = {
		.form = eigen_form(c->a), .n = n, .count = h->choice.k,
		.vectors = wants_vectors(c->a),
		.a = complex_array(&r, n * n, sizeof(cplx)),
		.right = complex_array(&r, n * n, sizeof(cplx)),
		.left = complex_array(&r, n * n, sizeof(cplx)),
		.values = complex_array(&r, n, sizeof(cplx)),
		.conditions = complex_array(&r, n, sizeof(double)),
		.order = complex_array(&r, n, sizeof(size_t)),
		.b = of_b ? complex_array(&r, n * of_b, sizeof(cplx)) : NULL,
		.alpha = complex_array(&r, of_b, sizeof(cplx)),
		.beta = complex_array(&r, of_b, sizeof(cplx)),
		.rows = {
			.n = n, .bytes = sizeof(cplx),
			.order = complex_array(&r, of_b, sizeof(size_t)),
			.room = complex_array(&r, of_b, sizeof(cplx)),
		},
	};
	void *const keys = complex_array(&r, n, EIGEN_COMPLEX_KEY);
	cplx *const more = complex_array(&r, 4 * n, sizeof *more);
	cplx *const v = complex_array(&r, n * n, sizeof *v);
	const struct failure_detail d = find_within_tol(c, index, &s, keys, v,
	                                                r);

	if (d.code != ERR_NONE)
		return d;
	if (!fits(c->a, &s))
		return (struct failure_detail){ .code = ERR_MATHEMATICS,
		                                .at = EIGEN_FAULT_BEYOND };
	h->real[index] = s.hermitian;
	h->count[index] = s.count;
	answer(c, index, &s, v, more);
	return d;
}

/* Turns the eigenvalues into real numbers if those of all matrices of the stack
 * are real. Removes columns that no matrix needs, and outputs that this call
 * does not have. */
static void settle(struct args *a, const struct eigen_complex *h)
{
	static const int each[] = { EIGEN_VALUES, EIGEN_VECTORS,
	                            EIGEN_LEFT_VECTORS, EIGEN_ALPHA_BETA };
	bool all = true, tie = false;
	size_t most = h->choice.which == EIGEN_INTERVAL ? 0 : h->choice.k;

	for (size_t i = 0; i < a->stack; i++)
		most = size_max(most, h->count[i]);
	for (size_t i = 0; i < COUNT(each); i++)
		eigen_shorten(a, each[i], most);
	for (size_t i = 0; i < a->stack; i++) {
		all &= h->real[i] || args_has_failed(a, i);
		tie |= a->out[EIGEN_TIE].memory &&
		       matrix_get(&a->out[EIGEN_TIE], i) != 0;
	}
	if (all)
		eigen_narrow(a, EIGEN_VALUE);
	if (all && dtype_is_complex(a->out[EIGEN_VALUES].dtype))
		eigen_narrow(a, EIGEN_VALUES);
	a->want &= ~(1u << EIGEN_BRACKET);
	if (!tie)
		a->want &= ~(1u << EIGEN_TIE);
}

int eigen_complex(struct seq *s, struct args *a)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	const size_t of_b = eigen_has_b(a) ? n : 0;
	struct eigen_complex h = {
		.choice = eigen_choice_of(a),
		.real = calloc(a->stack + 1, sizeof *h.real),
		.count = calloc(a->stack + 1, sizeof *h.count),
	};
	int rc;

	if (!h.real || !h.count) {
		free(h.real);
		free(h.count);
		return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for a "
		               "stack of %zu matrices", a->stack);
	}
	rc = complex_run(&(struct lapack_call){
		.rows = n, .operands = 1u << EIGEN_A | 1u << EIGEN_B,
		.one = one, .how = &h,
		.flops = 4 * 25.0 * (double)n * (double)n * (double)n,
		/* Room for the larger of LAPACK's workspaces, which later
		 * holds the answered vectors, is included. */
		.room = 6 * COMPLEX_BYTES(n * n) + 90 * COMPLEX_BYTES(n) +
		        COMPLEX_BYTES(n * of_b) + 8 * COMPLEX_BYTES(of_b),
	}, s, a);
	if (rc == 0)
		settle(a, &h);
	free(h.real);
	free(h.count);
	return rc;
}
