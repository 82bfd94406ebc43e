/* qr.c - the rows for A P = Q R. They demand LAPACK's ratios (xQRT01, xQPT01
 * and xQRT11), a triangular R, and with pivoting a diagonal of R that does not
 * ascend. The reflections of mode=raw are multiplied out first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "check/rows.h"
#include "check/stack.h"

enum { Q, R, P, H, TAU };

/* Q and R: those of the answer, or those computed from its h and tau. */
struct factors {
	long double *q, *r;
	size_t k;			/* columns of Q, and rows of R */
};

/* Q = H_j Q, where Q = I in the columns up to j. */
static void reflect(const struct stack_one *s, size_t j, struct factors *f)
{
	const long double *v = s->out[H] + j;
	const size_t k = f->k;

	for (size_t c = j; c < k; c++) {
		long double by = f->q[j * k + c];

		for (size_t i = j + 1; i < s->m; i++)
			by += v[i * s->n] * f->q[i * k + c];
		by *= s->out[TAU][j];
		f->q[j * k + c] -= by;
		for (size_t i = j + 1; i < s->m; i++)
			f->q[i * k + c] -= by * v[i * s->n];
	}
}

static void multiply_out(const struct stack_one *s, struct factors *f)
{
	for (size_t i = 0; i < s->m * f->k; i++)
		f->q[i] = i / f->k == i % f->k;
	for (size_t j = f->k; j-- > 0; )
		reflect(s, j, f);
	for (size_t i = 0; i < f->k * s->n; i++)
		f->r[i] = i / s->n > i % s->n ? 0 : s->out[H][i];
}

/* False: no memory. factors_fini() must be called in any case. */
static bool factors_of(const struct stack_one *s, struct factors *f)
{
	*f = (struct factors){ s->out[Q], s->out[R], size_min(s->m, s->n) };
	if (f->q) {
		f->k = matrix_cols(&s->a->out[Q]);
		return true;
	}
	f->q = calloc(s->m * f->k + 1, sizeof *f->q);
	f->r = calloc(f->k * s->n + 1, sizeof *f->r);
	if (f->q && f->r)
		multiply_out(s, f);
	return f->q && f->r;
}

static void factors_fini(const struct stack_one *s, struct factors *f)
{
	if (f->q != s->out[Q]) {
		free(f->q);
		free(f->r);
	}
}

static bool is_index(long double p, size_t n)
{
	return p >= 0 && p < (long double)n;
}

/* Overwrites A by A P. Returns false if an element of p is not the index of a
 * column, or if there is no memory. */
static bool permute(const struct stack_one *s)
{
	const long double *p = s->out[P];
	long double *copy = calloc(s->n + 1, sizeof *copy);
	bool valid = copy != NULL;

	for (size_t j = 0; j < s->n; j++)
		valid = valid && is_index(p[j], s->n);
	for (size_t i = 0; i < s->m && valid; i++) {
		long double *row = s->in[0] + i * s->n;

		memcpy(copy, row, s->n * sizeof *copy);
		for (size_t j = 0; j < s->n; j++)
			row[j] = copy[(size_t)p[j]];
	}
	free(copy);
	return valid;
}

static double product_off(const struct stack_one *s)
{
	struct factors f;
	double off = NAN;

	if (factors_of(s, &f) && (!s->out[P] || permute(s)))
		off = stack_product(s, &(struct host_product){
			s->m, f.k, s->n, f.q, f.k, 1, f.r });
	factors_fini(s, &f);
	return off;
}

static double q_off(const struct stack_one *s)
{
	struct factors f;
	double off = NAN;

	if (factors_of(s, &f))
		off = f.k == 0 ? 0 :
		      (double)host_off_orthogonal(f.q, s->m, f.k, f.k, 1) /
		      (s->eps * (double)s->m);
	factors_fini(s, &f);
	return off;
}

/* max |r_ij| below the diagonal */
static double below(const struct stack_one *s)
{
	long double most = 0;

	for (size_t i = 0; s->out[R] && i < matrix_cols(&s->a->out[Q]); i++)
		for (size_t j = 0; j < size_min(i, s->n); j++)
			most = fmaxl(most, fabsl(s->out[R][i * s->n + j]));
	return (double)most;
}

/* The largest |r_ii| - |r_(i-1)(i-1)|, in units of |r_00| eps */
static double ascent(const struct stack_one *s)
{
	const size_t k = size_min(s->m, s->n);
	const long double *r = s->out[R] ? s->out[R] : s->out[H];
	long double most = 0;

	for (size_t i = 1; i < k; i++)
		most = fmaxl(most, fabsl(r[i * (s->n + 1)]) -
		                   fabsl(r[(i - 1) * (s->n + 1)]));
	return k == 0 ? 0 : host_ratio(most, fabsl(r[0]) * s->eps);
}

static double residual(const struct args *a)
{
	return stack_worst(a, product_off);
}

static double orthogonality(const struct args *a)
{
	return stack_worst(a, q_off);
}

static double triangle(const struct args *a)
{
	return stack_worst(a, below);
}

static double order(const struct args *a)
{
	return stack_worst(a, ascent);
}

#define RATIOS                                                              \
	{ "|AP - QR| / max(m,n)|A|eps", residual, 30 },                     \
	{ "|I - Q'Q| / m eps", orthogonality, 30 },                         \
	{ "below R's diagonal", triangle, 0 },                              \
	{ "its own ratio", check_own_ratio, 30 },                           \
	{ "its own orthogonality", check_own_orthogonality, 30 }

static const struct judge plain[] = { RATIOS, { 0 } };
static const struct judge pivoted[] = {
	RATIOS, { "ascent of |r_ii| / eps", order, 30 }, { 0 }
};

static const size_t squares[][3] = {
	{ 1 }, { 2 }, { 3 }, { 5 }, { 10 }, { 31 }, { 33 }, { 64 }, { 65 },
	{ 130 }, CHECK_END
}, wide[][3] = {
	{ 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 5 }, { 5, 1 }, { 2, 3 }, { 3, 50 },
	{ 50, 3 }, { 32, 65 }, { 65, 32 }, { 200, 33 }, { 33, 200 },
	CHECK_END
}, tall[][3] = {
	{ 513, 64 }, { 700, 33 }, { 1111, 7 }, { 3000, 1 }, CHECK_END
}, stacks[][3] = {
	{ 1, 1, 2 }, { 3, 5, 4 }, { 40, 33, 3 }, { 33, 70, 3 }, CHECK_END
};

const struct check_row check_qr_rows[] = {
	{ .what = "LAPACK's types", .op = "qr", .operands = { "mm" },
	  .sizes = squares, .kinds = check_lapack_kinds, .judges = plain },
	{ .what = "pivoted", .op = "qr", .operands = { "mm" },
	  .params = { "pivot", "true" }, .sizes = squares,
	  .kinds = check_lapack_kinds, .judges = pivoted },
	{ .what = "rectangles", .op = "qr", .operands = { "mn" },
	  .vary = "mode", .sizes = wide, .kinds = check_random_kinds,
	  .judges = plain },
	{ .what = "reflections", .op = "qr", .operands = { "mm" },
	  .params = { "mode", "raw" }, .sizes = squares,
	  .kinds = check_lapack_kinds, .judges = plain },
	{ .what = "wide, pivoted", .op = "qr", .operands = { "mn" },
	  .params = { "pivot", "true" }, .vary = "mode", .sizes = wide,
	  .kinds = check_random_kinds, .judges = pivoted },
	{ .what = "tall", .op = "qr", .operands = { "mn" }, .sizes = tall,
	  .kinds = check_lapack_kinds, .judges = plain },
	{ .what = "stacks", .op = "qr", .operands = { "kmn" },
	  .vary = "mode", .sizes = stacks, .kinds = check_random_kinds,
	  .judges = plain },
	{ 0 }
};
