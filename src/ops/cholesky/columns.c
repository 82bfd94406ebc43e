/* columns.c - see columns.h. */
#include <math.h>
#include <stdlib.h>

#include "ops/cholesky/columns.h"
#include "ops/lu/residual.h"
#include "ops/room.h"

enum {
	CHUNK = 1024,			/* rows that are summed by one item */
	ITEMS = 64,
};

static struct blas_trsm down_of(const struct cholesky_columns *f, size_t w,
                                size_t rows)
{
	return (struct blas_trsm){ .stack = 1, .n = w, .sides = rows,
	                           .tensor = &f->down };
}

/* Makes what a product as large as `most` takes on tensor cores. */
static void make_tensor(struct seq *s, struct blas_tensor *t,
                        const struct blas_gemm *most, const struct sheet *d,
                        enum dtype type, struct need *need)
{
	if (need)
		blas_gemm_need(need, d, type, most);
	else
		*t = blas_tensor_of(s, most);
}

void cholesky_columns_make(struct cholesky_columns *f, const struct sheet *d,
                           enum dtype type, struct need *need)
{
	const struct blas_trsm down = down_of(f, f->c.width, f->c.m);
	const struct blas_gemm largest = blas_trsm_most(&down, true);

	for (int i = 0; i < 2; i++) {
		const struct blas_gemm update = gang_panels_most(&f->c, i);

		f->panel[i] = room_make(f->s, need, f->c.m * f->c.width *
		                                    dtype_bytes(type));
		make_tensor(f->s, &f->tensor[i], &update, d, type, need);
	}
	make_tensor(f->s, &f->down, &largest, d, type, need);
	f->state = room_make(f->s, need, 2 * sizeof(int32_t));
}

void cholesky_columns_factor(struct cholesky_columns *f, size_t k)
{
	const size_t j = k * f->c.width, w = columns_width(&f->c, k);
	const size_t rows = f->c.m - j;
	const struct columns_rows own = {
		.b = f->c.b, .at = j * f->c.own + columns_at(&f->c, k),
		.ld = f->c.own,
	};
	const struct columns_rows panel = { .b = f->panel[k % 2], .ld = w };
	const struct blas_part l11 = { .b = panel.b, .ld = w };
	const struct blas_part l21 = { .b = panel.b, .at = w * w, .ld = w,
	                               .transposed = true };
	const struct blas_trsm down = down_of(f, w, rows - w);

	columns_copy(f->s, rows, w, &own, &panel);
	seq_fill(f->s, f->state, 0, 2 * sizeof(int32_t), &(int32_t){ 0 },
	         sizeof(int32_t));
	cholesky_in_place(f->s, w, 1, panel.b, f->state);
	blas_trsm(f->s, &down, &l11, &l21);
}

void cholesky_columns_apply(const struct cholesky_columns *f,
                            const struct blas_part *rows, size_t w, int lane,
                            size_t c0, size_t c1)
{
	const size_t begin = columns_global(&f->c, c0);

	for (size_t c = c0; c < c1; c += f->c.width) {
		const size_t at = columns_global(&f->c, c);
		struct blas_part left = *rows, right;
		const struct blas_part a22 = { .b = f->c.b, .ld = f->c.own,
		                               .at = at * f->c.own + c };

		left.at += (at - begin) * w;
		right = left;
		right.transposed = true;
		blas_gemm(f->s, &(struct blas_gemm){ .stack = 1,
		          .m = f->c.m - at,
		          .n = size_min(f->c.width, c1 - c), .k = w,
		          .alpha = -1, .beta = 1, .tensor = &f->tensor[lane],
		          .groups = gang_panels_groups(f->s, lane) },
		          &left, &right, &a22);
	}
}

/* --- the verdict */

static size_t chunks(const struct columns *c)
{
	return size_blocks(c->m, CHUNK);
}

size_t cholesky_sums_bytes(const struct columns *c, const struct sheet *d)
{
	return chunks(c) * columns_most(c) * lu_wide_bytes(d);
}

/* Adds up the chunks' sums of each column, in place. */
static void add_chunks(const struct columns *c, double *sums)
{
	for (size_t q = 1; q < chunks(c); q++)
		for (size_t i = 0; i < c->own; i++)
			sums[i] += sums[q * c->own + i];
}

double *cholesky_sums_of(struct seq *s, const struct cholesky_sums *x)
{
	const struct columns *const c = x->c;
	const size_t all = chunks(c) * c->own;
	const int mark = seq_mark(s);
	const struct buf sums = seq_scratch(s, all *
	                                    lu_wide_bytes(seq_sheet(s)));
	double *host;

	seq_work(s, 0, 0.5 * (double)(c->m * c->own *
	                              dtype_bytes(seq_dtype(s))));
	seq_launch(s, "cholesky_gang_columns",
	           GRID2(c->own, chunks(c), ITEMS, 1), ARG_BUF(x->b),
	           ARG_INT(c->m), ARG_INT(c->own), ARG_INT(c->width),
	           ARG_INT(c->part), ARG_INT(c->parts), ARG_INT(x->first),
	           ARG_INT(x->below), ARG_INT(CHUNK), ARG_BUF(sums));
	host = lu_wide_read(s, sums, all);
	seq_drop(s, mark);
	if (host)
		add_chunks(c, host);
	return host;
}

void cholesky_find_nonfinite(const struct matrix *a, size_t j,
                             struct cholesky_place *x)
{
	const size_t n = matrix_rows(a);

	for (size_t i = j; i < n; i++)
		if (!isfinite(matrix_get(a, i * n + j))) {
			if (x->row < 0 || (double)i < x->row)
				*x = (struct cholesky_place){ (double)i,
				                              (double)j };
			return;
		}
}
