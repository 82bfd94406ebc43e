/* tall.c - qr of tall matrices by blocks of rows (TSQR; Demmel, Grigori,
 * Hoemmen and Langou 2012), which is as stable as Householder QR:
 *
 *     A = [A_1; A_2; ...],  A_i = Q_i R_i,  [R_1; R_2; ...] = Q' R,  and so on,
 *     Q = diag(Q_1, Q_2, ...) Q'
 *
 * Every block is a small matrix, which one work-group factors (small.c). The
 * last block of a matrix is padded with rows of zeros, which change neither R
 * nor the other rows of Q. */
#include <stdlib.h>
#include <string.h>

#include "ops/blas/gemm.h"
#include "ops/qr/device.h"
#include "ops/room.h"

enum { TALL = 8, LEVELS = 40, ITEMS = 64 };

/* One level of the recursion, in which every matrix has `rows` rows, and is
 * factored in `blocks` blocks of `each` rows. */
struct level {
	size_t rows, blocks, each;
	struct buf a, q, r;		/* the blocks, and their factors */
	struct buf whole;		/* the product Q of this level and all
					 * levels above */
	struct buf bad;
};

/* A call, or with `need` the account of its scratch memory. */
struct tall {
	struct seq *s;
	struct need *need;		/* NULL for a call */
	struct qr_sizes z;
	enum dtype dtype;
	struct level level[LEVELS];
	int levels;
	bool want_q;
};

/* The most rows that a block may have, a multiple of n. */
static size_t block_rows(const struct qr_sizes *z, enum dtype t,
                         const struct sheet *d)
{
	struct qr_sizes block = { .n = z->n, .columns = z->n };
	size_t rows = 0;

	for (block.m = z->n; z->n > 0 && qr_is_small(&block, t, d);
	     block.m += z->n)
		rows = block.m;
	return rows;
}

bool qr_is_tall(const struct qr_sizes *z, enum dtype t,
                const struct sheet *d)
{
	return !z->pivots && !z->raw && z->columns == z->n && z->n > 0 &&
	       z->m >= TALL * z->n && !qr_is_small(z, t, d) &&
	       block_rows(z, t, d) >= 2 * z->n;
}

/* Makes a buffer of so many elements for each matrix, or only counts it. */
static struct buf room(const struct tall *t, size_t elements, size_t bytes)
{
	return room_make(t->s, t->need, t->z.stack * elements * bytes);
}

/* Plans the levels, of which the last one has a single block, and makes their
 * buffers. */
static void plan(struct tall *t, const struct sheet *d)
{
	const size_t most = block_rows(&t->z, t->dtype, d), n = t->z.n;
	const size_t bytes = dtype_bytes(t->dtype);
	size_t rows = t->z.m;

	do {
		struct level *l = &t->level[t->levels++];
		size_t size;

		l->rows = rows;
		l->each = size_min(most, size_round_up(rows, n));
		l->blocks = size_blocks(rows, l->each);
		size = l->blocks * l->each * n;
		l->a = room(t, size, bytes);
		l->r = room(t, l->blocks * n * n, bytes);
		l->bad = room(t, l->blocks, sizeof(int32_t));
		if (t->want_q) {
			l->q = room(t, size, bytes);
			l->whole = room(t, size, bytes);
		}
		rows = l->blocks * n;
	} while (t->level[t->levels - 1].blocks > 1);
}

static struct tall tall_of(const struct args *a)
{
	return (struct tall){
		.z = qr_sizes_of(a), .dtype = a->dtype,
		.want_q = dense_has(a, QR_Q),
	};
}

void qr_tall_need(struct need *n, const struct sheet *d,
                  const struct args *a)
{
	struct tall t = tall_of(a);

	t.need = n;
	plan(&t, d);
}

/* Copies a stack of matrices into matrices that have more rows, which become 0,
 * or fewer. */
static void fit(const struct tall *t, struct buf from, size_t from_rows,
                struct buf to, size_t to_rows)
{
	const size_t count = t->z.stack * to_rows * t->z.n;

	seq_launch(t->s, "qr_fit", GRID1(count, ITEMS), ARG_BUF(from),
	           ARG_LONG(from_rows * t->z.n), ARG_BUF(to),
	           ARG_LONG(to_rows * t->z.n), ARG_LONG(count));
}

/* A_i = Q_i R_i */
static void factor(const struct tall *t, const struct level *l,
                   struct buf from)
{
	const struct qr_sizes z = {
		.stack = t->z.stack * l->blocks, .m = l->each, .n = t->z.n,
		.k = t->z.n, .columns = t->z.n,
	};

	fit(t, from, l->rows, l->a, l->blocks * l->each);
	qr_small_factor(t->s, &z, &(struct qr_small){
		.a = l->a, .q = l->q, .r = l->r, .bad = l->bad });
}

/* Q = diag(Q_1, Q_2, ...) Q', where `whole` is Q', the level above's. */
static void multiply(const struct tall *t, const struct level *l,
                     const struct level *above, struct buf whole)
{
	const size_t n = t->z.n, block = l->each * n;
	const struct blas_gemm g = { .stack = l->blocks, .m = l->each, .n = n,
	                             .k = n, .alpha = 1 };

	for (size_t i = 0; i < t->z.stack; i++) {
		const size_t at = i * l->blocks * block;
		const struct blas_part q = { l->q, at, n, block, false };
		const struct blas_part c = { l->whole, at, n, block, false };
		const struct blas_part rows = {
			whole, i * above->blocks * above->each * n, n, n * n,
			false,
		};

		blas_gemm(t->s, &g, &q, &rows, &c);
	}
}

/* Multiplies the levels' factors, from the last level down to the first, and
 * copies the rows that A has to the answer. */
static void make_q(const struct tall *t, struct buf q)
{
	const struct level *l = &t->level[t->levels - 1];
	struct buf whole = l->q;

	for (; l > t->level; l--) {
		multiply(t, l - 1, l, whole);
		whole = (l - 1)->whole;
	}
	fit(t, whole, l->blocks * l->each, q, l->rows);
}

/* Reads which blocks of the first level have a NaN or an infinity: bad[i]
 * becomes 1 if one of matrix i does. */
static int read_bad(const struct tall *t, int32_t *bad)
{
	const size_t blocks = t->level[0].blocks, all = t->z.stack * blocks;
	int32_t *host = malloc(all * sizeof *host);

	if (!host)
		return err_set(seq_err(t->s), ERR_MEMORY, "qr: no memory for "
		               "%zu blocks", all);
	seq_read(t->s, t->level[0].bad, 0, host, all * sizeof *host);
	memset(bad, 0, t->z.stack * sizeof *bad);
	for (size_t i = 0; i < all && !seq_failed(t->s); i++)
		bad[i / blocks] |= host[i];
	free(host);
	return seq_failed(t->s) ? -1 : 0;
}

int qr_tall_factor(struct seq *s, const struct args *a, int32_t *bad)
{
	struct tall t = tall_of(a);
	struct buf from = seq_input(s, &a->in[0]);

	t.s = s;
	plan(&t, seq_sheet(s));
	for (int i = 0; i < t.levels; i++) {
		factor(&t, &t.level[i], from);
		from = t.level[i].r;
	}
	if (dense_has(a, QR_R))
		fit(&t, from, t.z.n, seq_output(s, &a->out[QR_R]), t.z.n);
	if (t.want_q)
		make_q(&t, seq_output(s, &a->out[QR_Q]));
	return read_bad(&t, bad);
}
