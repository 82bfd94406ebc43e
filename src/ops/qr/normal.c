/* normal.c - see normal.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/blas/gemm.h"
#include "ops/qr/normal.h"
#include "ops/room.h"

enum {
	TILE = QR_NORMAL_TILE, SIZE = TILE * TILE, ITEMS = QR_NORMAL_ITEMS,
	LANES = QR_NORMAL_LANES,
	DEPTH = 16,			/* kernels/qr/normal.cl */
	MOST = 4096,			/* columns */
	FEW = 1024,			/* columns for which blas_gemm() has
					 * more work-groups with small tiles */
	GROUPS = 3			/* of qr_normal_parts, for each compute
					 * unit */
};

bool qr_normal_fits(size_t n, const struct sheet *d)
{
	return d->float64 && n <= MOST;
}

/* Cuts the rows of A into chunks, as many as give qr_normal_parts enough
 * work-groups for the device. */
static void cut(struct qr_normal *t, const struct sheet *d)
{
	const size_t groups = size_max(GROUPS * d->compute_units, 1);
	const size_t most = size_max(groups / (t->pairs * t->stack), 1);

	t->each = size_round_up(size_blocks(t->m, most), DEPTH);
	t->each = size_max(t->each, TILE);
	t->chunks = size_blocks(t->m, t->each);
}

struct qr_normal qr_normal_of(size_t stack, size_t m, size_t n, enum dtype t,
                              const struct sheet *d)
{
	struct qr_normal g = { .dtype = t, .stack = stack, .m = m, .n = n };

	g.tiles = size_blocks(n, TILE);
	g.ld = g.tiles * TILE;
	g.pairs = g.tiles * (g.tiles + 1) / 2;
	cut(&g, d);
	return g;
}

static struct buf room(const struct qr_normal *t, size_t numbers)
{
	const size_t bytes = t->stack * numbers * sizeof(double);

	return room_make(t->s, t->need, bytes);
}

/* `parts` must have qr_signs_room(ld) = SIZE (1 + tiles) numbers for each
 * matrix. From two tiles on, there are at least 1 + tiles pairs. With a single
 * tile, U^-T is the inverse of its only block, so that y is the buffer
 * `inverse`. */
void qr_normal_room(struct qr_normal *t)
{
	const size_t square = t->ld * t->ld;

	t->parts = room(t, size_max(t->chunks * t->pairs, 2) * SIZE);
	t->x = room(t, square);
	t->inverse = room(t, SIZE);
	t->y = t->tiles > 1 ? room(t, square) : t->inverse;
	t->u[0] = room(t, square);
	t->u[1] = room(t, square);
	t->diagonal = room(t, t->ld);
	t->squares = room(t, square / LANES);
	t->told = room(t, 2 * t->tiles * QR_NORMAL_NUMBERS);
}

/* X = G, from the products of the chunks */
void qr_normal_matrix(const struct qr_normal *t)
{
	const size_t sums = t->stack * t->tiles * t->tiles * SIZE / LANES;

	seq_launch(t->s, "qr_normal_sum", GRID1(sums * ITEMS, ITEMS),
	           ARG_BUF(t->parts), ARG_INT(t->n), ARG_INT(t->chunks),
	           ARG_INT(t->pairs), ARG_BUF(t->x), ARG_BUF(t->diagonal),
	           ARG_BUF(t->squares));
}

/* X = G = A^T A */
static void multiply(const struct qr_normal *t, struct buf from)
{
	const size_t groups = t->stack * t->chunks * t->pairs;

	seq_work(t->s, 2.0 * t->stack * t->m * t->pairs * SIZE, 0);
	seq_launch(t->s, "qr_normal_parts", GRID1(groups * ITEMS, ITEMS),
	           ARG_BUF(from), ARG_INT(t->m), ARG_INT(t->n),
	           ARG_INT(t->each), ARG_INT(t->chunks), ARG_INT(t->pairs),
	           ARG_BUF(t->parts));
	qr_normal_matrix(t);
}

/* Multiplies row k of X's tiles by the inverse of U_kk^T, which makes row k of
 * U and of U^-T, and subtracts the products of that row from the rows of X
 * below it. */
static void follow(const struct qr_normal *t, size_t k)
{
	const size_t ld = t->ld, step = ld * ld, at = k * TILE * ld;
	const size_t next = (k + 1) * TILE;
	const struct blas_part inverse = { t->inverse, 0, TILE, SIZE, false };
	const struct blas_part row = { t->x, at, ld, step, false };
	const struct blas_part made = { t->y, at, ld, step, false };
	const struct blas_part column = { t->y, at + next, ld, step, true };
	const struct blas_part rest = { t->x, next * ld, ld, step, false };
	struct blas_gemm g = { .stack = t->stack, .m = TILE, .n = ld,
	                       .k = TILE, .alpha = 1,
	                       .tile = ld <= FEW ? TILE : 0 };

	blas_gemm(t->s, &g, &inverse, &row, &made);
	g.m = ld - next;
	g.alpha = -1;
	g.beta = 1;
	blas_gemm(t->s, &g, &column, &made, &rest);
}

/* Factors X = U^T U. The rows of U^-T fill the lower triangle of y. */
static void factor(const struct qr_normal *t, int pass)
{
	const size_t count = t->stack * t->ld * t->ld;

	for (size_t k = 0; k < t->tiles; k++) {
		seq_launch(t->s, "qr_normal_block",
		           GRID1(t->stack * ITEMS, ITEMS), ARG_BUF(t->x),
		           ARG_INT(t->ld), ARG_INT(k), ARG_BUF(t->inverse),
		           ARG_BUF(t->u[pass]));
		if (t->tiles == 1)
			break;
		seq_set_dtype(t->s, FLOAT64);
		follow(t, k);
		seq_set_dtype(t->s, t->dtype);
	}
	if (t->tiles > 1)
		seq_launch(t->s, "qr_normal_upper", GRID1(count, TILE),
		           ARG_BUF(t->y), ARG_INT(t->ld), ARG_LONG(count),
		           ARG_BUF(t->u[pass]));
}

static void judge(const struct qr_normal *t, int pass)
{
	const size_t groups = t->stack * t->tiles;

	seq_launch(t->s, "qr_normal_judge", GRID1(groups * ITEMS, ITEMS),
	           ARG_BUF(t->y), ARG_INT(t->n), ARG_INT(t->ld),
	           ARG_BUF(t->diagonal), ARG_BUF(t->squares),
	           ARG_INT((size_t)pass * groups),
	           ARG_BUF(t->told));
}

void qr_normal_factor(const struct qr_normal *t, struct buf a, int pass)
{
	multiply(t, a);
	factor(t, pass);
	judge(t, pass);
}

/* Adds a work-group's numbers to those of its matrix. Of the numbers
 * QR_NORMAL_SHORTEST the largest counts, not the sum. */
static void add(double *sum, const double *from)
{
	const double shortest = sum[QR_NORMAL_SHORTEST];

	for (int i = 0; i < QR_NORMAL_NUMBERS; i++)
		sum[i] += from[i];
	sum[QR_NORMAL_SHORTEST] = fmax(shortest, from[QR_NORMAL_SHORTEST]);
}

/* Sets most[q] to the largest value of number q among all matrices after a
 * pass, or to NaN if it is NaN for a matrix. */
static void sum_up(const struct qr_normal *t, const double *from, double *most)
{
	for (size_t i = 0; i < t->stack; i++) {
		double sum[QR_NORMAL_NUMBERS] = { 0 };

		for (size_t k = 0; k < t->tiles; k++, from += QR_NORMAL_NUMBERS)
			add(sum, from);
		for (int q = 0; q < QR_NORMAL_NUMBERS; q++)
			if (sum[q] > most[q] || isnan(sum[q]))
				most[q] = sum[q];
	}
}

bool qr_normal_told(const struct qr_normal *t, int passes,
                    double told[][QR_NORMAL_NUMBERS])
{
	const size_t each = t->stack * t->tiles * QR_NORMAL_NUMBERS;
	const size_t count = (size_t)passes * each;
	double *const host = malloc(count * sizeof *host);

	if (!host) {
		err_set(seq_err(t->s), ERR_MEMORY, "no memory for %zu numbers",
		        count);
		return false;
	}
	seq_read(t->s, t->told, 0, host, count * sizeof *host);
	for (int i = 0; i < passes && !seq_failed(t->s); i++)
		sum_up(t, host + (size_t)i * each, told[i]);
	free(host);
	return !seq_failed(t->s);
}
