/* judge.c - see judge.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/dense.h"
#include "ops/lu/residual.h"
#include "ops/qr/judge_launch.h"
#include "ops/room.h"
#include "shared/judge_spread.h"

enum {
	GROUP = 32,
	ITEMS = SPREAD_ROWS * SPREAD_LANES,	/* kernels/qr/spread.cl */
	EACH = 16,			/* least elements of a work-item */
	PIECES = 512			/* most work-groups of a matrix */
};

struct buf judge_room(const struct judge *j, size_t numbers)
{
	const size_t bytes = numbers * j->wide;

	return room_make(j->s, j->need, bytes);
}

struct grid judge_groups(const struct judge *j, size_t n)
{
	return GRID1(n * j->stack * j->items, j->items);
}

size_t judge_pieces(size_t elements)
{
	return size_min(size_max(elements / (ITEMS * EACH), 1), PIECES);
}

struct grid judge_spread(const struct judge *j, size_t n)
{
	return GRID1(n * j->stack * ITEMS, ITEMS);
}

/* unit = 1 / max |a_ij| */
static void find_unit(struct judge *j)
{
	const struct matrix *a = &j->a->in[0];
	const size_t m = matrix_rows(a), size = m * matrix_cols(a);
	const size_t pieces = j->spread ? judge_pieces(size) : m;
	const size_t part = j->items * j->wide;
	const struct buf most = judge_room(j, j->stack *
	                                size_max(m, judge_pieces(size)));

	j->unit = judge_room(j, j->stack);
	if (j->need)
		return;
	if (j->spread)
		seq_launch(j->s, "judge_peaks", judge_spread(j, pieces),
		           ARG_BUF(seq_input(j->s, a)), ARG_LONG(size),
		           ARG_INT(pieces), ARG_BUF(most));
	else
		seq_launch(j->s, "judge_largest", judge_groups(j, m),
		           ARG_BUF(seq_input(j->s, a)),
		           ARG_INT(matrix_cols(a)), ARG_BUF(most),
		           ARG_LOCAL(part));
	seq_launch(j->s, "judge_unit", judge_groups(j, 1), ARG_BUF(most),
	           ARG_INT(pieces), ARG_BUF(j->unit), ARG_LOCAL(part));
}

/* Returns whether the kernels of kernels/qr/spread.cl are launched. CPUs take
 * those of judge.cl, in which one work-item computes a row, as suits PoCL. A
 * variant that is not chosen automatically on CPUs runs there only if a request
 * or a test names it; it takes spread.cl's kernels, so that tests on a CPU
 * cover them. */
static bool is_spread(const struct sheet *d, const struct variant *v)
{
	return d->type != DEVICE_CPU ||
	       (v && !(v->auto_for & DEVICE_CPU));
}

static struct judge judge_of(const struct sheet *d, const struct args *a)
{
	return (struct judge){
		.sheet = d, .a = a, .stack = matrix_stack(&a->in[0]),
		.wide = lu_wide_bytes(d),
		.items = d->type == DEVICE_CPU ? 1 : GROUP,
		.full = a->quality == QUALITY_FULL,
		.spread = is_spread(d, a->variant),
	};
}

int judge_run(struct seq *s, struct args *a, judge_fn *verdict)
{
	struct judge j = judge_of(seq_sheet(s), a);

	if (dense_is_empty(a)) {
		a->verdict.residual = a->verdict.orthogonality = 0;
		return 0;
	}
	j.s = s;
	find_unit(&j);
	verdict(&j);
	judge_settle(&j, &a->verdict);
	return seq_finish(s);
}

struct judge judge_part(struct seq *s, const struct args *a, double exponent)
{
	struct judge j = judge_of(seq_sheet(s), a);
	const double most = j.wide == sizeof(double) ? 1000 : 120;
	double unit = ldexp(1, -(int)fmin(fmax(exponent, -most), most));

	j.s = s;
	j.unit = judge_vectors(&j, &unit, 1, 1).b;
	return j;
}

void judge_need(struct need *n, const struct sheet *d, const struct args *a,
                judge_fn *verdict)
{
	struct judge j = judge_of(d, a);

	if (a->quality == QUALITY_NONE || dense_is_empty(a))
		return;
	j.need = n;
	find_unit(&j);
	verdict(&j);
}

struct buf judge_matrix(const struct judge *j, const struct matrix *m)
{
	return j->need ? (struct buf){ 0 } : seq_input(j->s, m);
}

/* A pseudorandom sign, or an element of the identity. */
double judge_probe(const struct judge *j, size_t c, size_t i)
{
	uint64_t x = (i * JUDGE_PROBES + c + 1) *
	             UINT64_C(0x9e3779b97f4a7c15);

	if (j->full)
		return c == i;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return (x ^ x >> 27) >> 40 & 1 ? 1 : -1;
}

struct vectors judge_vectors(const struct judge *j, double *host,
                             size_t length, size_t count)
{
	const size_t all = length * count;

	for (size_t i = 0; i < all && j->wide == sizeof(float); i++)
		((float *)host)[i] = (float)host[i];
	return (struct vectors){
		.b = seq_constant(j->s, host, all * j->wide),
		.length = length, .count = count, .shared = true,
	};
}

struct vectors judge_probes(const struct judge *j, size_t length)
{
	struct vectors v = { .length = length, .shared = true,
	                     .count = j->full ? length : JUDGE_PROBES };
	const size_t all = v.length * v.count;
	double *host;

	if (j->need) {
		need_buffer(j->need, all * j->wide);
		return v;
	}
	host = malloc(all * sizeof *host);
	if (!host) {
		err_set(seq_err(j->s), ERR_MEMORY, "no memory for %zu vectors "
		        "of %zu elements", v.count, length);
		return v;
	}
	for (size_t i = 0; i < all; i++)
		host[i] = judge_probe(j, i / length, i % length);
	v = judge_vectors(j, host, length, v.count);
	free(host);
	return v;
}

/* The distance of a matrix's vectors from those of the matrix before. */
static size_t step_of(const struct vectors *x)
{
	return x->shared ? 0 : x->length * x->count;
}

static size_t ld_of(const struct judged *m)
{
	return m->ld ? m->ld : m->cols;
}

/* The distance of two matrices of a stack, in elements. */
static size_t step_between(const struct judged *m)
{
	return (m->of ? m->of : m->rows) * ld_of(m);
}

const char *judge_kernel(size_t n)
{
	return n <= SPREAD_SHORT ? "judge_short" : "judge_products";
}

size_t judge_rows(size_t n)
{
	return n <= SPREAD_SHORT ? SPREAD_TILE : SPREAD_ROWS;
}

/* M X by kernels/qr/spread.cl. */
static void products(const struct judge *j, const struct judged *m,
                     const struct vectors *x, const struct vectors *y,
                     struct buf square)
{
	const size_t groups = size_blocks(m->rows, judge_rows(m->cols));

	seq_launch(j->s, judge_kernel(m->cols), judge_spread(j, groups),
	           ARG_BUF(m->b), ARG_LONG(step_between(m)),
	           ARG_INT(ld_of(m)), ARG_INT(m->rows), ARG_INT(m->cols),
	           ARG_BUF(j->unit), ARG_INT(m->scaled),
	           ARG_BUF(m->weights.id ? m->weights : m->b),
	           ARG_INT(m->weights.id != 0), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_BUF(y->b),
	           ARG_INT(square.id != 0),
	           ARG_BUF(square.id ? square : y->b));
}

/* M X by kernels/qr/judge.cl. */
static void rows_times(const struct judge *j, const struct judged *m,
                       const struct vectors *x, const struct vectors *y,
                       struct buf square)
{
	seq_launch(j->s, "judge_times", judge_groups(j, m->rows), ARG_BUF(m->b),
	           ARG_LONG(step_between(m)), ARG_INT(ld_of(m)),
	           ARG_INT(m->rows), ARG_INT(m->cols), ARG_BUF(j->unit),
	           ARG_INT(m->scaled),
	           ARG_BUF(m->weights.id ? m->weights : m->b),
	           ARG_INT(m->weights.id != 0), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_BUF(y->b),
	           ARG_INT(square.id != 0),
	           ARG_BUF(square.id ? square : y->b),
	           ARG_LOCAL(j->items * j->wide));
}

struct vectors judge_times(const struct judge *j, const struct judged *m,
                           const struct vectors *x, struct buf *square)
{
	const struct vectors y = {
		.b = judge_room(j, j->stack * m->rows * x->count),
		.length = m->rows, .count = x->count,
	};

	if (square)
		*square = judge_room(j, j->stack * m->rows);
	if (j->need)
		return y;
	seq_work(j->s, 2.0 * j->stack * m->rows * m->cols * x->count, 0);
	(j->spread ? products : rows_times)(j, m, x, &y, square ? *square :
	                                    (struct buf){ 0 });
	return y;
}

/* M^T X by kernels/qr/spread.cl. */
static void columns(const struct judge *j, const struct judged *m,
                    const struct vectors *x, const struct vectors *y)
{
	seq_launch(j->s, "judge_columns",
	           judge_spread(j, size_blocks(m->cols, SPREAD_LANES)),
	           ARG_BUF(m->b), ARG_LONG(step_between(m)),
	           ARG_INT(ld_of(m)), ARG_INT(m->rows), ARG_INT(m->cols),
	           ARG_BUF(j->unit), ARG_INT(m->scaled), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_BUF(y->b));
}

/* M^T X by kernels/qr/judge.cl. */
static void columns_times(const struct judge *j, const struct judged *m,
                          const struct vectors *x, const struct vectors *y)
{
	const size_t vw = 64 / dtype_bytes(j->a->dtype);

	seq_launch(j->s, "judge_turned",
	           GRID1(size_blocks(m->cols, vw) * j->stack, j->items),
	           ARG_BUF(m->b), ARG_LONG(step_between(m)),
	           ARG_INT(ld_of(m)), ARG_INT(m->rows), ARG_INT(m->cols),
	           ARG_BUF(j->unit), ARG_INT(m->scaled), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_LONG(j->stack),
	           ARG_BUF(y->b));
}

struct vectors judge_turned(const struct judge *j, const struct judged *m,
                            const struct vectors *x)
{
	const struct vectors y = {
		.b = judge_room(j, j->stack * m->cols * x->count),
		.length = m->cols, .count = x->count,
	};

	if (j->need)
		return y;
	seq_work(j->s, 2.0 * j->stack * m->rows * m->cols * x->count, 0);
	(j->spread ? columns : columns_times)(j, m, x, &y);
	return y;
}

struct vectors judge_place(const struct judge *j, struct buf p,
                           const struct vectors *x)
{
	const struct vectors y = {
		.b = judge_room(j, j->stack * x->length * x->count),
		.length = x->length, .count = x->count,
	};

	if (j->need)
		return y;
	seq_launch(j->s, "judge_place", GRID1(x->length * j->stack, j->items),
	           ARG_BUF(p), ARG_INT(x->length), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_LONG(j->stack),
	           ARG_BUF(y.b));
	return y;
}
