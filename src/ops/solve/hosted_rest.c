/* hosted_rest.c - the norm of A and the residual b - A x, which are summed from
 * parts of A's columns; see hosted.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/lu/residual.h"
#include "ops/lu/sums.h"
#include "ops/solve/hosted.h"

enum {
	CHUNK = 1024,			/* rows that one item sums */
	ITEMS = 64,
	LANES = 32, TEAMS = 8,		/* kernels/solve/lanes.h */
	ROW = 3				/* wide numbers in its struct row */
};

/* --- the norm of A */

static size_t sums_bytes(size_t n, size_t own, const struct sheet *d)
{
	return size_blocks(n, CHUNK) * own * lu_wide_bytes(d);
}

struct buf solve_part_bad(struct solve_hosted *h)
{
	const struct buf bad = seq_scratch(h->s, sizeof(int32_t));
	const int32_t none = 0;

	seq_write(h->s, bad, 0, &none, sizeof none);
	return bad;
}

bool solve_part_is_bad(struct solve_hosted *h, struct buf bad)
{
	int32_t is_bad = 0;

	seq_read(h->s, bad, 0, &is_bad, sizeof is_bad);
	return is_bad != 0;
}

double solve_part_norm(struct solve_hosted *h, const struct solve_part *p,
                       struct buf bad)
{
	const size_t own = p->c.own, chunks = size_blocks(h->n, CHUNK);
	const int mark = seq_mark(h->s);
	const struct buf sums = seq_scratch(h->s, sums_bytes(h->n, own,
	                                    seq_sheet(h->s)));
	double most = 0, *host;

	seq_work(h->s, 0, (double)h->n * own * h->each);
	seq_launch(h->s, "solve_gang_look", GRID2(own, chunks, ITEMS, 1),
	           ARG_BUF(p->a), ARG_INT(h->n), ARG_INT(own), ARG_INT(CHUNK),
	           ARG_BUF(sums), ARG_BUF(bad));
	host = lu_wide_read(h->s, sums, chunks * own);
	seq_drop(h->s, mark);
	for (size_t c = 0; host && c < own; c++) {
		double sum = 0;

		for (size_t k = 0; k < chunks; k++)
			sum += host[k * own + c];
		most = lu_larger(most, sum);
	}
	free(host);
	return most;
}

void solve_part_need(struct need *n, const struct solve_hosted *h,
                     const struct sheet *d, size_t own)
{
	need_buffer(n, sizeof(int32_t));
	need_buffer(n, sums_bytes(h->n, own, d));
}

/* --- the residual */

size_t solve_part_share_bytes(const struct solve_hosted *h,
                              const struct sheet *d)
{
	return h->n * 3 * size_max(h->some, 1) * lu_wide_bytes(d);
}

/* Writes the part's elements of x to the device, [column][own]. */
static void put(struct solve_hosted *h, const struct solve_part *p,
                size_t cols)
{
	const size_t own = p->c.own;

	for (size_t q = 0; q < cols; q++)
		for (size_t c = 0; c < own; c++)
			solve_room_set(h, q * own + c, h->x_now[q * h->n +
			               columns_global(&p->c, c)]);
	seq_write(h->s, p->own, 0, h->room, cols * own * h->each);
}

void solve_part_share(struct solve_hosted *h, const struct solve_part *p,
                      size_t cols, double *to)
{
	const size_t wide = lu_wide_bytes(seq_sheet(h->s)), own = p->c.own;
	double *host;

	put(h, p, cols);
	seq_work(h->s, 2.0 * h->n * own * cols,
	         (double)h->n * own * h->each);
	seq_launch(h->s, "solve_gang_rest",
	           GRID3(LANES, h->n, cols, LANES, TEAMS, 1), ARG_BUF(p->a),
	           ARG_INT(h->n), ARG_INT(own), ARG_BUF(p->own),
	           ARG_BUF(p->share), ARG_LOCAL(LANES * TEAMS * ROW * wide));
	host = lu_wide_read(h->s, p->share, 3 * h->n * cols);
	if (host)
		memcpy(to, host, 3 * h->n * cols * sizeof *host);
	free(host);
}

void solve_rest_begin(struct solve_hosted *h, size_t cols)
{
	for (size_t i = 0; i < h->n * cols; i++) {
		h->r[i] = -h->b[i];
		h->low[i] = 0;
		h->size[i] = fabs(h->b[i]);
	}
}

/* Adds to a sum of two numbers that are not added (Ogita, Rump and Oishi
 * 2005). */
static void add(double *sum, double *rest, double high, double low)
{
	const double s = *sum + high, b = s - *sum;
	const double error = (*sum - (s - b)) + (high - b);

	*sum = s;
	*rest = error + (*rest + low);
}

void solve_rest_add(struct solve_hosted *h, const double *share, size_t cols)
{
	const size_t n = h->n;

	for (size_t q = 0; q < cols; q++, share += 3 * n)
		for (size_t i = 0; i < n; i++) {
			add(&h->r[q * n + i], &h->low[q * n + i], share[i],
			    share[n + i]);
			h->size[q * n + i] += share[2 * n + i];
		}
}

void solve_rest_end(struct solve_hosted *h, size_t cols)
{
	for (size_t i = 0; i < h->n * cols; i++)
		h->r[i] = -(h->r[i] + h->low[i]);
}
