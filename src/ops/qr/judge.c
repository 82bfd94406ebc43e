/* judge.c - see judge.h. */
#include "ops/qr/judge.h"

#include <stdlib.h>

#include "base/size.h"
#include "ops/dense.h"
#include "ops/failure.h"
#include "ops/lu/residual.h"
#include "shared/judge_tile.h"

enum { GROUP = 32 };

/* Makes a buffer of so many numbers, or only counts it. */
static struct buf room(const struct judge *j, size_t numbers)
{
	const size_t bytes = numbers * j->wide;

	if (!j->need)
		return seq_scratch(j->s, bytes);
	need_buffer(j->need, bytes);
	return (struct buf){ 0 };
}

/* The grid that has a work-group for each of n rows or vectors of every
 * matrix. */
static struct grid groups(const struct judge *j, size_t n)
{
	return GRID1(n * j->stack * j->items, j->items);
}

/* unit = 1 / max |a_ij| */
static void find_unit(struct judge *j)
{
	const struct matrix *a = &j->a->in[0];
	const size_t m = matrix_rows(a), part = j->items * j->wide;
	const struct buf most = room(j, j->stack * m);

	j->unit = room(j, j->stack);
	if (j->need)
		return;
	seq_launch(j->s, "judge_largest", groups(j, m),
	           ARG_BUF(seq_input(j->s, a)), ARG_INT(matrix_cols(a)),
	           ARG_BUF(most), ARG_LOCAL(part));
	seq_launch(j->s, "judge_unit", groups(j, 1), ARG_BUF(most), ARG_INT(m),
	           ARG_BUF(j->unit), ARG_LOCAL(part));
}

static struct judge judge_of(const struct sheet *d, const struct args *a)
{
	return (struct judge){
		.sheet = d, .a = a, .stack = matrix_stack(&a->in[0]),
		.wide = lu_wide_bytes(d),
		.items = d->type == DEVICE_CPU ? 1 : GROUP,
		.full = a->quality == QUALITY_FULL,
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
	a->verdict = verdict(&j);
	return seq_finish(s);
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

/* Element i of probe c: a pseudorandom sign, or an element of the identity. */
static double probe(const struct judge *j, size_t c, size_t i)
{
	uint64_t x = (i * JUDGE_PROBES + c + 1) *
	             UINT64_C(0x9e3779b97f4a7c15);

	if (j->full)
		return c == i;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return (x ^ x >> 27) >> 40 & 1 ? 1 : -1;
}

static void fill(const struct judge *j, const struct vectors *v, void *host)
{
	for (size_t c = 0; c < v->count; c++)
		for (size_t i = 0; i < v->length; i++) {
			const size_t at = c * v->length + i;

			if (j->wide == sizeof(double))
				((double *)host)[at] = probe(j, c, i);
			else
				((float *)host)[at] = (float)probe(j, c, i);
		}
}

struct vectors judge_probes(const struct judge *j, size_t length)
{
	struct vectors v = { .length = length, .shared = true,
	                     .count = j->full ? length : JUDGE_PROBES };
	const size_t bytes = v.length * v.count * j->wide;
	void *host;

	if (j->need) {
		need_buffer(j->need, bytes);
		return v;
	}
	host = malloc(bytes);
	if (!host) {
		err_set(seq_err(j->s), ERR_MEMORY, "no memory for %zu vectors "
		        "of %zu elements", v.count, length);
		return v;
	}
	fill(j, &v, host);
	v.b = seq_constant(j->s, host, bytes);
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

struct vectors judge_times(const struct judge *j, const struct judged *m,
                           const struct vectors *x, struct buf *square)
{
	const struct vectors y = {
		.b = room(j, j->stack * m->rows * x->count),
		.length = m->rows, .count = x->count,
	};

	if (square)
		*square = room(j, j->stack * m->rows);
	if (j->need)
		return y;
	seq_work(j->s, 2.0 * j->stack * m->rows * m->cols * x->count, 0);
	seq_launch(j->s, "judge_times", groups(j, m->rows), ARG_BUF(m->b),
	           ARG_LONG(step_between(m)), ARG_INT(ld_of(m)),
	           ARG_INT(m->rows), ARG_INT(m->cols), ARG_BUF(j->unit),
	           ARG_INT(m->scaled),
	           ARG_BUF(m->weights.id ? m->weights : m->b),
	           ARG_INT(m->weights.id != 0), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_BUF(y.b),
	           ARG_INT(square != NULL), ARG_BUF(square ? *square : y.b),
	           ARG_LOCAL(j->items * j->wide));
	return y;
}

/* y = M^T x by work-groups of several items. */
static void columns(const struct judge *j, const struct judged *m,
                    const struct vectors *x, struct buf y)
{
	const size_t items = JUDGE_LANES * JUDGE_TEAMS;

	seq_launch(j->s, "judge_columns",
	           GRID1(size_blocks(m->cols, JUDGE_LANES) * j->stack * items,
	                 items), ARG_BUF(m->b), ARG_LONG(step_between(m)),
	           ARG_INT(ld_of(m)), ARG_INT(m->rows), ARG_INT(m->cols),
	           ARG_BUF(j->unit), ARG_INT(m->scaled), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_BUF(y),
	           ARG_LOCAL(items * JUDGE_VECTORS * j->wide));
}

struct vectors judge_turned(const struct judge *j, const struct judged *m,
                            const struct vectors *x)
{
	const size_t vw = 64 / dtype_bytes(j->a->dtype);
	const struct vectors y = {
		.b = room(j, j->stack * m->cols * x->count),
		.length = m->cols, .count = x->count,
	};

	if (j->need)
		return y;
	seq_work(j->s, 2.0 * j->stack * m->rows * m->cols * x->count, 0);
	if (j->sheet->type == DEVICE_GPU &&
	    j->sheet->max_work_group_size >= JUDGE_LANES * JUDGE_TEAMS) {
		columns(j, m, x, y.b);
		return y;
	}
	seq_launch(j->s, "judge_turned",
	           GRID1(size_blocks(m->cols, vw) * j->stack, j->items),
	           ARG_BUF(m->b), ARG_LONG(step_between(m)),
	           ARG_INT(ld_of(m)), ARG_INT(m->rows), ARG_INT(m->cols),
	           ARG_BUF(j->unit), ARG_INT(m->scaled), ARG_BUF(x->b),
	           ARG_LONG(step_of(x)), ARG_INT(x->count), ARG_LONG(j->stack),
	           ARG_BUF(y.b));
	return y;
}

struct vectors judge_place(const struct judge *j, struct buf p,
                           const struct vectors *x)
{
	const struct vectors y = {
		.b = room(j, j->stack * x->length * x->count),
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

/* Returns the ratio of a matrix from the `each` numbers that a kernel has
 * computed for it. */
typedef double ratio_fn(const struct judge *j, const double *numbers,
                        size_t each, size_t vectors);

/* Returns the largest ratio of the matrices that have not failed, where every
 * matrix has `each` numbers in b; NaN if one is NaN. */
static double worst(const struct judge *j, struct buf b, size_t each,
                    size_t vectors, ratio_fn *ratio)
{
	double *numbers = lu_wide_read(j->s, b, j->stack * each), most = 0;

	if (!numbers)
		return NAN;
	for (size_t i = 0; i < j->stack; i++) {
		const double x = ratio(j, numbers + i * each, each, vectors);

		if (!args_has_failed(j->a, i) && (x > most || isnan(x)))
			most = x;
	}
	free(numbers);
	return most;
}

/* |T - W| / |A| from the squares of both. */
static double defect_ratio(const struct judge *j, const double *numbers,
                           size_t each, size_t vectors)
{
	const double defect = numbers[0] / (j->full ? 1 : (double)vectors);

	(void)each;
	return defect == 0 ? 0 : sqrt(defect / numbers[1]);
}

/* |Q^T Q - I| from the sums of squares of its columns. */
static double gram_ratio(const struct judge *j, const double *numbers,
                         size_t each, size_t vectors)
{
	double sum = 0;

	for (size_t i = 0; i < each; i++)
		sum += numbers[i];
	return sqrt(sum / (j->full ? 1 : (double)(vectors * (vectors - 1))));
}

static double unit_roundoffs(const struct judge *j, size_t size)
{
	return (double)size * dtype_epsilon(j->a->dtype) / 2;
}

double judge_residual(const struct judge *j, const struct vectors *t,
                      const struct vectors *w, struct buf square, size_t size)
{
	const struct buf sums = room(j, 2 * j->stack);

	if (j->need)
		return NAN;
	seq_launch(j->s, "judge_defect", groups(j, 1), ARG_BUF(t->b),
	           ARG_BUF(w->b), ARG_LONG(t->length * t->count),
	           ARG_BUF(square), ARG_INT(matrix_rows(&j->a->in[0])),
	           ARG_BUF(sums), ARG_LOCAL(j->items * j->wide));
	return worst(j, sums, 2, t->count, defect_ratio) /
	       unit_roundoffs(j, size);
}

double judge_orthogonality(const struct judge *j, const struct vectors *y,
                           const struct vectors *x, size_t size)
{
	const struct buf sums = room(j, j->stack * y->count);

	if (j->need)
		return NAN;
	seq_launch(j->s, "judge_gram", groups(j, y->count), ARG_BUF(y->b),
	           ARG_INT(y->length), ARG_BUF(x->b), ARG_INT(x->length),
	           ARG_INT(y->count), ARG_INT(!j->full), ARG_BUF(sums),
	           ARG_LOCAL(j->items * j->wide));
	return worst(j, sums, y->count, y->count, gram_ratio) /
	       unit_roundoffs(j, size);
}
