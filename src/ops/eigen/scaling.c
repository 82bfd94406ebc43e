/* scaling.c - Krylov's products with the balanced matrix D^-1 B D. A product is
 * D^-1 (B (D x)), so that the device needs nothing beside the matrix but D, a
 * diagonal of powers of two.
 *
 * The device sums up the norms of all rows and columns, which show whether
 * balancing would change anything; only then does the host go over the
 * matrix. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/balance.h"
#include "ops/eigen/eigen.h"

enum { SLABS = 8, ITEMS = 128 };	/* slabs of rows; items of a group */

void eigen_scaling_need(struct need *need, size_t acc, size_t n)
{
	need_buffer(need, n * acc);
	need_buffer(need, SLABS * n * acc);
	for (int i = 0; i < 3; i++)	/* d, inverse, scaled */
		need_buffer(need, n * acc);
}

static void make_buffers(struct eigen_problem *p)
{
	if (p->squares.id)
		return;
	p->squares = eigen_scratch(p, p->n);
	p->slabs = eigen_scratch(p, SLABS * p->n);
	p->d = eigen_scratch(p, p->n);
	p->inverse = eigen_scratch(p, p->n);
	p->scaled = eigen_scratch(p, p->n);
}

/* Reads the squares of the rows' norms, followed by SLABS partial sums of each
 * column's. */
static void sum_up(struct eigen_problem *p, double *sums)
{
	const size_t n = p->n, rows = size_blocks(n, SLABS);
	const double bytes = (double)n * (double)n *
	                     (double)dtype_bytes(p->m->dtype);

	seq_work(p->s, 0, bytes);
	seq_launch(p->s, "eigen_squares", GRID1(n * ITEMS, ITEMS),
	           ARG_BUF(p->a), ARG_LONG(p->index * n * n),
	           ARG_BUF(p->state), ARG_BUF(p->squares), ARG_LONG(n));
	seq_work(p->s, 0, bytes);
	seq_launch(p->s, "eigen_columns", GRID2(n, SLABS, ITEMS, 1),
	           ARG_BUF(p->a), ARG_LONG(p->index * n * n),
	           ARG_BUF(p->state), ARG_BUF(p->slabs), ARG_LONG(n),
	           ARG_LONG(rows));
	eigen_read(p, p->squares, 0, sums, n);
	eigen_read(p, p->slabs, 0, sums + n, SLABS * n);
}

/* A norm of 0 does not count as balanced: its squares may have underflowed on
 * the device. */
static bool is_balanced(const double *sums, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double column = 0;

		for (size_t s = 0; s < SLABS; s++)
			column += sums[(1 + s) * n + i];
		if (sums[i] == 0 || column == 0 ||
		    balance_scales(sqrt(sums[i]), sqrt(column)))
			return false;
	}
	return true;
}

static int no_memory(struct eigen_problem *p)
{
	return err_set(seq_err(p->s), ERR_MEMORY,
	               "eigen: no memory to balance %zu rows", p->n);
}

/* Balances the matrix unless its norms show that it is balanced; the caller
 * calls balance_fini(b). */
static int find(struct eigen_problem *p, struct balance *b)
{
	double *sums = malloc((1 + SLABS) * p->n * sizeof *sums);
	int rc = balance_init(b, p->n);

	if (!sums || rc < 0) {
		free(sums);
		return no_memory(p);
	}
	make_buffers(p);
	eigen_begin(p, 0, 0, 0);
	sum_up(p, sums);
	if (!seq_failed(p->s) && !is_balanced(sums, p->n)) {
		seq_host_begin(p->s);
		rc = balance_find(b, p->m, p->index, false);
		seq_host_end(p->s);
	}
	free(sums);
	return rc < 0 ? no_memory(p) : seq_failed(p->s) ? -1 : 0;
}

/* The difference between the largest and the least exponent of D. */
static int spread_of(const struct balance *b)
{
	int low = 0, high = 0;

	for (size_t i = 0; i < b->n; i++) {
		low = b->power[i] < low ? b->power[i] : low;
		high = b->power[i] > high ? b->power[i] : high;
	}
	return high - low;
}

static int write_diagonal(struct eigen_problem *p, const struct balance *b)
{
	const int most = p->epsilon < 1e-10 ? 1000 : 120;
	double *d = malloc(2 * p->n * sizeof *d);

	if (!d)
		return no_memory(p);
	for (size_t i = 0; i < p->n; i++) {
		const int power = b->power[i];

		d[i] = ldexp(1, power > most ? most :
		                power < -most ? -most : power);
		d[p->n + i] = 1 / d[i];
	}
	eigen_write(p, p->d, 0, d, p->n);
	eigen_write(p, p->inverse, 0, d + p->n, p->n);
	free(d);
	return 0;
}

int eigen_scaling_find(struct eigen_problem *p, bool *scaled)
{
	struct balance b;
	int rc = find(p, &b);

	*scaled = rc == 0 && spread_of(&b) > 0;
	if (*scaled)
		rc = write_diagonal(p, &b);
	balance_fini(&b);
	return rc;
}

int eigen_scaling_matters(struct eigen_problem *p, bool *matters)
{
	struct balance b;
	const int rc = find(p, &b);

	*matters = rc == 0 && spread_of(&b) > p->range / 3;
	balance_fini(&b);
	return rc;
}

/* y = F x, where F is a diagonal; y may be x. */
static void scale(struct eigen_problem *p, struct buf f, struct buf x,
                  size_t from, struct buf y)
{
	seq_launch(p->s, "eigen_scale", GRID1(p->n, ITEMS), ARG_BUF(f),
	           ARG_BUF(x), ARG_LONG(from), ARG_BUF(y), ARG_LONG(p->n));
}

void eigen_scaled_product(struct eigen_problem *p, struct buf x, size_t from,
                          struct buf w)
{
	scale(p, p->d, x, from, p->scaled);
	eigen_product(p, p->scaled, 0, w, 0);
	scale(p, p->inverse, w, 0, w);
}

void eigen_scale_vector(struct eigen_problem *p, struct buf x, size_t from)
{
	scale(p, p->d, x, from, p->scaled);
	seq_copy(p->s, p->scaled, 0, x, from * acc_bytes(p),
	         p->n * acc_bytes(p));
}
