/* block.c - launches kernels/qr/block.cl, rows.cl and apply.cl; see block.h. */
#include "ops/blas/pieces.h"
#include "ops/blas/reflect.h"
#include "ops/lu/residual.h"
#include "ops/qr/block.h"

enum {
	NB = QR_NB, ITEMS = QR_SIDE * QR_SIDE,
	PANEL_ITEMS = QR_NB * QR_TEAMS,
	/* A sum over rows is computed in at most CHUNKS parts of at least
	 * CHUNK_ROWS rows; up to FEW_CHUNKS parts may have fewer rows. */
	CHUNKS = 16, FEW_CHUNKS = 8, CHUNK_ROWS = 256,
	GROUPS = 2,			/* work-groups for each compute unit */
	/* From LARGE reflections on, those of WIDE columns are applied together
	 * if the device has tensor cores for such products. */
	LARGE = 2048, WIDE = 4 * NB
};

/* A sum over rows is computed in `count` parts of `each` rows. */
struct chunks { size_t count, each; };

/* What the kernels take of local memory: their arguments in bytes, without the
 * arrays that are smaller than these. */
static size_t local_bytes(size_t wide)
{
	const size_t q = 2 * QR_ROWS * (NB + 1) + QR_DEPTH * NB;
	const size_t panel = PANEL_ITEMS + NB + NB * NB;

	return size_max(size_max(q, panel), QR_SMALL_LOCAL) * wide;
}

bool qr_block_fits(const struct sheet *d)
{
	return d->max_work_group_size >= PANEL_ITEMS &&
	       sheet_local_room(d) >= local_bytes(lu_wide_bytes(d));
}

/* The chunks of A^T A: the first NB rows, and the others in equal parts, few
 * enough to be added by one work-group. */
static struct chunks gram_chunks(size_t rows)
{
	const size_t rest = rows - size_min(rows, NB);
	const size_t count = size_min(size_blocks(rest, NB), CHUNKS);

	return (struct chunks){ count + 1, count == 0 ? 0 : size_round_up(
	                        size_blocks(rest, count), QR_DEPTH) };
}

/* The chunks of P^T C, where P has `width` columns and C has `cols`: so many
 * that all compute units have work. */
static struct chunks product_chunks(const struct sheet *d, size_t stack,
                                    size_t rows, size_t width, size_t cols)
{
	const size_t tiles = stack * width / NB * size_blocks(cols, NB);
	const size_t wanted = size_max(GROUPS * d->compute_units / tiles, 1);
	const size_t most = size_min(CHUNKS, size_max(FEW_CHUNKS,
	                                              rows / CHUNK_ROWS));
	const size_t count = size_min(wanted,
	                              size_min(size_blocks(rows, NB), most));

	return (struct chunks){ count, size_round_up(size_blocks(rows, count),
	                                             QR_APPLY_DEPTH) };
}

/* The bytes of each buffer. */
struct sizes { size_t v, parts, small, state, x; };

/* The largest products that apply reflections: X = P^T C and C -= Z X. */
struct products { struct blas_gemm x, c; };

static struct products products_of(size_t rows, size_t width, size_t cols)
{
	return (struct products){
		.x = { .stack = 1, .m = width, .n = cols, .k = rows,
		       .alpha = 1 },
		.c = { .stack = 1, .m = rows, .n = cols, .k = width,
		       .alpha = -1, .beta = 1 },
	};
}

static struct sizes sizes_of(const struct sheet *d, enum dtype t, size_t stack,
                             size_t m, size_t n, size_t most)
{
	const size_t wide = lu_wide_bytes(d), each = dtype_bytes(t);
	const size_t ld = size_round_up(size_min(m, n), NB);
	const size_t tiles = stack * size_blocks(most, NB) * WIDE / NB;

	return (struct sizes){
		.v = stack * m * ld * each,
		.parts = stack * gram_chunks(m).count * QR_SQUARE * wide,
		.small = stack * QR_SMALL * wide,
		.state = stack * sizeof(int32_t),
		.x = (GROUPS * d->compute_units + tiles) * QR_SQUARE * each,
	};
}

struct qr_block qr_block_of(struct seq *s, size_t stack, size_t m, size_t n,
                            size_t most, struct buf w)
{
	const struct sizes z = sizes_of(seq_sheet(s), seq_dtype(s), stack, m,
	                                n, most);

	struct qr_block b = {
		.s = s, .stack = stack, .m = m, .n = n, .k = size_min(m, n),
		.ld = size_round_up(size_min(m, n), NB), .w = w,
		.v = seq_scratch(s, z.v), .y = seq_scratch(s, z.v),
		.parts = seq_scratch(s, z.parts),
		.small = seq_scratch(s, z.small),
		.state = seq_scratch(s, z.state), .x = seq_scratch(s, z.x),
		.each = NB,
	};
	const struct products p = products_of(m, WIDE, most);

	if (b.k < LARGE)
		return b;
	b.tensor[0] = blas_tensor_of(s, &p.x);
	b.tensor[1] = blas_tensor_of(s, &p.c);
	b.each = b.tensor[0].k > 0 && b.tensor[1].k > 0 ? WIDE : NB;
	return b;
}

void qr_block_need(struct need *need, const struct sheet *d, enum dtype t,
                   size_t stack, size_t m, size_t n, size_t most)
{
	const struct sizes z = sizes_of(d, t, stack, m, n, most);
	const struct products p = products_of(m, WIDE, most);

	need_buffer(need, z.v);
	need_buffer(need, z.v);
	need_buffer(need, z.parts);
	need_buffer(need, z.small);
	need_buffer(need, z.state);
	need_buffer(need, z.x);
	if (size_min(m, n) < LARGE)
		return;
	blas_gemm_need(need, d, t, &p.x);
	blas_gemm_need(need, d, t, &p.c);
}

/* --- factoring a panel */

/* A panel of NB columns or fewer. */
struct columns {
	const struct qr_block *b;
	size_t first, nb, rows;
	size_t wide;			/* bytes of a `wide` */
	struct blas_part a, v;		/* the panel of W, and that of V */
	struct blas_part from;		/* the panel that a pass factors: A, or
					 * Q of the first pass */
};

#define PLACE_ARGS(p) \
	ARG_LONG((p)->at), ARG_LONG((p)->step), ARG_INT((p)->ld)
#define PART_ARGS(p) ARG_BUF((p)->b), PLACE_ARGS(p)

/* Computes the parts of G = A^T A or, in the second pass, of G = Q^T Q: one for
 * each chunk of rows. */
static void multiply(const struct columns *p, bool second)
{
	const struct qr_block *b = p->b;
	const struct chunks c = gram_chunks(p->rows);

	seq_work(b->s, 0.75 * 2 * b->stack * p->rows * NB * NB, 0);
	seq_launch(b->s, "qr_block_gram",
	           GRID1(b->stack * c.count * QR_QUARTERS * ITEMS, ITEMS),
	           PART_ARGS(&p->from), ARG_INT(p->rows), ARG_INT(p->nb),
	           ARG_INT(c.count), ARG_INT(c.each), ARG_BUF(b->state),
	           ARG_INT(second), ARG_BUF(b->parts));
}

static struct arg real_arg(enum dtype t, const double *x, float *single)
{
	*single = (float)*x;
	return t == FLOAT64 ? (struct arg){ sizeof *x, x, 0 } :
	                      (struct arg){ sizeof *single, single, 0 };
}

/* Bounds of k, an upper bound of a panel's condition number that is nb for
 * orthonormal columns; that of G is k^2. One pass suffices if k <= once, and no
 * pass is accurate enough if k > limit. For float32 elements, whose passes
 * compute in float64, Q is orthogonal to the roundoff of float32 up to k = 1e4.
 * For other types `limit` leaves R^-1 of the first pass a few correct digits;
 * up to once = 2 nb the error of Q^T Q is at most about 4 nb roundoffs. */
struct bounds { double once, limit; };

static struct bounds bounds_of(const struct columns *p)
{
	const bool exact = p->wide == sizeof(double);

	if (exact && seq_dtype(p->b->s) == FLOAT32)
		return (struct bounds){ 1e4, 1e4 };
	return (struct bounds){ 2 * (double)p->nb, exact ? 1e7 : 1e3 };
}

/* Adds up the parts of G, factors G = R^T R and, if this was the last pass,
 * computes the NB x NB matrices of the reflections. */
static void factor_small(const struct columns *p, bool second)
{
	const struct qr_block *b = p->b;
	const struct bounds z = bounds_of(p);
	float singles[2];

	seq_launch(b->s, "qr_block_small", GRID1(b->stack * ITEMS, ITEMS),
	           ARG_BUF(b->parts), ARG_INT(gram_chunks(p->rows).count),
	           PART_ARGS(&p->from), ARG_INT(p->rows), ARG_INT(p->nb),
	           ARG_INT(second),
	           real_arg(seq_dtype(b->s), &z.once, &singles[0]),
	           real_arg(seq_dtype(b->s), &z.limit, &singles[1]),
	           ARG_BUF(b->small), ARG_BUF(b->state),
	           ARG_LOCAL(QR_SMALL_LOCAL * p->wide));
}

static struct grid row_groups(const struct columns *p, size_t above)
{
	const size_t blocks = size_blocks(above + p->rows, QR_ROWS);

	return GRID1(p->b->stack * blocks * ITEMS, ITEMS);
}

/* Q = A R^-1, in the buffer of V, for panels that have a second pass. */
static void make_q(const struct columns *p)
{
	const size_t rows = QR_ROWS * (NB + 1) * p->wide;
	const struct qr_block *b = p->b;

	seq_work(b->s, 6.0 * b->stack * p->rows * NB * NB, 0);
	seq_launch(b->s, "qr_block_q", row_groups(p, 0),
	           PART_ARGS(&p->a), ARG_INT(p->rows), ARG_INT(p->nb),
	           ARG_BUF(b->small), ARG_BUF(b->state), PART_ARGS(&p->v),
	           ARG_LOCAL(rows), ARG_LOCAL(rows),
	           ARG_LOCAL(QR_DEPTH * NB * p->wide));
}

/* Factors the panel column by column in the matrices whose panel is too
 * ill-conditioned for qr_block_small. */
static void reflect(const struct columns *p)
{
	const struct qr_block *b = p->b;

	seq_launch(b->s, "qr_panel", GRID1(b->stack * PANEL_ITEMS, PANEL_ITEMS),
	           ARG_BUF(b->w), ARG_INT(b->m), ARG_INT(b->n),
	           ARG_INT(p->first), ARG_INT(p->nb), ARG_BUF(b->v),
	           ARG_INT(b->ld), ARG_BUF(b->small), ARG_BUF(b->state),
	           ARG_LOCAL(PANEL_ITEMS * p->wide), ARG_LOCAL(NB * p->wide),
	           ARG_LOCAL(NB * NB * dtype_bytes(seq_dtype(b->s))));
}

static void make_vectors(const struct columns *p)
{
	const struct qr_block *b = p->b;
	const size_t above = p->first % b->each;

	seq_work(b->s, 6.0 * b->stack * p->rows * NB * NB, 0);
	seq_launch(b->s, "qr_block_vectors", row_groups(p, above),
	           ARG_INT(p->rows), ARG_INT(p->nb), ARG_BUF(b->small),
	           ARG_BUF(b->state), ARG_BUF(b->v), ARG_BUF(b->y),
	           PLACE_ARGS(&p->v), PART_ARGS(&p->a), ARG_INT(above),
	           ARG_LOCAL(QR_ROWS * (NB + 1) * p->wide),
	           ARG_LOCAL(QR_DEEP * NB * p->wide));
}

static void give_tau(const struct columns *p)
{
	const struct qr_block *b = p->b;
	const size_t count = b->stack * NB;

	seq_launch(b->s, "qr_block_tau", GRID1(count, NB), ARG_BUF(b->small),
	           ARG_BUF(b->state), ARG_INT(p->first), ARG_INT(b->k),
	           ARG_LONG(count), ARG_BUF(b->tau));
}

void qr_block_factor(const struct qr_block *b, size_t first)
{
	const size_t wide = lu_wide_bytes(seq_sheet(b->s));
	const bool twice = wide == dtype_bytes(seq_dtype(b->s));
	struct columns p = {
		.b = b, .first = first, .nb = size_min(NB, b->k - first),
		.rows = b->m - first, .wide = wide,
		.a = { b->w, first * b->n + first, b->n, b->m * b->n, false },
		.v = { b->v, first * b->ld + first, b->ld, b->m * b->ld,
		       false },
	};

	p.from = p.a;
	multiply(&p, false);
	factor_small(&p, false);
	if (twice) {
		make_q(&p);
		p.from = p.v;
		multiply(&p, true);
		factor_small(&p, true);
	}
	reflect(&p);
	make_vectors(&p);
	if (b->tau.id)
		give_tau(&p);
}

/* --- applying reflections */

/* X = P^T C, in chunks, and C -= Z X, which is faster than blas_reflect_left()
 * where the products are too narrow for tensor cores. */
static void project(const struct qr_block *b, const struct blas_part *p,
                    const struct blas_part *z, size_t rows, size_t width,
                    const struct blas_part *c, size_t cols)
{
	const struct chunks of = product_chunks(seq_sheet(b->s), b->stack,
	                                        rows, width, cols);
	const size_t ldx = size_round_up(cols, NB);
	const size_t tiles = b->stack * ldx / NB;
	const size_t groups = tiles * of.count * width / NB;

	seq_work(b->s, 2.0 * b->stack * rows * width * cols, 0);
	seq_launch(b->s, "qr_project", GRID1(groups * ITEMS, ITEMS),
	           PART_ARGS(p), ARG_INT(width), PART_ARGS(c), ARG_INT(rows),
	           ARG_INT(cols), ARG_INT(of.count), ARG_INT(of.each),
	           ARG_BUF(b->x), ARG_INT(ldx));
	seq_work(b->s, 2.0 * b->stack * rows * width * cols, 0);
	seq_launch(b->s, "qr_subtract",
	           GRID1(tiles * size_blocks(rows, NB) * ITEMS, ITEMS),
	           PART_ARGS(z), ARG_INT(width), PART_ARGS(c), ARG_INT(rows),
	           ARG_INT(cols), ARG_INT(of.count), ARG_BUF(b->x),
	           ARG_INT(ldx));
}

void qr_block_apply(const struct qr_block *b, size_t from, size_t width,
                    const struct blas_part *c, size_t cols, bool transposed)
{
	const size_t at = from * b->ld + from, step = b->m * b->ld;
	const struct blas_reflect h = {
		.stack = b->stack, .rows = b->m - from, .nb = width,
		.v = { b->v, at, b->ld, step, false },
		.y = { b->y, at, b->ld, step, false },
		.tensor = { &b->tensor[0], &b->tensor[1] },
		.ldx = size_round_up(cols, NB), .x = { b->x },
	};

	if (cols == 0)
		return;
	if (blas_reflect_left_on_tensor(&h, cols))
		blas_reflect_left(b->s, &h, transposed, c, cols);
	else
		project(b, transposed ? &h.y : &h.v, transposed ? &h.v : &h.y,
		        h.rows, width, c, cols);
}

void qr_block_join(const struct qr_block *b, size_t from, size_t first)
{
	const struct blas_part y = { b->y, from * b->ld + first, b->ld,
	                             b->m * b->ld, false };

	qr_block_apply(b, from, first - from, &y, NB, false);
}
