/* zero_pivot.c - see zero_pivot.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "ops/failure.h"
#include "ops/lu/zero_pivot.h"

enum { LANES = 64 };

void lu_need_pivots(struct need *n, const struct factors *f)
{
	for (int i = 0; i < 2; i++)
		need_buffer(n, f->stack * sizeof(int32_t));
}

void lu_zero_pivots(struct seq *s, const struct factors *f, int32_t *zero,
                    int32_t *broken)
{
	const size_t bytes = f->stack * sizeof(int32_t);
	const struct buf zeros = seq_scratch(s, bytes);
	const struct buf brokens = seq_scratch(s, bytes);
	const int32_t none = INT_MAX;

	seq_fill(s, zeros, 0, bytes, &none, sizeof none);
	seq_fill(s, brokens, 0, bytes, &none, sizeof none);
	seq_launch(s, "lu_zero_pivots",
	           GRID2(factors_pivots(f), f->stack, LANES, 1),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n),
	           ARG_BUF(zeros), ARG_BUF(brokens));
	seq_read(s, zeros, 0, zero, bytes);
	seq_read(s, brokens, 0, broken, bytes);
}

static void fail(struct args *a, size_t matrix, size_t where)
{
	const struct failure f = {
		.index = matrix,
		.detail = { .code = ERR_ZERO_PIVOT, .at = (int32_t)where },
	};

	args_fail(a, &f);
}

void lu_describe_zero_pivot(const struct args *a, const struct failure *f,
                            struct err *e)
{
	char which[64] = "";

	if (a->stack > 1)
		snprintf(which, sizeof which, "matrix %zu of the stack: ",
		         f->index);
	err_set_at(e, ERR_ZERO_PIVOT, "/a", "lu: %sthe pivot in row and "
	           "column %d, counted from 0, is zero and the column below it "
	           "is not: without row interchanges there is no L U = A",
	           which, (int)f->detail.at);
}

static int write_factors(struct seq *s, const struct factors *f,
                         size_t matrix, const double *lu)
{
	const size_t n = f->m * f->n, each = dtype_bytes(seq_dtype(s));
	float *narrow = malloc(n * sizeof *narrow);

	if (!narrow)
		return err_set(seq_err(s), ERR_MEMORY, "lu: no memory for "
		               "factors of %zux%zu", f->m, f->n);
	for (size_t i = 0; i < n; i++)
		narrow[i] = (float)lu[i];
	seq_write(s, f->lu, matrix * n * each,
	          each == sizeof *narrow ? (const void *)narrow : lu, n * each);
	free(narrow);
	return seq_failed(s) ? -1 : 0;
}

/* Below an earlier zero pivot any multipliers will do: other factors may exist
 * although elimination failed. */
static int try_others(struct seq *s, struct args *args,
                      const struct factors *f, size_t matrix)
{
	const size_t n = f->m * f->n;
	double *a = malloc(n * sizeof *a);
	size_t where;
	int rc = 0;

	if (!a)
		return err_set(seq_err(s), ERR_MEMORY, "lu: no memory for "
		               "%zux%zu elements", f->m, f->n);
	for (size_t i = 0; i < n; i++)
		a[i] = matrix_get(&args->in[0], matrix * n + i);
	if (lu_by_rows(a, f->m, f->n, seq_dtype(s), &where, seq_err(s)))
		rc = write_factors(s, f, matrix, a);
	else if (!seq_failed(s))
		fail(args, matrix, where);
	free(a);
	return rc;
}

int lu_check_pivots(struct seq *s, struct args *a, const struct factors *f)
{
	int32_t *zero = malloc(2 * (f->stack + 1) * sizeof *zero);
	int32_t *broken;
	int rc = 0;

	if (!zero)
		return err_set(seq_err(s), ERR_MEMORY, "lu: no memory for the "
		               "pivots of %zu matrices", f->stack);
	broken = zero + f->stack;
	lu_zero_pivots(s, f, zero, broken);
	for (size_t i = 0; i < f->stack && rc == 0 && !seq_failed(s); i++) {
		if (broken[i] == INT_MAX)
			continue;
		if (zero[i] < broken[i])
			rc = try_others(s, a, f, i);
		else
			fail(a, i, (size_t)broken[i]);
	}
	free(zero);
	return rc < 0 || seq_failed(s) ? -1 : 0;
}
