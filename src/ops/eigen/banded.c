/* banded.c - see banded.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/banded.h"

/* The update after a block checks for a cancellation every FLOPS_OF_LOOK
 * operations, which take some tens of milliseconds. */
#define FLOPS_OF_LOOK 1e9

enum {
	BAND_BLOCK = 32,		/* most columns of a block of a band
					 * matrix; of a dense one: */
	DENSE_BLOCK = 128,
	CLEARED = 1 << 23		/* elements that are set to zero between
					 * two checks for a cancellation */
};

/* Returns the number of columns of a block. Blocks are narrow in comparison
 * with the band, because the diagonals that they add to the storage cost memory
 * and operations. These sizes were the fastest in measurements with bands of 1
 * to 1000 diagonals. */
static size_t block_of(size_t below, bool dense)
{
	return dense ? DENSE_BLOCK : size_min(below / 4 + 1, BAND_BLOCK);
}

void banded_plan(struct banded *b, size_t n, size_t below, size_t above,
                 bool dense)
{
	*b = (struct banded){
		.n = n, .below = dense ? n - 1 : below,
		.above = dense ? n - 1 : above, .dense = dense,
		.nb = block_of(below, dense), .ld = n,
	};
	if (dense)
		return;
	b->top = below + above + b->nb - 1;
	b->ld = size_max(b->top + below + b->nb - 1, 1);
}

double banded_elements(const struct banded *b)
{
	return (double)b->n * ((double)b->ld + !b->dense);
}

int banded_clear(struct banded *b, struct seq *s)
{
	const size_t all = b->n * (b->ld + !b->dense);

	if (!b->f) {
		b->f = malloc(all * sizeof *b->f);
		b->pivots = malloc(b->n * sizeof *b->pivots);
	}
	if (!b->f || !b->pivots)
		return -1;
	for (size_t i = 0; i < all; i += CLEARED) {
		if (!seq_goes_on(s))
			return -1;
		memset(b->f + i, 0,
		       size_min(CLEARED, all - i) * sizeof *b->f);
	}
	return 0;
}

void banded_fini(struct banded *b)
{
	free(b->f);
	free(b->pivots);
	b->f = NULL;
	b->pivots = NULL;
}

/* A block of the columns j to j + nb - 1. Its panel has `rows` rows from row j
 * on; `columns` columns to the right of the panel have elements within the band
 * in these rows. */
struct block { size_t j, nb, rows, columns; };

static struct block block_at(const struct banded *b, size_t j)
{
	const size_t nb = size_min(b->nb, b->n - j), left = b->n - j;

	return (struct block){
		j, nb, size_min(left, nb + b->below),
		size_min(left - nb, b->below + b->above),
	};
}

/* Applies the block's row interchanges to a vector x, whose first element
 * belongs to row k->j. */
static void interchange(const struct banded *b, const struct block *k,
                        double *x)
{
	for (size_t i = 0; i < k->nb; i++) {
		const size_t with = (size_t)b->pivots[k->j + i] - 1;
		const double t = x[i];

		x[i] = x[with];
		x[with] = t;
	}
}

/* Updates `columns` columns of the trailing matrix from column `first` on:
 * U12 = L11^-1 A12, A22 -= L21 U12 */
static void update(const struct banded *b, const struct block *k,
                   size_t first, size_t columns)
{
	const int nb = (int)k->nb, n = (int)columns, ld = (int)b->ld;
	const int below = (int)(k->rows - k->nb);
	const double one = 1, minus = -1;
	double *a12 = banded_at(b, k->j, first);

	for (size_t c = 0; c < columns; c++)
		interchange(b, k, a12 + c * b->ld);
	b->l->d.trsm("L", "L", "N", "U", &nb, &n, &one,
	             banded_at(b, k->j, k->j), &ld, a12, &ld);
	if (below > 0)
		b->l->d.gemm("N", "N", &below, &n, &nb, &minus,
		             banded_at(b, k->j + k->nb, k->j), &ld, a12, &ld,
		             &one, a12 + nb, &ld);
}

/* Returns the number of columns that are updated between two checks for a
 * cancellation. */
static size_t columns_of_look(const struct block *k)
{
	return (size_t)(FLOPS_OF_LOOK / (2.0 * (double)(k->rows * k->nb))) + 1;
}

int banded_factor(struct banded *b, struct seq *s, bool *singular)
{
	*singular = false;
	for (size_t j = 0; j < b->n && !*singular; j += b->nb) {
		const struct block k = block_at(b, j);
		const size_t step = columns_of_look(&k);
		const size_t end = j + k.nb + k.columns;

		*singular = b->l->d.getrf(LAPACK_COLUMNS, (int)k.rows,
		    (int)k.nb, banded_at(b, j, j), (int)b->ld,
		    b->pivots + j) != 0;
		for (size_t c = j + k.nb; c < end && !*singular; c += step) {
			if (!seq_goes_on(s))
				return -1;
			update(b, &k, c, size_min(step, end - c));
		}
	}
	return seq_goes_on(s) ? 0 : -1;
}

/* x = L^-1 P x */
static void forward(const struct banded *b, struct seq *s, double *x)
{
	const int one = 1, ld = (int)b->ld;
	const double plus = 1, minus = -1;

	for (size_t j = 0; j < b->n && seq_goes_on(s); j += b->nb) {
		const struct block k = block_at(b, j);
		const int nb = (int)k.nb, below = (int)(k.rows - k.nb);

		interchange(b, &k, x + j);
		b->l->d.trsv("L", "N", "U", &nb, banded_at(b, j, j), &ld,
		             x + j, &one);
		if (below > 0)
			b->l->d.gemv("N", &below, &nb, &minus,
			             banded_at(b, j + k.nb, j), &ld, x + j,
			             &one, &plus, x + j + k.nb, &one);
	}
}

/* x = U^-1 x */
static void backward(const struct banded *b, struct seq *s, double *x)
{
	const int one = 1, ld = (int)b->ld;
	const double plus = 1, minus = -1;

	for (size_t end = b->n; end > 0 && seq_goes_on(s);
	     end -= (end - 1) % b->nb + 1) {
		const size_t j = (end - 1) / b->nb * b->nb;
		const size_t over = size_min(j, b->below + b->above);
		const int nb = (int)(end - j), above = (int)over;

		b->l->d.trsv("U", "N", "N", &nb, banded_at(b, j, j), &ld,
		             x + j, &one);
		if (above > 0)
			b->l->d.gemv("N", &above, &nb, &minus,
			             banded_at(b, j - over, j), &ld, x + j,
			             &one, &plus, x + j - over, &one);
	}
}

int banded_solve(const struct banded *b, struct seq *s, double *x)
{
	forward(b, s, x);
	backward(b, s, x);
	return seq_goes_on(s) ? 0 : -1;
}
