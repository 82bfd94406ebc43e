/* balance.c - see balance.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/balance.h"

enum {
	PANEL = 64,			/* columns gathered at a time */
	SWEEPS = 60,			/* mostly a few are enough */
	LANES = 8			/* partial sums of a vector */
};

/* A row is scaled only if that reduces the sum of its norm and its column's to
 * this fraction. */
static const double gain = 0.95;

/* A matrix being balanced. Sums of squares are long double, whose exponents
 * keep those of float64 numbers in range where long double is wider. */
struct task {
	struct balance *b;
	const struct matrix *m;
	size_t index;			/* of the matrix in the stack */
	double *panel;			/* PANEL columns, one after the other */
	long double *up, *down;		/* 2^power and 2^-power */
};

static double element(const struct matrix *m, size_t i)
{
	const void *data = matrix_data(m);

	return m->dtype == FLOAT32 ? ((const float *)data)[i] :
	                             ((const double *)data)[i];
}

/* Element (i, j) of P^T A P. */
static double placed(const struct task *t, size_t i, size_t j)
{
	return element(t->m, (t->index * t->b->n + t->b->place[i]) * t->b->n +
	                     t->b->place[j]);
}

void balance_row(const struct balance *b, const struct matrix *m, size_t index,
                 size_t i, size_t j, size_t count, double *restrict to)
{
	const size_t first = index * b->n * b->n + b->place[i] * b->n;
	const size_t *const place = b->place + j;
	const void *const data = matrix_data(m);

	if (m->dtype == FLOAT32)
		for (size_t k = 0; k < count; k++)
			to[k] = ((const float *)data)[first + place[k]];
	else
		for (size_t k = 0; k < count; k++)
			to[k] = ((const double *)data)[first + place[k]];
}

int balance_init(struct balance *b, size_t n)
{
	*b = (struct balance){ .n = n, .high = n,
	                       .place = malloc(n * sizeof *b->place),
	                       .power = calloc(n, sizeof *b->power) };
	if (!b->place || !b->power) {
		balance_fini(b);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		b->place[i] = i;
	return 0;
}

void balance_fini(struct balance *b)
{
	free(b->place);
	free(b->power);
	*b = (struct balance){ 0 };
}

static void exchange(struct balance *b, size_t i, size_t j)
{
	const size_t place = b->place[i];

	b->place[i] = b->place[j];
	b->place[j] = place;
}

/* Is row i (or column i) zero within [low, high) except for the diagonal? */
static bool is_isolated(const struct task *t, size_t i, bool row)
{
	for (size_t j = t->b->low; j < t->b->high; j++)
		if (j != i && (row ? placed(t, i, j) : placed(t, j, i)) != 0)
			return false;
	return true;
}

/* Moves an isolated row to the end, or an isolated column to the beginning;
 * false if there is none. */
static bool isolate(struct task *t, bool row)
{
	struct balance *b = t->b;

	for (size_t i = b->high; i-- > b->low;) {
		if (!is_isolated(t, i, row))
			continue;
		exchange(b, i, row ? b->high - 1 : b->low);
		if (row)
			b->high--;
		else
			b->low++;
		return true;
	}
	return false;
}

static void permute(struct task *t)
{
	while (t->b->low < t->b->high && isolate(t, true))
		;
	while (t->b->low < t->b->high && isolate(t, false))
		;
}

/* The power of two by which the row is divided and the column multiplied. */
static int power_for(long double row, long double column)
{
	const long double before = row + column;
	int power = 0;

	if (row == 0 || column == 0)
		return 0;
	for (; column < row / 2; power++) {
		column *= 2;
		row /= 2;
	}
	for (; column / 2 >= row; power--) {
		column /= 2;
		row *= 2;
	}
	return row + column < gain * before ? power : 0;
}

bool balance_scales(double row, double column)
{
	return power_for(row, column) != 0;
}

static void gather(struct task *t, size_t first, size_t end)
{
	const size_t n = t->b->n;

	for (size_t i = t->b->low; i < t->b->high; i++)
		for (size_t j = first; j < end; j++)
			t->panel[(j - first) * n + i] = placed(t, i, j);
}

static long double row_norm(const struct task *t, size_t i)
{
	long double sum = 0;

	for (size_t j = t->b->low; j < t->b->high; j++) {
		const long double x = placed(t, i, j) * t->up[j];

		sum += x * x;
	}
	return sqrtl(sum) * t->down[i];
}

static long double column_norm(const struct task *t, const double *column,
                               size_t j)
{
	long double sum = 0;

	for (size_t i = t->b->low; i < t->b->high; i++) {
		const long double x = column[i] * t->down[i];

		sum += x * x;
	}
	return sqrtl(sum) * t->up[j];
}

/* Scales every row and its column once; false if none needed it. */
static bool sweep(struct task *t)
{
	struct balance *b = t->b;
	bool any = false;

	for (size_t first = b->low; first < b->high; first += PANEL) {
		const size_t end = size_min(first + PANEL, b->high);

		gather(t, first, end);
		for (size_t i = first; i < end; i++) {
			const double *column = t->panel + (i - first) * b->n;
			const int power = power_for(row_norm(t, i),
			    column_norm(t, column, i));

			b->power[i] += power;
			t->up[i] = ldexpl(1, b->power[i]);
			t->down[i] = ldexpl(1, -b->power[i]);
			any = any || power != 0;
		}
	}
	return any;
}

/* Adds the square of each element of x to the same element of sums. Returns the
 * sum of these squares. */
static double add_squares(const double *restrict x, size_t n,
                          double *restrict sums)
{
	double lane[LANES] = { 0 }, sum = 0;
	size_t j = 0;

	for (; j + LANES <= n; j += LANES)
		for (size_t k = 0; k < LANES; k++) {
			const double square = x[j + k] * x[j + k];

			sums[j + k] += square;
			lane[k] += square;
		}
	for (; j < n; j++) {
		sums[j] += x[j] * x[j];
		sum += x[j] * x[j];
	}
	for (size_t k = 0; k < LANES; k++)
		sum += lane[k];
	return sum;
}

/* Returns whether no row needs scaling. The sums of squares are float64, so
 * that the answer is false where these may have over- or underflowed. */
static bool is_even(struct task *t)
{
	const struct balance *b = t->b;
	const size_t n = b->n, first = b->low, count = b->high - b->low;
	double *const rows = calloc(3 * n + 1, sizeof *rows);
	double *const columns = rows ? rows + n : NULL;
	double *const row = rows ? rows + 2 * n : NULL;
	bool even = rows != NULL;

	for (size_t i = first; i < b->high && even; i++) {
		balance_row(b, t->m, t->index, i, first, count, row);
		rows[i] = add_squares(row, count, columns + first);
		even = rows[i] > 1e-250 && rows[i] < 1e250;
	}
	for (size_t i = first; i < b->high && even; i++)
		even = columns[i] > 1e-250 && columns[i] < 1e250 &&
		       power_for(sqrtl(rows[i]), sqrtl(columns[i])) == 0;
	free(rows);
	return even;
}

static void scale(struct task *t)
{
	int sweeps = is_even(t) ? SWEEPS : 0;

	for (size_t i = 0; i < t->b->n; i++)
		t->up[i] = t->down[i] = 1;
	while (sweeps < SWEEPS && sweep(t))
		sweeps++;
}

int balance_find(struct balance *b, const struct matrix *m, size_t index,
                 bool permutes)
{
	const size_t n = b->n;
	struct task t = {
		.b = b, .m = m, .index = index,
		.panel = malloc(size_min(n, PANEL) * n * sizeof *t.panel),
		.up = malloc(n * sizeof *t.up),
		.down = malloc(n * sizeof *t.down),
	};
	const bool room = t.panel && t.up && t.down;

	if (room && permutes)
		permute(&t);
	if (room)
		scale(&t);
	free(t.panel);
	free(t.up);
	free(t.down);
	return room ? 0 : -1;
}
