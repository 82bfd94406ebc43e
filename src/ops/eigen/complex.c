/* complex.c - eigenvalues and eigenvectors of complex matrices by LAPACK on the
 * host; see ops/lapack/complex.h: ZHEEVD for hermitian matrices, else ZGEEVX
 * with balancing. All eigenvalues are computed, and those that `which` asks for
 * are chosen from them. */
#include <complex.h>
#undef complex				/* a member's name in many.h */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/eigen/complex.h"

/* One matrix and its eigenpairs. */
struct set {
	size_t n, count;		/* rows; pairs that are answered */
	bool hermitian, vectors;
	cplx *a;			/* as it came; hermitian: made so */
	cplx *values, *right, *left;	/* the last two by columns */
	double *conditions;		/* of general eigenvalues, reciprocal */
	size_t *order;			/* the chosen ones, as answered */
};

/* --- which of the eigenvalues */

struct key {
	double first, second;
	size_t at;
};

static int compare(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second < y->second ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* The choice's own key; of the dominant eigenvalue, the largest modulus. */
static double key_of(const struct eigen_choice *c, cplx value)
{
	return c->which == EIGEN_DOMINANT ? -cabs(value) :
	       eigen_key(c, creal(value), cimag(value));
}

/* Chooses s->count eigenvalues: hermitian ones ascend, others descend by
 * modulus. */
static void choose(struct set *s, const struct eigen_choice *c,
                   struct key *keys)
{
	for (size_t i = 0; i < s->n; i++)
		keys[i] = (struct key){ key_of(c, s->values[i]),
		                        -creal(s->values[i]), i };
	qsort(keys, s->n, sizeof *keys, compare);
	for (size_t i = 0; i < s->count; i++)
		keys[i].first = s->hermitian ? creal(s->values[keys[i].at]) :
		                               -cabs(s->values[keys[i].at]);
	qsort(keys, s->count, sizeof *keys, compare);
	for (size_t i = 0; i < s->count; i++)
		s->order[i] = keys[i].at;
}

/* --- the decompositions */

/* The largest element of A; *i and *j become the first place where A is farther
 * from its conjugate transpose than `slack` times that, or n. */
static double look(const struct set *s, double slack, size_t *i, size_t *j)
{
	double most = 0;

	for (size_t k = 0; k < s->n * s->n; k++)
		most = fmax(most, cabs(s->a[k]));
	for (*i = 0; *i < s->n; ++*i)
		for (*j = 0; *j <= *i; ++*j)
			if (cabs(s->a[*i * s->n + *j] -
			         conj(s->a[*j * s->n + *i])) > slack * most)
				return most;
	return most;
}

static void make_hermitian(cplx *a, size_t n)
{
	for (size_t j = 0; j < n; j++)
		for (size_t i = 0; i <= j; i++) {
			const cplx mean = (a[j * n + i] +
			                   conj(a[i * n + j])) / 2;

			a[j * n + i] = mean;
			a[i * n + j] = conj(mean);
		}
}

static int decompose_hermitian(const struct lapack_call *c, struct set *s,
                               struct complex_room r)
{
	const size_t n = s->n, reals = 1 + 5 * n + 2 * n * n;
	const size_t work = 2 * n + n * n, integers = 3 + 5 * n;
	double *const values = complex_array(&r, n, sizeof *values);
	cplx *const w = complex_array(&r, work, sizeof *w);
	double *const rwork = complex_array(&r, reals, sizeof *rwork);
	int *const iwork = complex_array(&r, integers, sizeof *iwork);
	int info;

	memcpy(s->right, s->a, n * n * sizeof *s->a);
	info = c->l->z.heevd(LAPACK_COLUMNS, s->vectors ? 'V' : 'N', 'L',
	                     (int)n, s->right, (int)n, values, w, (int)work,
	                     rwork, (int)reals, iwork, (int)integers);
	for (size_t i = 0; i < n; i++)
		s->values[i] = values[i];
	return info;
}

static int decompose_general(const struct lapack_call *c, struct set *s,
                             struct complex_room r)
{
	const size_t n = s->n, work = 2 * n + n * n + 64 * n;
	const char job = s->vectors ? 'V' : 'N';
	cplx *const a = complex_array(&r, n * n, sizeof *a);
	cplx *const w = complex_array(&r, work, sizeof *w);
	double *const rwork = complex_array(&r, 2 * n, sizeof *rwork);
	double *const scale = complex_array(&r, n, sizeof *scale);
	double *const of_vectors = complex_array(&r, n, sizeof *scale);
	double norm;
	int low, high;

	memcpy(a, s->a, n * n * sizeof *a);
	return c->l->z.geevx(LAPACK_COLUMNS, 'B', job, job,
	                     s->vectors ? 'E' : 'N', (int)n, a, (int)n,
	                     s->values, s->left, (int)n, s->right, (int)n,
	                     &low, &high, scale, &norm, s->conditions,
	                     of_vectors, w, (int)work, rwork);
}

/* --- vectors */

/* Scales a vector to unit 2-norm, with a phase that makes its largest component
 * real and positive: the first of those that are the largest as stored. */
static void normalise(cplx *x, size_t n, enum dtype t)
{
	double sum = 0, most = 0;
	size_t at = 0;
	cplx phase;

	for (size_t i = 0; i < n; i++)
		sum = hypot(sum, cabs(x[i]));
	for (size_t i = 0; i < n; i++) {
		const double size = cabs(x[i]) / sum;

		if ((t == COMPLEX64 ? (float)size : size) > most) {
			most = t == COMPLEX64 ? (float)size : size;
			at = i;
		}
	}
	phase = conj(x[at]) / cabs(x[at]) / sum;
	for (size_t i = 0; i < n; i++)
		x[i] *= phase;
	x[at] = creal(x[at]);
}

/* Moves the chosen columns to `to`, in their order, normalised and rounded. */
static void take_columns(const struct set *s, const cplx *from, enum dtype t,
                         cplx *to)
{
	for (size_t k = 0; k < s->count; k++) {
		cplx *const x = to + k * s->n;

		memcpy(x, from + s->order[k] * s->n, s->n * sizeof *x);
		normalise(x, s->n, t);
	}
	complex_round(to, s->n * s->count, t);
}

/* --- the verdict */

struct judged {
	const struct set *s;
	const cplx *v;			/* the chosen right vectors */
	cplx *y, *z;
};

/* r = A V x - V D x */
static void pair_defect(const void *how, const cplx *x, cplx *r)
{
	const struct judged *q = how;
	const struct set *s = q->s;

	complex_times(q->v, s->n, s->count, x, q->y);
	complex_times(s->a, s->n, s->n, q->y, r);
	for (size_t k = 0; k < s->count; k++)
		q->z[k] = s->values[s->order[k]] * x[k];
	complex_times(q->v, s->n, s->count, q->z, q->y);
	for (size_t i = 0; i < s->n; i++)
		r[i] -= q->y[i];
}

/* r = x - V^H V x */
static void orthogonality_defect(const void *how, const cplx *x, cplx *r)
{
	const struct judged *q = how;

	complex_times(q->v, q->s->n, q->s->count, x, q->y);
	complex_times_turned(q->v, q->s->n, q->s->count, q->y, r);
	for (size_t k = 0; k < q->s->count; k++)
		r[k] = x[k] - r[k];
}

/* room has 4 n elements. */
static void judge(const struct lapack_call *c, size_t index,
                  const struct set *s, const cplx *v, cplx *room)
{
	const double scale = (double)s->n * dtype_epsilon(c->a->dtype);
	const struct judged q = { s, v, room, room + s->n };
	struct verdict *told = complex_told(c, index);

	told->residual = complex_ratio(complex_defect(c, s->n, s->count,
	    pair_defect, &q, room + 2 * s->n),
	    complex_norm1(s->a, s->n, s->n) * scale);
	if (s->hermitian)
		told->orthogonality = complex_ratio(complex_defect(c,
		    s->count, s->count, orthogonality_defect, &q,
		    room + 2 * s->n), scale);
	for (size_t k = 0; k < s->count; k++)
		told->condition = verdict_worse(told->condition,
		    s->hermitian ? 1 : 1 / s->conditions[s->order[k]]);
}

/* --- the answer */

static void put_values(const struct lapack_call *c, size_t index,
                       const struct set *s)
{
	struct matrix *const m = &c->a->out[EIGEN_VALUES];

	for (size_t k = 0; m->memory && k < s->count; k++) {
		const cplx x = s->values[s->order[k]];
		const size_t at = index * s->count + k;

		if (dtype_is_complex(m->dtype))
			matrix_set_complex(m, at, creal(x), cimag(x));
		else
			matrix_set(m, at, creal(x));
	}
}

static void put_vectors(const struct lapack_call *c, size_t index, int output,
                        const struct set *s, cplx *v)
{
	void *const to = lapack_out(c->a, output, index);

	if (to)
		complex_store(v, s->n, s->n, s->count, c->a->dtype, to);
}

static void put(struct args *a, int output, size_t index, double x)
{
	if (a->out[output].memory)
		matrix_set(&a->out[output], index, x);
}

/* |A v - l v| / |A|, the latter in the 1-norm */
static double error_of(const struct set *s, const cplx *v, cplx *room)
{
	const cplx l = s->values[s->order[0]];
	double sum = 0;

	complex_times(s->a, s->n, s->n, v, room);
	for (size_t i = 0; i < s->n; i++)
		sum = hypot(sum, cabs(room[i] - l * v[i]));
	return complex_ratio(sum, complex_norm1(s->a, s->n, s->n));
}

static bool is_tied(const struct set *s, enum dtype t)
{
	const double most = cabs(s->values[s->order[0]]);
	const double slack = most * (double)s->n * dtype_epsilon(t);

	for (size_t i = 0; i < s->n; i++)
		if (i != s->order[0] && cabs(s->values[i]) >= most - slack &&
		    cabs(s->values[i] - s->values[s->order[0]]) > slack)
			return true;
	return false;
}

/* Answers the dominant pair, whose vector is v; ties are kept in a mark of the
 * matrix. */
static void put_dominant(const struct lapack_call *c, size_t index,
                         const struct set *s, cplx *v, cplx *room)
{
	const cplx l = s->values[s->order[0]];
	const double tol = args_real(c->a, EIGEN_P_TOL,
	    c->a->dtype == COMPLEX64 ? 1e-5 : 1e-8);

	if (c->a->out[EIGEN_VALUE].memory)
		matrix_set_complex(&c->a->out[EIGEN_VALUE], index, creal(l),
		                   cimag(l));
	put_vectors(c, index, EIGEN_VECTOR, s, v);
	put(c->a, EIGEN_ITERATIONS, index, 0);
	put(c->a, EIGEN_CONVERGED, index, error_of(s, v, room) <= tol);
	put(c->a, EIGEN_TIE, index, is_tied(s, c->a->dtype));
}

static bool wants_vectors(const struct args *a)
{
	return a->out[EIGEN_VECTORS].memory || eigen_which(a) == EIGEN_DOMINANT ||
	       a->out[EIGEN_LEFT_VECTORS].memory;
}

static struct failure_detail find_structure(const struct lapack_call *c,
                                            struct set *s)
{
	const enum eigen_structure asked =
	    (enum eigen_structure)c->a->param[EIGEN_P_STRUCTURE];
	const bool forced = asked == EIGEN_SYMMETRIC_STRUCTURE;
	const double slack = forced ? 100 * dtype_epsilon(c->a->dtype) : 0;
	size_t i, j;

	look(s, slack, &i, &j);
	s->hermitian = i == s->n && asked != EIGEN_GENERAL_STRUCTURE;
	if (forced && !s->hermitian)
		return (struct failure_detail){
			.code = ERR_MATHEMATICS,
			.at = EIGEN_FAULT_NOT_SYMMETRIC,
			.x = (double)j, .y = (double)i,
		};
	if (s->hermitian)
		make_hermitian(s->a, s->n);
	return (struct failure_detail){ .code = ERR_NONE };
}

static void answer(const struct lapack_call *c, size_t index,
                   const struct set *s, cplx *v, cplx *room)
{
	put_values(c, index, s);
	if (!s->vectors)
		return;
	take_columns(s, s->hermitian ? s->right : s->left, c->a->dtype, v);
	put_vectors(c, index, EIGEN_LEFT_VECTORS, s, v);
	take_columns(s, s->right, c->a->dtype, v);
	if (eigen_which(c->a) == EIGEN_DOMINANT)
		put_dominant(c, index, s, v, room);
	else
		put_vectors(c, index, EIGEN_VECTORS, s, v);
	if (complex_is_judged(c)) {
		complex_load(lapack_in(c->a, 0, index), c->a->dtype, s->n,
		             s->n, s->a);
		judge(c, index, s, v, room);
	}
}

static struct failure_detail one(const struct lapack_call *c, size_t index,
                                 void *room)
{
	const struct eigen_complex *h = complex_how(c);
	const size_t n = c->rows;
	struct complex_room r = { room };
	struct set s = {
		.n = n, .count = h->choice.k, .vectors = wants_vectors(c->a),
		.a = complex_array(&r, n * n, sizeof(cplx)),
		.right = complex_array(&r, n * n, sizeof(cplx)),
		.left = complex_array(&r, n * n, sizeof(cplx)),
		.values = complex_array(&r, n, sizeof(cplx)),
		.conditions = complex_array(&r, n, sizeof(double)),
		.order = complex_array(&r, n, sizeof(size_t)),
	};
	struct key *const keys = complex_array(&r, n, sizeof *keys);
	cplx *const more = complex_array(&r, 4 * n, sizeof *more);
	struct failure_detail d;

	complex_load(lapack_in(c->a, 0, index), c->a->dtype, n, n, s.a);
	d = find_structure(c, &s);
	if (d.code != ERR_NONE)
		return d;
	if ((s.hermitian ? decompose_hermitian : decompose_general)(c, &s,
	                                                            r) != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE,
		                                .at = EIGEN_BY_LAPACK };
	choose(&s, &h->choice, keys);
	h->real[index] = s.hermitian;
	answer(c, index, &s, complex_array(&r, n * n, sizeof(cplx)), more);
	return d;
}

/* Makes the eigenvalues real if all matrices are hermitian, and removes the
 * outputs that this call does not have. */
static void settle(struct args *a, const bool *real)
{
	bool all = true, tie = false;

	for (size_t i = 0; i < a->stack; i++) {
		all &= real[i] || args_has_failed(a, i);
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
	struct eigen_complex h = {
		.choice = { .which = eigen_which(a), .k = eigen_asked(a),
		            .sigma = args_real(a, EIGEN_P_SIGMA, 0) },
		.real = calloc(a->stack + 1, sizeof *h.real),
	};
	int rc;

	if (!h.real)
		return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for a "
		               "stack of %zu matrices", a->stack);
	rc = complex_run(&(struct lapack_call){
		.rows = n, .operands = 1u << EIGEN_A, .one = one, .how = &h,
		.flops = 4 * 25.0 * (double)n * (double)n * (double)n,
		/* The workspaces of both decompositions, where the vectors
		 * that are answered lie afterwards. */
		.room = 6 * COMPLEX_BYTES(n * n) + 90 * COMPLEX_BYTES(n),
	}, s, a);
	if (rc == 0)
		settle(a, h.real);
	free(h.real);
	return rc;
}
