/* hessenberg.c - see hessenberg.h. Each column of a panel takes two launches
 * (kernels/hessenberg/hessenberg.cl). Matrix products then apply the panel's
 * reflections to the rest of the matrix. The host waits for none of them. */
#include "base/size.h"
#include "ops/blas/reflect.h"
#include "ops/hessenberg/hessenberg.h"
#include "shared/hessenberg_tile.h"

enum { NB = HESS_NB, ITEMS = 64 };

/* From this many rows on, a team of work-items of hess_multiply takes HESS_ROWS
 * rows, for which it reads the vector only once. With fewer rows there would
 * not be enough work-groups. */
enum { MANY_ROWS = 2048 };

/* The bytes of each buffer of struct hessenberg. */
struct sizes { size_t a, v, t, y, x, column, told, parts; };

static struct sizes sizes_of(const struct sheet *d, enum dtype t, size_t n)
{
	const size_t each = dtype_bytes(t);
	const size_t wide = d->float64 ? sizeof(double) : sizeof(float);
	const size_t panels = size_max(size_blocks(n, NB), 1);

	return (struct sizes){
		.a = each * n * n, .v = each * panels * n * NB,
		.t = each * panels * NB * NB, .y = each * n * NB,
		.x = each * n * NB, .column = each * n,
		.told = wide * HESS_TOLD,
		.parts = wide * HESS_LANES * size_blocks(n, HESS_TEAMS),
	};
}

void hessenberg_init(struct hessenberg *h, struct seq *s, size_t n, size_t low,
                     size_t high)
{
	const struct sizes z = sizes_of(seq_sheet(s), seq_dtype(s), n);

	*h = (struct hessenberg){
		.s = s, .n = n, .low = low, .high = high,
		.panels = high > low + 2 ? size_blocks(high - low - 2, NB) : 0,
		.a = seq_scratch(s, z.a), .v = seq_scratch(s, z.v),
		.t = seq_scratch(s, z.t), .y = seq_scratch(s, z.y),
		.x = { seq_scratch(s, z.x), seq_scratch(s, z.x) },
		.column = { seq_scratch(s, z.column),
		            seq_scratch(s, z.column) },
		.told = seq_scratch(s, z.told),
		.parts = seq_scratch(s, z.parts),
	};
}

void hessenberg_need(struct need *need, const struct sheet *d, enum dtype t,
                     size_t n)
{
	const struct sizes z = sizes_of(d, t, n);

	need_buffer(need, z.a);
	need_buffer(need, z.v);
	need_buffer(need, z.t);
	need_buffer(need, z.y);
	for (int i = 0; i < 2; i++) {
		need_buffer(need, z.x);
		need_buffer(need, z.column);
	}
	need_buffer(need, z.told);
	need_buffer(need, z.parts);
}

/* Panel k has the columns `first` to first + nb - 1. Its reflections act on the
 * `rows` rows from first + 1 to high - 1. */
struct hess_panel {
	const struct hessenberg *h;
	size_t k, first, nb, rows;
};

static struct hess_panel panel_of(const struct hessenberg *h, size_t k)
{
	const size_t first = h->low + k * NB;

	return (struct hess_panel){
		h, k, first, size_min(NB, h->high - 2 - first),
		h->high - first - 1,
	};
}

/* Returns the part of A from row i and column j on. */
static struct blas_part part_of(const struct hessenberg *h, size_t i, size_t j)
{
	return (struct blas_part){ .b = h->a, .at = i * h->n + j, .ld = h->n };
}

/* Returns the part of V from row `row` of the matrix on; row > first. */
static struct blas_part v_of(const struct hess_panel *p, size_t row)
{
	return (struct blas_part){ .b = p->h->v,
	                           .at = (p->k * p->h->n + row) * NB,
	                           .ld = NB };
}

static struct blas_reflect reflections_of(const struct hess_panel *p)
{
	return (struct blas_reflect){
		.stack = 1, .rows = p->rows, .nb = p->nb,
		.v = v_of(p, p->first + 1),
		.t = { .b = p->h->t, .at = p->k * NB * NB, .ld = NB },
		.x = { p->h->x[0], p->h->x[1] },
	};
}

static size_t wide_bytes(const struct seq *s)
{
	return seq_sheet(s)->float64 ? sizeof(double) : sizeof(float);
}

/* --- the columns of a panel */

static void reflect(const struct hess_panel *p, size_t i)
{
	const struct hessenberg *h = p->h;
	const size_t wide = wide_bytes(h->s);
	const size_t groups = size_blocks(p->rows, HESS_BLOCK);

	seq_launch(h->s, "hess_reflect", GRID1(groups * HESS_GROUP, HESS_GROUP),
	           ARG_BUF(h->a), ARG_INT(h->n), ARG_INT(h->high),
	           ARG_INT(p->first), ARG_INT(i), ARG_BUF(h->column[i % 2]),
	           ARG_BUF(h->v), ARG_LONG(p->k * h->n * NB), ARG_BUF(h->t),
	           ARG_LONG(p->k * NB * NB), ARG_BUF(h->told),
	           ARG_BUF(h->parts), ARG_BUF(seq_counters(h->s)),
	           ARG_LOCAL(HESS_GROUP * wide), ARG_LOCAL(HESS_BLOCK * wide),
	           ARG_LOCAL(sizeof(int32_t)));
}

static void multiply(const struct hess_panel *p, size_t i)
{
	const struct hessenberg *h = p->h;
	const size_t wide = wide_bytes(h->s);
	const size_t each = p->rows >= MANY_ROWS ? HESS_ROWS : 1;
	const size_t rows = HESS_TEAMS * each;
	const size_t groups = size_blocks(p->rows, rows);
	const size_t columns = p->rows - i;

	seq_work(h->s, 2.0 * (double)p->rows * (double)columns,
	         (double)dtype_bytes(seq_dtype(h->s)) * (double)p->rows *
	         (double)columns);
	seq_launch(h->s, "hess_multiply",
	           GRID1(groups * HESS_GROUP, HESS_GROUP), ARG_BUF(h->a),
	           ARG_INT(h->n), ARG_INT(h->high), ARG_INT(p->first),
	           ARG_INT(i), ARG_INT(each), ARG_INT(i + 1 < p->nb),
	           ARG_BUF(h->column[i % 2]), ARG_BUF(h->column[1 - i % 2]),
	           ARG_BUF(h->v), ARG_LONG(p->k * h->n * NB), ARG_BUF(h->y),
	           ARG_BUF(h->t), ARG_LONG(p->k * NB * NB), ARG_BUF(h->told),
	           ARG_BUF(h->parts), ARG_BUF(seq_counters(h->s)),
	           ARG_LOCAL(rows * HESS_LANES * wide),
	           ARG_LOCAL(rows * HESS_LANES * wide),
	           ARG_LOCAL(size_max(rows, NB) * wide),
	           ARG_LOCAL(sizeof(int32_t)));
}

/* --- the update of the matrix outside of the panel */

static void subtract(const struct hess_panel *p, size_t m, size_t n,
                     const struct blas_part *y, const struct blas_part *vt,
                     const struct blas_part *c)
{
	if (m > 0 && n > 0)
		blas_gemm(p->h->s, &(struct blas_gemm){
			.stack = 1, .m = m, .n = n, .k = p->nb, .alpha = -1,
			.beta = 1,
		}, y, vt, c);
}

/* A = A (I - V T V^T). The kernels have updated the panel's own columns in rows
 * first + 1 and below, so that there only the columns after the panel remain.
 * The rows up to row `first` change in all columns from first + 1 on. */
static void from_the_right(const struct hess_panel *p)
{
	const struct hessenberg *h = p->h;
	const struct blas_reflect r = reflections_of(p);
	const size_t above = p->first + 1, behind = p->first + p->nb;
	const struct blas_part top = part_of(h, 0, above);
	const struct blas_part rest = part_of(h, above, behind);
	const struct blas_part y = { .b = h->y, .at = above * NB, .ld = NB };
	struct blas_part vt = v_of(p, behind);

	vt.transposed = true;
	blas_reflect_right(h->s, &r, false, &top, above);
	subtract(p, p->rows, h->high - behind, &y, &vt, &rest);
}

/* A = (I - V T^T V^T) A */
static void from_the_left(const struct hess_panel *p)
{
	const struct hessenberg *h = p->h;
	const struct blas_reflect r = reflections_of(p);
	const size_t behind = p->first + p->nb;
	const struct blas_part rest = part_of(h, p->first + 1, behind);

	blas_reflect_left(h->s, &r, true, &rest, h->n - behind);
}

int hessenberg_reduce(struct hessenberg *h)
{
	for (size_t k = 0; k < h->panels && !seq_failed(h->s); k++) {
		const struct hess_panel p = panel_of(h, k);

		for (size_t i = 0; i < p.nb; i++) {
			reflect(&p, i);
			multiply(&p, i);
		}
		from_the_right(&p);
		from_the_left(&p);
	}
	return seq_failed(h->s) ? -1 : 0;
}

void hessenberg_back(const struct hessenberg *h, struct buf c, size_t m)
{
	for (size_t k = h->panels; k-- > 0; ) {
		const struct hess_panel p = panel_of(h, k);
		const struct blas_reflect r = reflections_of(&p);
		const struct blas_part part = { .b = c, .at = p.first + 1,
		                                .ld = h->n };

		blas_reflect_right(h->s, &r, true, &part, m);
	}
}

/* --- to and from column-major order */

void hessenberg_load(struct hessenberg *h, struct buf from)
{
	seq_launch(h->s, "hess_load", GRID1(h->n * h->n, ITEMS), ARG_BUF(from),
	           ARG_INT(h->n), ARG_BUF(h->a));
}

void hessenberg_give(const struct hessenberg *h, size_t ld, struct buf to)
{
	seq_launch(h->s, "hess_give", GRID1(h->n * ld, ITEMS), ARG_BUF(h->a),
	           ARG_INT(h->n), ARG_INT(ld), ARG_BUF(to));
}
