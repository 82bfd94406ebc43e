/* host_real.h - potrf of one matrix, in one of the two types
 * (ops/lapack/each_type.h).
 *
 * To LAPACK, whose matrices are column-major, the lower triangle of a row-major
 * matrix is the upper one. OpenBLAS factors a lower triangle faster than an
 * upper one, which saves more than the transposition of A's triangle and of the
 * factor costs.
 */
#include "ops/lapack/dot_real.h"

/* One matrix; x is the vector of signs. */
struct TYPED(task) {
	const real *a;
	real *l;
	size_t n;
	bool judged;
	real *x;
	struct strip *strips;
};

/* Returns the part of row i in x^T A x. Where an element is not finite, neither
 * is the result. */
static double TYPED(quadratic)(const struct TYPED(task) *t, size_t i)
{
	const real *row = t->a + i * t->n;

	return 2 * t->x[i] * TYPED(dot)(row, t->x, i) + row[i];
}

/* Examines a strip of A's lower triangle, and transposes it to the upper one of
 * l. A sum that is finite proves that all elements are. */
static void TYPED(take)(void *arg, size_t index)
{
	const struct TYPED(task) *t = arg;
	struct strip *s = &t->strips[index];
	const size_t n = t->n, first = index * STRIP;
	const size_t last = size_min(first + STRIP, n);

	*s = (struct strip){ 0 };
	for (size_t i = first; i < last; i++) {
		const real *row = t->a + i * n;
		const double sum = t->judged ? TYPED(quadratic)(t, i) : NAN;

		s->quadratic += sum;
		s->nonfinite |= !isfinite(sum) && lapack_find_nonfinite(
		                REAL_DTYPE, row, i + 1) <= i;
	}
	lapack_transpose(t->a + first * n, n, last - first, last, sizeof *t->a,
	                 t->l + first, n);
}

/* Transposes the diagonal block of rows `first` to `last` - 1, in place. */
static void TYPED(turn_block)(real *l, size_t n, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		for (size_t j = i + 1; j < last; j++) {
			l[j * n + i] = l[i * n + j];
			l[i * n + j] = 0;
		}
}

/* Replaces a strip of L^T, the upper triangle of l, by that of L; what was in
 * the lower triangle is lost. The strips do not touch each other's elements. */
static void TYPED(turn)(void *arg, size_t index)
{
	const struct TYPED(task) *t = arg;
	struct strip *s = &t->strips[index];
	real *l = t->l;
	const size_t n = t->n, first = index * STRIP;
	const size_t last = size_min(first + STRIP, n);

	for (size_t i = first; i < last && t->judged; i++) {
		const double w = TYPED(dot)(l + i * (n + 1), t->x + i, n - i);

		s->square += w * w;
	}
	TYPED(turn_block)(l, n, first, last);
	lapack_transpose(l + first * n + last, n, last - first, n - last,
	                 sizeof *l, l + last * n + first, n);
	for (size_t i = first; i < last; i++)
		memset(l + i * n + last, 0, (n - last) * sizeof *l);
}

static double TYPED(trace)(const real *a, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i * (n + 1)];
	return sum;
}

/* Returns the ratio of a matrix that has rows. */
static double TYPED(judge)(const struct TYPED(task) *t)
{
	double quadratic = 0, square = 0;

	for (size_t i = 0; i < strips_of(t->n); i++) {
		quadratic += t->strips[i].quadratic;
		square += t->strips[i].square;
	}
	return cholesky_ratio(REAL_DTYPE, t->n, quadratic, square,
	                      TYPED(trace)(t->a, t->n));
}

/* Returns the first element of the lower triangle that is not finite. */
static struct failure_detail TYPED(nonfinite)(const struct TYPED(task) *t)
{
	size_t i = 0, j;

	while (!t->strips[i].nonfinite)
		i++;
	for (i *= STRIP; (j = lapack_find_nonfinite(REAL_DTYPE,
	     t->a + i * t->n, i + 1)) > i; i++)
		;
	return cholesky_nonfinite(i, j);
}

static bool TYPED(is_finite)(const struct TYPED(task) *t)
{
	bool any = false;

	for (size_t i = 0; i < strips_of(t->n); i++)
		any |= t->strips[i].nonfinite;
	return !any;
}

static struct failure_detail TYPED(factor)(const struct lapack_call *c,
                                           size_t index, void *room)
{
	const size_t n = c->rows;
	struct strip *strips = room;
	real *x = (real *)(strips + strips_of(n));
	struct TYPED(task) t = {
		.a = lapack_in(c->a, 0, index), .n = n,
		.l = lapack_out(c->a, 0, index), .judged = c->judged,
		.x = x, .strips = strips,
	};
	int info;

	if (n == 0)
		return (struct failure_detail){ .code = ERR_NONE };
	for (size_t i = 0; i < n; i++)
		t.x[i] = (real)lapack_sign(i);
	lapack_parts(c, strips_of(n), TYPED(take), &t);
	if (!TYPED(is_finite)(&t))
		return TYPED(nonfinite)(&t);
	info = OF(c->l)->potrf(LAPACK_COLUMNS, 'L', (int)n, t.l, (int)n);
	if (info > 0)
		return cholesky_not_positive((size_t)info);
	lapack_parts(c, strips_of(n), TYPED(turn), &t);
	if (t.judged)
		c->ratios[index] = TYPED(judge)(&t);
	return (struct failure_detail){ .code = ERR_NONE };
}
