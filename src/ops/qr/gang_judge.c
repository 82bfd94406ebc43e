/* gang_judge.c - what the devices of a gang find out together, for which each
 * sums over its own columns: whether all elements are finite, and the verdict
 * of one device (judge.h),
 *
 *     |A - Q R| / (max(m, n) eps |A|)  and  |I - Q^T Q| / (m eps).
 *
 * Its vectors are x, of n elements, for A x and R x, and other ones, of q
 * elements, for Q. The shares of R x are added by every part, which multiplies
 * its columns of Q by their elements of the sum; all other shares are added by
 * the first part. Vectors are [vector][element] in float64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/gang/elements.h"
#include "ops/lu/residual.h"
#include "ops/qr/gang.h"

enum { LANES = 64, ROWS = 256 };	/* of qr_scale in kernels/qr/panel.cl */

/* A part's numbers for the others. */
struct shares {
	struct qr_gang_look *look;
	double *square;			/* the sum of the a_ij^2 */
	double *ax, *qrx, *qy;		/* A x, Q R x, Q y: m for each vector */
	double *rx;			/* R x: q for each vector */
};

size_t qr_gang_own(const struct qr_gang *g)
{
	const size_t each = 3 * g->z.m + g->z.columns;

	return sizeof(struct qr_gang_look) +
	       (1 + (g->judged ? each * JUDGE_PROBES : 0)) * sizeof(double);
}

static struct shares shares_of(const struct qr_gang *g, int part)
{
	struct qr_gang_look *const look = board_own(&g->x, part);
	double *const x = (double *)(look + 1);
	const size_t m = g->z.m * JUDGE_PROBES;

	return (struct shares){ look, x, x + 1, x + 1 + m, x + 1 + 2 * m,
	                        x + 1 + 3 * m };
}

static struct shares own_shares(const struct qr_gang *g)
{
	return shares_of(g, g->x.part);
}

static void *room_for(struct qr_gang *g, size_t n, size_t each)
{
	void *const x = calloc(n + 1, each);

	if (!x)
		err_set(seq_err(g->s), ERR_MEMORY, "qr: no memory for %zu "
		        "numbers", n);
	return x;
}

/* --- what is not finite */

static struct buf scale(struct qr_gang *g)
{
	const struct buf bad = seq_scratch(g->s, sizeof(int32_t));
	const size_t groups = size_blocks(g->c.own, LANES) *
	                      size_blocks(g->z.m, ROWS);

	seq_fill(g->s, g->exponents, 0, g->c.own * sizeof(int32_t),
	         &(int32_t){ INT32_MIN }, sizeof(int32_t));
	seq_fill(g->s, bad, 0, sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	seq_launch(g->s, "qr_scale", GRID1(groups * LANES, LANES),
	           ARG_BUF(g->c.b), ARG_INT(g->z.m), ARG_INT(g->c.own),
	           ARG_BUF(g->exponents), ARG_BUF(bad));
	return bad;
}

static void look_at_own(struct qr_gang *g, int32_t *exponents)
{
	struct qr_gang_look *const own = own_shares(g).look;
	const int mark = seq_mark(g->s);
	const struct buf bad = scale(g);
	int32_t is_bad = 0, most = INT32_MIN;

	seq_read(g->s, g->exponents, 0, exponents,
	         g->c.own * sizeof *exponents);
	seq_read(g->s, bad, 0, &is_bad, sizeof is_bad);
	seq_drop(g->s, mark);
	for (size_t i = 0; i < g->c.own; i++)
		most = exponents[i] > most ? exponents[i] : most;
	*own = (struct qr_gang_look){ is_bad, most };
}

int qr_gang_look(struct qr_gang *g)
{
	int32_t *const room = room_for(g, g->c.own, sizeof *room);
	double most = INT32_MIN;
	int good = 1;

	if (!room)
		return -1;
	look_at_own(g, room);
	free(room);
	if (!board_meet(&g->x))
		return -1;
	for (int p = 0; p < g->x.parts; p++) {
		const struct qr_gang_look *x = shares_of(g, p).look;

		good &= x->bad == 0;
		most = fmax(most, x->exponent);
	}
	if (g->judged)
		g->j = judge_part(g->s, g->a, most == INT32_MIN ? 0 : most);
	return good;
}

/* --- the verdict */

/* to = the product of the part's columns with their elements of vectors. */
static void multiply(struct qr_gang *g, const struct columns *c, bool scaled,
                     const struct vectors *x, double *to, struct buf *square)
{
	const struct judged of = { .b = c->b, .rows = c->m, .cols = c->own,
	                           .scaled = scaled };
	const struct vectors y = judge_times(&g->j, &of, x, square);

	judge_read(&g->j, y.b, y.length * y.count, to);
}

void qr_gang_judge_a(struct qr_gang *g)
{
	const struct shares own = own_shares(g);
	const int mark = seq_mark(g->s);
	double *squares = g->judged ? room_for(g, g->z.m, sizeof *squares) :
	                              NULL;
	struct buf square;
	struct vectors x;

	if (!squares)
		return;
	x = gang_elements(&g->j, &g->c, NULL);
	multiply(g, &g->c, true, &x, own.ax, &square);
	judge_read(&g->j, square, g->z.m, squares);
	*own.square = 0;
	for (size_t i = 0; i < g->z.m; i++)
		*own.square += squares[i];
	memset(own.rx, 0, g->z.columns * JUDGE_PROBES * sizeof *own.rx);
	free(squares);
	seq_drop(g->s, mark);
}

void qr_gang_judge_r(struct qr_gang *g, size_t block, struct buf r)
{
	const struct columns c = {
		.m = g->z.columns, .n = g->c.n, .width = g->c.width,
		.part = block, .parts = columns_blocks(&g->c),
		.own = columns_width(&g->c, block), .b = r,
	};
	const size_t n = c.m * JUDGE_PROBES;
	double *const sums = g->judged && !seq_failed(g->s) ?
	                     room_for(g, n, sizeof *sums) : NULL;
	const struct shares own = own_shares(g);
	struct vectors x;

	if (!sums)
		return;
	x = gang_elements(&g->j, &c, NULL);
	multiply(g, &c, true, &x, sums, NULL);
	for (size_t i = 0; i < n; i++)
		own.rx[i] += sums[i];
	free(sums);
}

/* Adds n numbers of every part, which begin at `of` in this part's bytes. */
static double *sum_of(struct qr_gang *g, const double *of, size_t n)
{
	const double *const first = own_shares(g).square;
	double *const sum = room_for(g, n, sizeof *sum);

	for (int p = 0; sum && p < g->x.parts; p++) {
		const double *x = shares_of(g, p).square + (of - first);

		for (size_t i = 0; i < n; i++)
			sum[i] += x[i];
	}
	return sum;
}

/* The shares of Q R x and of Q y. */
static void multiply_q(struct qr_gang *g, const double *rx)
{
	const struct shares own = own_shares(g);
	const int mark = seq_mark(g->s);
	const struct vectors x = gang_elements(&g->j, &g->q, rx);
	const struct vectors y = gang_elements(&g->j, &g->q, NULL);

	if (!seq_failed(g->s)) {
		multiply(g, &g->q, false, &x, own.qrx, NULL);
		multiply(g, &g->q, false, &y, own.qy, NULL);
	}
	seq_drop(g->s, mark);
}

bool qr_gang_judge_q(struct qr_gang *g)
{
	double *rx;

	if (!g->judged)
		return !seq_failed(g->s);
	if (!board_meet(&g->x))
		return false;
	rx = sum_of(g, own_shares(g).rx, g->z.columns * JUDGE_PROBES);
	if (rx)
		multiply_q(g, rx);
	free(rx);
	return !seq_failed(g->s);
}

void qr_gang_judge_end(struct qr_gang *g, struct args *a)
{
	const size_t m = g->z.m, n = m * JUDGE_PROBES;
	const double *sums, *square;
	double *all;

	if (!g->judged || !board_meet(&g->x) || g->x.part > 0)
		return;
	all = sum_of(g, own_shares(g).square, 1 + 3 * n);
	if (!all)
		return;
	square = all;
	sums = all + 1;
	if (g->has_r)
		a->verdict.residual = judge_residual_of(&g->j, sums, sums + n,
		    m, *square, size_max(m, g->z.n));
	a->verdict.orthogonality = judge_orthogonality_of(&g->j, sums + 2 * n,
	                                                  m, g->z.columns);
	free(all);
}

void qr_gang_judge_need(const struct qr_gang *g, const struct sheet *d)
{
	const size_t m = g->z.m, vector = JUDGE_PROBES * lu_wide_bytes(d);

	need_buffer(g->need, vector);	/* the unit */
	/* Either A x and the sums of squares, or the shares for Q. */
	for (int i = 0; i < 2; i++) {
		need_buffer(g->need, size_max(g->c.own, g->q.own) * vector);
		need_buffer(g->need, m * vector);
	}
	/* R x, whose block of R is in memory at the same time. */
	need_buffer(g->need, g->z.columns * vector);
	need_buffer(g->need, g->c.width * vector);
}
