/* structured.c - factors matrices of known structure on the device, as L U
 * without interchanges, so that the kernels that solve with LU's factors can be
 * used for them, too. A triangle takes no elimination, and a positive definite
 * matrix half of its operations (kernels/solve/structure.cl). */
#include <stdlib.h>

#include "ops/cholesky/cholesky.h"
#include "ops/solve/structure.h"

enum { TILE = 16 };			/* kernels/solve/structure.cl */

bool solve_is_structured(enum solve_kind kind)
{
	return kind == KIND_LOWER || kind == KIND_UPPER || kind == KIND_SPD;
}

static size_t matrices_size(const struct systems *y, enum dtype t)
{
	return y->a_stack * y->n * y->n * dtype_bytes(t);
}

static size_t minors_size(const struct systems *y)
{
	return 2 * y->a_stack * sizeof(int32_t);
}

void solve_structured_need(struct need *n, enum solve_kind kind, enum dtype t,
                           const struct systems *y)
{
	if (!solve_is_structured(kind))
		return;
	need_buffer(n, minors_size(y));
	if (kind == KIND_SPD)
		need_buffer(n, matrices_size(y, t));
}

static struct buf no_minors(struct seq *s, const struct systems *y)
{
	const struct buf b = seq_scratch(s, minors_size(y));
	const int32_t none = 0;

	seq_fill(s, b, 0, minors_size(y), &none, sizeof none);
	return b;
}

/* Returns Cholesky's factors T of A = T T^T. */
static struct buf cholesky(struct seq *s, const struct systems *y,
                           struct buf minors)
{
	const size_t size = matrices_size(y, seq_dtype(s));
	const struct buf t = seq_scratch(s, size);

	seq_copy(s, y->a, 0, t, 0, size);
	cholesky_in_place(s, y->n, y->a_stack, t, minors);
	return t;
}

struct buf solve_factor_structured(struct seq *s, enum solve_kind kind,
                                   bool turned, const struct systems *y,
                                   const struct factors *f)
{
	const bool squared = kind == KIND_SPD;
	const bool upper = !squared && (kind == KIND_UPPER) != turned;
	const struct buf minors = no_minors(s, y);
	const struct buf t = squared ? cholesky(s, y, minors) : y->a;

	seq_work(s, 0, 2.0 * (double)matrices_size(y, seq_dtype(s)));
	seq_launch(s, "solve_factors",
	           GRID3(y->n, y->n, y->a_stack, TILE, TILE, 1), ARG_BUF(t),
	           ARG_BUF(f->lu), ARG_INT(y->n), ARG_INT(upper),
	           ARG_INT(squared), ARG_BUF(f->swaps), ARG_BUF(minors));
	return minors;
}
