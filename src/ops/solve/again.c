/* again.c - solves systems again whose matrix is so large that its norm or its
 * factors overflow, or so small that they lose digits, divided by a power of
 * two: x' = (2^-p A)^-1 b. The host then divides x' by 2^p, which gives x. If
 * all of b is small, too, sums with it lose digits, and in float64 the residual
 * does not show that. Then b is multiplied by 2^q, and x' divided by 2^(p + q).
 * This is rare, so that it need not be fast. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/need.h"
#include "ops/solve/solve.h"
#include "shared/solve_told.h"

enum {
	BLOCK = 8192, ITEMS = 128,	/* of krylov_scale */
	MOST = 1 << 26			/* bytes of the matrices: larger ones
					 * are not solved again, so that no call
					 * needs much memory for what is rare */
};

/* The powers of two; the norms above which factors may overflow, and those
 * below which elements of factors may be subnormal though A's condition is
 * moderate; elements of b of which none may be larger if b is multiplied; and
 * norms below which x may be normal though b is that small. */
static const struct { int power; double large, small, b, low; } types[] = {
	[FLOAT32] = { 64, FLT_MAX * 0x1p-20, FLT_MIN * 0x1p20,
	              FLT_MIN * 0x1p20, 0x1p-40 },
	[FLOAT64] = { 200, DBL_MAX * 0x1p-20, DBL_MIN * 0x1p40,
	              DBL_MIN * 0x1p60, 0x1p-200 },
};

static size_t size_of(const struct systems *y, enum dtype t)
{
	return y->a_stack * y->n * y->n * dtype_bytes(t);
}

static size_t sides_of(const struct systems *y, enum dtype t)
{
	return y->b_stack * y->n * y->sides * dtype_bytes(t);
}

static bool is_moderate(const struct systems *y, enum dtype t)
{
	return size_of(y, t) <= MOST && sides_of(y, t) <= MOST;
}

void solve_again_need(struct need *n, const struct systems *y, enum dtype t)
{
	if (y->n == 0 || y->stack == 0 || !is_moderate(y, t))
		return;
	need_buffer(n, size_of(y, t));
	need_buffer(n, y->n * y->n * dtype_bytes(t));
	need_buffer(n, sides_of(y, t));
}

/* Returns the power of two by which matrix m is to be divided, or 0. */
static int power_of(const struct solve_tale *t, enum dtype type, size_t m)
{
	const double norm = solve_tale_of(t, m, TOLD_NORM);
	const bool fails = isnan(solve_tale_of(t, m, TOLD_RESIDUAL)) ||
	                   solve_tale_of(t, m, TOLD_COLUMN) >= 0;
	const bool stalls = fails || solve_tale_of(t, m, TOLD_STALLED) > 0;

	if (solve_tale_of(t, m, TOLD_NONFINITE) != 0)
		return 0;
	if (isinf(norm) || (fails && norm > types[type].large))
		return types[type].power;
	return stalls && norm > 0 && norm < types[type].small ?
	       -types[type].power : 0;
}

/* Divides matrix m of y->a, by way of the buffer `one`. */
static void divide(struct seq *s, const struct systems *y, size_t m,
                   int power, struct buf one)
{
	const size_t count = y->n * y->n;
	const size_t size = count * dtype_bytes(seq_dtype(s));

	seq_copy(s, y->a, m * size, one, 0, size);
	seq_launch(s, "krylov_scale",
	           GRID1(size_blocks(count, BLOCK) * ITEMS, ITEMS),
	           ARG_BUF(one), ARG_INT(power),
	           ARG_BUF(one), ARG_INT(count), ARG_INT(BLOCK));
	seq_copy(s, one, 0, y->a, m * size, size);
}

static void divide_all(struct seq *s, struct systems *y, const int *again)
{
	const size_t each = y->n * y->n * dtype_bytes(seq_dtype(s));
	const struct buf all = seq_scratch(s, y->a_stack * each);
	const struct buf one = seq_scratch(s, each);

	seq_copy(s, y->a, 0, all, 0, y->a_stack * each);
	y->a = all;
	for (size_t m = 0; m < y->a_stack; m++)
		if (again[m])
			divide(s, y, m, again[m], one);
}

static double get(const void *x, enum dtype t, size_t i)
{
	return t == FLOAT32 ? (double)((const float *)x)[i] :
	       ((const double *)x)[i];
}

static bool is_low(const struct solve_tale *t, enum dtype type, size_t m)
{
	const double norm = solve_tale_of(t, m, TOLD_NORM);

	return norm > 0 && norm < types[type].low &&
	       solve_tale_of(t, m, TOLD_NONFINITE) == 0;
}

/* Sets *small to whether b has elements that are not 0, and all are small.
 * Returns -1 with the sequence's error. */
static int look_at_sides(struct seq *s, const struct systems *y, bool *small)
{
	const enum dtype t = seq_dtype(s);
	const size_t size = sides_of(y, t);
	void *const b = malloc(size + 1);
	double most = 0;

	if (!b)
		return err_set(seq_err(s), ERR_MEMORY, "solve: no memory for "
		               "right-hand sides of %zu bytes", size);
	seq_read(s, y->b, 0, b, size);
	for (size_t i = 0; i < size / dtype_bytes(t); i++)
		most = isnan(get(b, t, i)) ? INFINITY :
		       fmax(most, fabs(get(b, t, i)));
	free(b);
	*small = most > 0 && most <= types[t].b;
	return seq_failed(s) ? -1 : 0;
}

/* Multiplies all of b by a power of two, which is divided out of x later. */
static void multiply_sides(struct seq *s, struct systems *y, int *again)
{
	const enum dtype t = seq_dtype(s);
	const size_t count = sides_of(y, t) / dtype_bytes(t);
	const struct buf all = seq_scratch(s, sides_of(y, t));

	seq_launch(s, "krylov_scale",
	           GRID1(size_blocks(count, BLOCK) * ITEMS, ITEMS),
	           ARG_BUF(y->b), ARG_INT(-types[t].power), ARG_BUF(all),
	           ARG_INT(count), ARG_INT(BLOCK));
	y->b = all;
	for (size_t m = 0; m < y->a_stack; m++)
		again[m] += types[t].power;
}

int solve_again(struct seq *s, struct systems *y, struct solve_tale *t,
                int mark, int **again)
{
	const enum dtype type = seq_dtype(s);
	bool any = false, low = false, small = false;

	*again = NULL;
	if (!seq_sheet(s)->float64 || !is_moderate(y, type))
		return 0;
	for (size_t m = 0; m < y->a_stack; m++) {
		any |= power_of(t, type, m) != 0;
		low |= is_low(t, type, m);
	}
	if (low && look_at_sides(s, y, &small) < 0)
		return -1;
	if (!any && !small)
		return 0;
	*again = calloc(y->a_stack, sizeof **again);
	if (!*again)
		return err_set(seq_err(s), ERR_MEMORY, "solve: no memory for "
		               "%zu matrices", y->a_stack);
	for (size_t m = 0; m < y->a_stack; m++)
		(*again)[m] = small && is_low(t, type, m) ?
		              -types[type].power : power_of(t, type, m);
	solve_tale_fini(t);
	seq_drop(s, mark);
	divide_all(s, y, *again);
	if (small)
		multiply_sides(s, y, *again);
	return solve_tale_init(t, s, y) < 0 ? -1 : 1;
}

/* Divides the answer x of a system, n x sides, by 2^power. An element that
 * becomes subnormal is rounded. Returns the largest error of a column that this
 * makes, relative to the column's largest element, or infinity if an element
 * overflows. */
static double divide_x(void *x, enum dtype t, size_t n, size_t sides,
                       int power)
{
	const double half = t == FLOAT32 ? 0x1p-150 : 0x1p-1074;
	double worst = 0;

	for (size_t j = 0; j < sides; j++) {
		double most = 0;

		for (size_t i = j; i < n * sides; i += sides) {
			const double v = ldexp(get(x, t, i), -power);

			if (t == FLOAT32)
				((float *)x)[i] = (float)v;
			else
				((double *)x)[i] = v;
			most = fmax(most, fabs(get(x, t, i)));
		}
		if (isinf(most))
			worst = INFINITY;
		if (most < (t == FLOAT32 ? FLT_MIN : DBL_MIN) && most > 0)
			worst = fmax(worst, half / most);
	}
	return worst;
}

int solve_again_end(struct seq *s, struct args *a, const struct systems *y,
                    struct buf answer, const int *again)
{
	const size_t size = y->n * y->sides * dtype_bytes(a->dtype);
	void *const x = again ? malloc(size + 1) : NULL;
	double worst = 0;

	if (!again)
		return 0;
	if (!x)
		return err_set(seq_err(s), ERR_MEMORY, "solve: no memory for "
		               "%zu unknowns", y->n * y->sides);
	for (size_t i = 0; i < y->stack; i++) {
		const int power = again[systems_matrix(a, 0, i)];

		if (power == 0)
			continue;
		seq_read(s, answer, i * size, x, size);
		worst = fmax(worst, divide_x(x, a->dtype, y->n, y->sides,
		                             power));
		seq_write(s, answer, i * size, x, size);
	}
	a->verdict.forward_error += worst;
	a->verdict.residual += worst / (dtype_epsilon(a->dtype) / 2);
	if (isinf(worst) && a->quality != QUALITY_NONE)
		verdict_add_rcond(&a->verdict, 0, dtype_epsilon(a->dtype));
	free(x);
	return seq_failed(s) ? -1 : 0;
}
