/* nonfinite.c - where a system holds a NaN or an infinity: in the part of A
 * that is read (structure.h), or in B. */
#include "ops/lapack/stack.h"
#include "ops/solve/structure.h"

/* Looks at columns `from` to `to` of a row of operand i, which begins at
 * element `at`. */
static struct failure_detail look(const struct args *a, int i, size_t at,
                                  size_t row, size_t from, size_t to)
{
	const struct matrix *m = &a->in[i];
	const char *x = (const char *)matrix_data(m) +
	                (at + from) * dtype_bytes(m->dtype);
	const size_t found = lapack_find_nonfinite(m->dtype, x, to - from);

	if (found == to - from)
		return (struct failure_detail){ .code = ERR_NONE };
	return (struct failure_detail){ .code = ERR_NONFINITE, .at = i,
	                                .x = (double)row,
	                                .y = (double)(from + found) };
}

static struct failure_detail look_at_matrix(const struct args *a, size_t n,
                                            size_t which)
{
	const enum solve_kind kind = solve_named(a);
	const int i = kind == KIND_FACTORS ? SOLVE_FACTORS : SOLVE_A;
	struct failure_detail d = { .code = ERR_NONE };

	for (size_t row = 0; row < n && d.code == ERR_NONE; row++) {
		const bool all = kind == KIND_GENERAL || kind == KIND_FACTORS;
		const size_t from = kind == KIND_UPPER ? row : 0;
		const size_t to = all || kind == KIND_UPPER ? n : row + 1;

		d = look(a, i, (which * n + row) * n, row, from, to);
	}
	return d;
}

static struct failure_detail look_at_sides(const struct args *a,
                                           const struct systems *y,
                                           size_t which)
{
	struct failure_detail d = { .code = ERR_NONE };

	for (size_t row = 0; row < y->n && d.code == ERR_NONE; row++)
		d = look(a, SOLVE_B, (which * y->n + row) * y->sides, row, 0,
		         y->sides);
	return d;
}

struct failure_detail solve_nonfinite_sides(const struct args *a,
                                            size_t system)
{
	const struct systems y = systems_of(NULL, a);

	return look_at_sides(a, &y, systems_matrix(a, SOLVE_B, system));
}

struct failure_detail solve_nonfinite(const struct args *a, size_t system)
{
	const struct failure_detail d = look_at_matrix(a,
	    systems_of(NULL, a).n, systems_matrix(a, SOLVE_A, system));

	return d.code != ERR_NONE ? d : solve_nonfinite_sides(a, system);
}
