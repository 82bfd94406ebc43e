/* schur.c - see schur.h. */
#include <stdlib.h>

#include "base/size.h"
#include "ops/schur/schur.h"
#include "ops/schur/shifts.h"
#include "shared/schur_tile.h"

enum {
	ITEMS = 64,
	SMALL = 75,			/* a block of at most this many rows is
					 * not swept after a deflation that
					 * found an eigenvalue */
	NIBBLE = 14,			/* no sweep follows if a deflation finds
					 * more than this percentage of its
					 * window's eigenvalues */
	EXCEPTIONAL = 6,		/* a sweep has exceptional shifts if
					 * c->failures is a multiple of this */
	STEPS = 30,			/* deflations per row: see c->limit */
	AHEAD = 4,			/* sweep_ahead() needs a block of AHEAD
					 * times the window's rows */
	PATIENCE = 3			/* and c->failures <= PATIENCE */
};

/* The number of shifts of a sweep and the rows of a deflation window, for
 * matrices of at least `rows` rows. On one thread of an H200's host, which
 * other programs used as well, a window of 32, 48, 64, 96 or 128 rows took 0.6,
 * 0.9, 2.7, 5.4 or 9.3 ms. A sweep of the device takes about 60 us for every 30
 * rows of the block, and its launches 20 us of the host's time. The iteration
 * for 4096 rows took 814, 628 and 689 ms by windows of 64, 96 and 128 rows. */
static const struct { size_t rows, shifts, window; } table[] = {
	{ 3000, 96, 96 }, { 1500, 64, 64 }, { 700, 48, 48 }, { 0, 32, 32 },
};

/* --- buffers */

/* The sizes of the buffers of struct schur, in bytes. */
struct sizes { size_t told, block, strip, given, u; };

static struct sizes sizes_of(size_t n)
{
	const size_t rows = size_min(n, SCHUR_DEFLATION) + 2;
	const size_t chains = SCHUR_SHIFTS / 2 / SCHUR_BULGES;

	return (struct sizes){
		.told = (2 * n + rows * rows) * sizeof(double),
		.block = 2 * rows * rows * sizeof(double),
		.strip = n * rows * sizeof(double),
		.given = 2 * SCHUR_SHIFTS * sizeof(double),
		.u = chains * SCHUR_WINDOW * SCHUR_WINDOW * sizeof(double),
	};
}

void schur_need(struct need *need, size_t n)
{
	const struct sizes z = sizes_of(n);

	need_buffer(need, z.told);
	need_buffer(need, z.block);
	need_buffer(need, z.strip);
	need_buffer(need, z.given);
	need_buffer(need, z.u);
}

int schur_init(struct schur *c)
{
	const struct sizes z = sizes_of(c->n);
	size_t k = 0;

	while (c->n < table[k].rows)
		k++;
	c->shifts = table[k].shifts;
	c->window = table[k].window;
	c->most = size_max(size_min(SCHUR_DEFLATION, (c->n - 1) / 3), 1);
	c->told = seq_scratch(c->s, z.told);
	c->block = seq_scratch(c->s, z.block);
	c->strip = seq_scratch(c->s, z.strip);
	c->given = seq_scratch(c->s, z.given);
	c->u = seq_scratch(c->s, z.u);
	c->diagonal = malloc(4 * c->n * sizeof *c->diagonal);
	c->below = c->diagonal ? c->diagonal + c->n : NULL;
	c->shift_re = c->diagonal ? c->diagonal + 2 * c->n : NULL;
	c->shift_im = c->diagonal ? c->diagonal + 3 * c->n : NULL;
	c->host = malloc(schur_host_numbers(c->n) * sizeof *c->host);
	c->copier = copier_new(2, seq_err(c->s));
	return c->diagonal && c->host && c->copier ? 0 : -1;
}

void schur_fini(struct schur *c)
{
	copier_free(c->copier);
	free(c->diagonal);
	free(c->host);
}

/* --- the iteration */

/* Chooses an even number of shifts, at most `count`. They are those of
 * c->shift_re and c->shift_im from the returned index to *end - 1. */
static size_t find_shifts(struct schur *c, size_t count, size_t *end)
{
	const size_t rows = c->bottom - c->top;
	double *re = c->shift_re, *im = c->shift_im;

	if (c->failures % EXCEPTIONAL == 0) {
		shifts_exceptional(re, im, count, rows,
		                   c->diagonal + c->bottom - count,
		                   c->below + c->bottom - count);
		c->ready = count;
	} else if (c->ready > count) {
		shifts_sort(re, im, c->ready, c->host);
	}
	shifts_pair(re, im, c->ready);
	shifts_take_nearer(re, im, c->ready, c->diagonal[c->bottom - 1]);
	count = size_min(count, c->ready);
	*end = c->ready;
	return c->ready - (count - count % 2);
}

/* Begins a sweep with the shifts that the last deflation has found. Returns
 * false if there are none, or if the block has less than 3 rows. */
static bool begin_sweep(struct schur *c)
{
	const size_t rows = c->bottom - c->top;
	size_t most = size_min(size_min(c->shifts, SCHUR_SHIFTS), rows - 1);
	size_t end = 0, first;

	if (rows < 3)
		return false;
	most -= most % 2;
	first = find_shifts(c, most, &end);
	if (end > first)
		schur_sweep_begin(c, first, end - first);
	return end > first;
}

/* Begins a sweep before the next deflation, with the shifts of the last one, so
 * that the device works while a thread decomposes the window. With these older
 * shifts the iteration needs about a fifth more sweeps. Returns whether a sweep
 * has begun; none does if the block is small, or if the last deflations have
 * found no eigenvalue. */
static bool sweep_ahead(struct schur *c)
{
	const size_t rows = c->bottom - c->top;

	if (rows < AHEAD * c->last || c->failures > PATIENCE || c->ready < 2 ||
	    !begin_sweep(c))
		return false;
	schur_sweep_until(c, c->bottom - c->last - 1);
	return true;
}

/* Returns whether a sweep must follow a deflation that has found `found`
 * eigenvalues, by the rules of xLAQR0. */
static bool needs_sweep(const struct schur *c, size_t found)
{
	return c->bottom > c->top &&
	       (found == 0 || (100 * found <= c->last * NIBBLE &&
	                       c->bottom - c->top > size_min(SMALL, c->most)));
}

/* One step of the iteration: a deflation and, unless it has found many
 * eigenvalues, a sweep. */
static void step(struct schur *c)
{
	bool sweeps;
	long found;

	if (schur_look(c) < 0)
		return;
	schur_deflate_begin(c);
	sweeps = sweep_ahead(c);
	found = schur_deflate_end(c);
	if (found < 0)
		return;
	if (sweeps || (needs_sweep(c, (size_t)found) && begin_sweep(c)))
		schur_sweep_end(c);
	c->failures = found > 0 ? 1 : c->failures + 1;
}

static void begin(const struct schur *c, struct buf h)
{
	seq_launch(c->s, "schur_begin", GRID1(c->n * c->n, ITEMS), ARG_BUF(h),
	           ARG_INT(c->n), ARG_INT(c->form), ARG_BUF(c->t),
	           ARG_BUF(c->form ? c->z : c->t));
}

/* Sets the eigenvalues outside of rows c->low to c->high - 1, where H is
 * triangular and has them on its diagonal. */
static void take_diagonal(const struct schur *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (i < c->low || i >= c->high) {
			c->re[i] = c->diagonal[i];
			c->im[i] = 0;
		}
}

int schur_run(struct schur *c, struct buf h, bool *solved)
{
	size_t left = c->limit ? c->limit : STEPS * (c->high - c->low);

	c->bottom = c->high;
	c->failures = 1;
	c->ready = 0;
	begin(c, h);
	for (bool first = true; c->bottom > c->low && left-- > 0 &&
	     seq_goes_on(c->s); first = false) {
		step(c);
		if (first)
			take_diagonal(c);
		seq_progress(c->s, (double)(c->high - c->bottom) /
		                   (double)(c->high - c->low));
	}
	*solved = c->bottom <= c->low;
	return seq_failed(c->s) ? -1 : 0;
}
