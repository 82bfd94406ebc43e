/* systems.c - pairs the matrices of two stacks. Leading dimensions are
 * broadcast by NumPy's rules. */
#include <stdlib.h>

#include "ops/solve/structure.h"
#include "shared/solve_part.h"

enum { TILE = 16 };			/* kernels/solve/structure.cl */

/* b is a vector only when it has one dimension; then every system has that
 * b. */
static int b_dims(const struct args *a)
{
	return a->in[1].ndim > 1 ? 2 : 1;
}

/* Returns leading dimension d of m, counted from the last one, or 1 if m has no
 * such dimension. `own` is the number of dimensions of one matrix. */
static size_t leading(const struct matrix *m, int own, int d)
{
	const int i = m->ndim - own - 1 - d;

	return i < 0 ? 1 : m->dim[i];
}

static size_t leading_both(const struct args *a, int d)
{
	const size_t of_a = leading(solve_matrices(a), 2, d);

	return of_a == 1 ? leading(&a->in[1], b_dims(a), d) : of_a;
}

static int leading_count(const struct args *a)
{
	const int of_a = solve_matrices(a)->ndim - 2;
	const int of_b = a->in[1].ndim - b_dims(a);

	return of_a > of_b ? of_a : of_b;
}

bool systems_stacks_agree(const struct args *a)
{
	for (int d = 0; d < leading_count(a); d++) {
		const size_t x = leading(solve_matrices(a), 2, d);
		const size_t y = leading(&a->in[1], b_dims(a), d);

		if (x != y && x != 1 && y != 1)
			return false;
	}
	return true;
}

int systems_leading(const struct args *a, size_t dim[MATRIX_DIMS])
{
	const int n = leading_count(a);

	for (int d = 0; d < n; d++)
		dim[n - 1 - d] = leading_both(a, d);
	return n;
}

/* Returns the index in m's stack of the matrix of system s: the index of s
 * along each leading dimension, or 0 where m's dimension is 1. */
static size_t matrix_of_system(const struct args *a, const struct matrix *m,
                               int own, size_t s)
{
	size_t index = 0, step = 1;

	for (int d = 0; d < leading_count(a); d++) {
		const size_t all = leading_both(a, d);
		const size_t mine = leading(m, own, d);

		index += mine == 1 ? 0 : s % all * step;
		step *= mine;
		s /= all;
	}
	return index;
}

size_t systems_matrix(const struct args *a, int operand, size_t i)
{
	return operand == SOLVE_B ?
	       matrix_of_system(a, &a->in[operand], b_dims(a), i) :
	       matrix_of_system(a, solve_matrices(a), 2, i);
}

static struct buf map(struct seq *s, const struct args *a, int operand,
                      size_t stack)
{
	int32_t *host = malloc((stack + 1) * sizeof *host);
	struct buf b = { 0 };

	if (!host) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu systems",
		        stack);
		return b;
	}
	for (size_t i = 0; i < stack; i++)
		host[i] = (int32_t)systems_matrix(a, operand, i);
	b = seq_constant(s, host, stack * sizeof *host);
	free(host);
	return b;
}

/* Lists the systems of matrix 0, then those of matrix 1, and so on. Every
 * matrix has the same number of systems. */
static struct buf members(struct seq *s, const struct args *a, size_t stack,
                          size_t a_stack)
{
	int32_t *host = calloc(stack + a_stack + 1, sizeof *host), *count;
	struct buf b = { 0 };

	if (!host) {
		err_set(seq_err(s), ERR_MEMORY, "no memory for %zu systems",
		        stack);
		return b;
	}
	count = host + stack;
	for (size_t i = 0; i < stack; i++) {
		const size_t w = systems_matrix(a, 0, i);

		host[w * (stack / a_stack) + (size_t)count[w]++] = (int32_t)i;
	}
	b = seq_constant(s, host, stack * sizeof *host);
	free(host);
	return b;
}

/* How solve_structure (kernels/solve/structure.cl) makes op(A) for matrices of
 * each kind, without and with transpose_a: the part of the client's matrix that
 * keeps its place in op(A), and the part that is copied across the diagonal. */
static const struct parts {
	int own, across;		/* enum solve_part */
} parts_of[][2] = {
	[KIND_GENERAL] = { { SOLVE_ALL, 0 }, { 0, SOLVE_ALL } },
	[KIND_LOWER] = { { SOLVE_LOWER, 0 }, { 0, SOLVE_UPPER } },
	[KIND_UPPER] = { { SOLVE_UPPER, 0 }, { 0, SOLVE_LOWER } },
	[KIND_SPD] = { { SOLVE_LOWER, SOLVE_UPPER },
	               { SOLVE_LOWER, SOLVE_UPPER } },
	[KIND_SYMMETRIC] = { { SOLVE_LOWER, SOLVE_UPPER },
	                     { SOLVE_LOWER, SOLVE_UPPER } },
};

/* Returns whether op(A) is the operand itself, so that no copy of it is
 * made. */
static bool is_plain(const struct args *a)
{
	const enum solve_kind kind = solve_named(a);

	return kind == KIND_FACTORS ||
	       (kind == KIND_GENERAL && !solve_turned(a));
}

/* Returns op(A), as solve.h describes it, for every matrix of the stack. */
static struct buf matrices(struct seq *s, const struct args *a)
{
	const struct matrix *m = &a->in[SOLVE_A];
	const struct parts *p = &parts_of[solve_named(a)][solve_turned(a)];
	const size_t n = matrix_rows(m);
	struct buf to;

	if (is_plain(a))
		return seq_input(s, m);
	to = seq_scratch(s, matrix_size(m));
	seq_work(s, 0, 2.0 * (double)matrix_size(m));
	seq_launch(s, "solve_structure",
	           GRID3(n, n, matrix_stack(m), TILE, TILE, 1),
	           ARG_BUF(seq_input(s, m)), ARG_BUF(to), ARG_INT(n),
	           ARG_INT(p->own), ARG_INT(p->across));
	return to;
}

struct systems systems_of(struct seq *s, const struct args *a)
{
	const struct matrix *b = &a->in[1];
	struct systems y = {
		.n = matrix_cols(solve_matrices(a)),
		.sides = b_dims(a) == 1 ? 1 : matrix_cols(b),
		.stack = 1,
		.a_stack = matrix_stack(solve_matrices(a)),
		.b_stack = b_dims(a) == 1 ? 1 : matrix_stack(b),
	};

	for (int d = 0; d < leading_count(a); d++)
		y.stack *= leading_both(a, d);
	y.columns = y.a_stack > 0 ? y.stack / y.a_stack * y.sides : 0;
	if (!s)
		return y;
	y.a = matrices(s, a);
	y.b = seq_input(s, b);
	y.which = map(s, a, 0, y.stack);
	y.from = map(s, a, 1, y.stack);
	if (y.a_stack > 0)
		y.members = members(s, a, y.stack, y.a_stack);
	return y;
}

void systems_need(struct need *n, const struct args *a,
                  const struct systems *y)
{
	if (!is_plain(a))
		need_buffer(n, matrix_size(&a->in[SOLVE_A]));
	for (int i = 0; i < (y->a_stack > 0 ? 3 : 2); i++)
		need_buffer(n, y->stack * sizeof(int32_t));
}
