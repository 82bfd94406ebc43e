/* seed.c - the launches of kernels/seeds/lu.cl: a column at a time, without
 * pivoting. f->lu serves as the articles' U. */
#include "ops/lu/factor.h"
#include "shared/seed_group.h"

/* A work-item for each of so many columns of each row. */
static struct grid grid_of(size_t rows, size_t columns)
{
	return GRID1(rows * size_blocks(columns, SEED_LU_GROUP) * SEED_LU_GROUP,
	             SEED_LU_GROUP);
}

static size_t l_size(const struct factors *f, size_t each)
{
	return f->stack * f->m * factors_pivots(f) * each;
}

void lu_need_seed_v0(struct need *n, const struct sheet *d, enum dtype t,
                     const struct factors *f)
{
	lu_need_seed_v1(n, d, t, f);
	need_buffer(n, f->stack * f->m * f->n * dtype_bytes(t));
}

void lu_need_seed_v1(struct need *n, const struct sheet *d, enum dtype t,
                     const struct factors *f)
{
	(void)d;
	need_buffer(n, l_size(f, dtype_bytes(t)));
}

/* L as zeros; the kernels make its diagonal 1. */
static struct buf make_l(struct seq *s, const struct factors *f)
{
	const size_t each = dtype_bytes(seq_dtype(s)), size = l_size(f, each);
	const struct buf l = seq_scratch(s, size);
	const double zero = 0;

	seq_fill(s, l, 0, size, &zero, each);
	return l;
}

static void pack(struct seq *s, const struct factors *f, struct buf l)
{
	seq_launch(s, "seed_lu_pack",
	           grid_of(f->stack * f->m, factors_pivots(f)), ARG_BUF(l),
	           ARG_BUF(f->lu), ARG_BUF(f->swaps), ARG_INT(f->m),
	           ARG_INT(f->n));
}

void lu_factor_seed_v0(struct seq *s, const struct factors *f)
{
	const size_t k = factors_pivots(f), rows = f->stack * f->m;
	const size_t bytes = rows * f->n * dtype_bytes(seq_dtype(s));
	const struct buf l = make_l(s, f), a = seq_scratch(s, bytes);

	/* L = I, U = A */
	seq_launch(s, "seed_lu_identity", grid_of(rows, k), ARG_BUF(l),
	           ARG_INT(f->m), ARG_INT(k));
	seq_copy(s, f->a, 0, f->lu, 0, bytes);
	seq_copy(s, f->a, 0, a, 0, bytes);
	for (size_t i = 0; i + 1 < f->m && i < k; i++) {
		seq_work(s, 2.0 * f->stack * (f->m - i - 1) * (f->n - i), 0);
		seq_launch(s, "seed_lu_step", grid_of(rows, f->n), ARG_BUF(a),
		           ARG_BUF(l), ARG_BUF(f->lu), ARG_INT(f->m),
		           ARG_INT(f->n), ARG_INT(i));
		seq_copy(s, f->lu, 0, a, 0, bytes);
		seq_progress(s, (double)(i + 1) / k);
	}
	pack(s, f, l);
}

/* U_rc -= U_ri / U_ii U_ic, then L_ri = U_ri / U_ii */
static void eliminate(struct seq *s, const struct factors *f, struct buf l,
                      size_t i)
{
	const size_t rows = f->m - i - 1, columns = f->n - i - 1;

	seq_work(s, 2.0 * f->stack * rows * columns, 0);
	if (columns > 0)
		seq_launch(s, "seed_lu_submatrix",
		           grid_of(f->stack * rows, columns), ARG_BUF(f->lu),
		           ARG_INT(f->m), ARG_INT(f->n), ARG_INT(i));
	seq_work(s, (double)f->stack * rows, 0);
	seq_launch(s, "seed_lu_column", grid_of(f->stack, rows), ARG_BUF(l),
	           ARG_BUF(f->lu), ARG_INT(f->m), ARG_INT(f->n), ARG_INT(i));
}

void lu_factor_seed_v1(struct seq *s, const struct factors *f)
{
	const size_t k = factors_pivots(f), rows = f->stack * f->m;
	const struct buf l = make_l(s, f);

	/* L = I, U = A */
	seq_launch(s, "seed_lu_diagonal", grid_of(f->stack, k), ARG_BUF(l),
	           ARG_INT(f->m), ARG_INT(k));
	seq_copy(s, f->a, 0, f->lu, 0,
	         rows * f->n * dtype_bytes(seq_dtype(s)));
	for (size_t i = 0; i + 1 < f->m && i < k; i++) {
		eliminate(s, f, l, i);
		seq_progress(s, (double)(i + 1) / k);
	}
	pack(s, f, l);
}
