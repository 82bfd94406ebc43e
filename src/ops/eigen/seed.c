/* seed.c - the rounds of "Optimizing Parallel Similarity Transformation" (2021)
 * within operation eigen: its kernels in its order with its stop rule, on a
 * copy of the matrix.
 *
 *     s = A 1     m = max s_i     v_i *= s_i / m     near neighbours?
 *                 A <- D^-1 A D, D = diag(s)
 *
 * The stop rule compares only neighbours. So once they agree, and every LOOK
 * rounds, the host computes the spread of all s_i; rounds end when the spread
 * does not shrink soon, or when a row sum is zero, by which they cannot divide.
 * The fused rounds start from the vector found: they judge it by the matrix as
 * given, and continue where it is not yet as exact as was asked for. */
#include <math.h>

#include "ops/eigen/eigen.h"
#include "ops/eigen/seed.h"

enum { LOOK = 8 };		/* rounds between two checks of the spread */

/* The share of the spread that may be left after LOOK rounds. */
#define SLOW 0.25

struct rounds {
	struct eigen_problem *p;
	struct eigen_seed_buffers b;
	int version;
	double *host;			/* n row sums, on the host */
	double spread;			/* relative, when last computed */
};

/* n elements of the sequence's type, as doubles. */
static void read_reals(struct seq *s, struct buf b, double *to, size_t n)
{
	const float *x = (const float *)to;

	seq_read(s, b, 0, to, n * dtype_bytes(seq_dtype(s)));
	if (seq_dtype(s) == FLOAT32 && !seq_failed(s))
		for (size_t i = n; i-- > 0;)	/* widened in place */
			to[i] = x[i];
}

static void fill_ones(struct seq *s, struct buf b, size_t n)
{
	const size_t each = dtype_bytes(seq_dtype(s));
	const float single = 1;
	const double one = 1;

	seq_fill(s, b, 0, n * each,
	         each == sizeof one ? (const void *)&one : &single, each);
}

static struct eigen_seed_buffers make_buffers(struct seq *s, size_t n)
{
	const size_t each = dtype_bytes(seq_dtype(s));

	return (struct eigen_seed_buffers){
		.a = seq_scratch(s, n * n * each),
		.sums = seq_scratch(s, n * each),
		.max = seq_scratch(s, each),
		.v = seq_scratch(s, n * each),
		.stop = seq_scratch(s, sizeof(int32_t)),
	};
}

void eigen_seed_need(struct need *need, enum dtype t, size_t n)
{
	const size_t each = dtype_bytes(t);

	need_buffer(need, n * n * each);
	need_buffer(need, n * each);
	need_buffer(need, each);
	need_buffer(need, n * each);
	need_buffer(need, sizeof(int32_t));
}

static struct rounds begin(struct eigen_problem *p, struct eigen_pair *r)
{
	const size_t n = p->n;

	if (!p->seed.a.id)
		p->seed = make_buffers(p->s, n);
	seed_scale(p->s, p->a, p->index * n * n, p->seed.a, ilogb(p->unit),
	           n * n);
	fill_ones(p->s, p->seed.v, n);
	return (struct rounds){ .p = p, .b = p->seed, .host = r->vector,
	                        .version = p->k->seed - 1, .spread = 1 };
}

/* (max - min) / max of the row sums; infinite where one is not positive. */
static double spread_of(struct rounds *g)
{
	double low = INFINITY, high = 0;

	read_reals(g->p->s, g->b.sums, g->host, g->p->n);
	if (seq_failed(g->p->s))
		return INFINITY;
	for (size_t i = 0; i < g->p->n; i++) {
		if (!isnormal(g->host[i]) || g->host[i] < 0)
			return INFINITY;
		low = fmin(low, g->host[i]);
		high = fmax(high, g->host[i]);
	}
	return (high - low) / high;
}

/* Runs a round up to the stop test; do neighbours agree? */
static bool advance(struct rounds *g)
{
	struct seq *s = g->p->s;
	const size_t n = g->p->n;
	int32_t near = 0;

	seed_row_sums(s, g->version, g->b.a, g->b.sums, n);
	seed_max(s, g->version, g->b.sums, g->b.max, n);
	seed_update(s, g->version, g->b.v, g->b.sums, g->b.max, n);
	seed_stop(s, g->version, g->b.sums, g->b.max, g->p->tol, g->b.stop, n);
	seq_read(s, g->b.stop, 0, &near, sizeof near);
	return near != 0;
}

/* Do all row sums agree? Sets *hopeless if they will not agree soon, or
 * ever. */
static bool closed(struct rounds *g, int64_t round, bool *hopeless)
{
	const double spread = spread_of(g);

	if (round % LOOK == 0) {
		*hopeless = round == 0 ? isinf(spread) :
		            !(spread <= SLOW * g->spread);
		g->spread = spread;
	}
	return spread <= g->p->tol;
}

/* Runs up to `limit` rounds; returns their number. */
static int64_t run_rounds(struct rounds *g, int64_t limit)
{
	int64_t round = 0;
	bool hopeless = false;

	while (round < limit && !seq_failed(g->p->s)) {
		const bool near = advance(g);
		const bool look = near || round % LOOK == 0;

		if (look && closed(g, round, &hopeless))
			return round + 1;
		round++;
		if (hopeless)
			break;
		seed_next(g->p->s, g->b.a, g->b.sums, g->p->n);
	}
	return round;
}

/* Takes the rounds' vector, or a vector of ones if one of its elements is not
 * positive and finite. */
static void take_vector(struct rounds *g, struct eigen_pair *r)
{
	bool whole = true;

	read_reals(g->p->s, g->b.v, r->vector, g->p->n);
	for (size_t i = 0; i < g->p->n; i++)
		whole = whole && isnormal(r->vector[i]) && r->vector[i] > 0;
	for (size_t i = 0; i < g->p->n && !whole; i++)
		r->vector[i] = 1;
}

int eigen_seed(struct eigen_problem *p, struct eigen_pair *r, bool impatient)
{
	const int64_t limit = p->limit;
	struct rounds g = begin(p, r);
	const int64_t done = run_rounds(&g, limit - 1);
	int rc;

	if (seq_failed(p->s))
		return -1;
	take_vector(&g, r);
	r->iterations += done;
	p->limit = limit - done;
	rc = eigen_similarity_from(p, r, impatient);
	p->limit = limit;
	return rc;
}
