/* deferred.c - see deferred.h. */
#include "ops/lu/deferred.h"

#include "shared/lu_tile.h"

static struct product product(const struct factors *f,
                              const struct lu_block *x)
{
	return (struct product){
		.m = f->m - x->end, .n = x->to - x->from,
		.k = x->end - x->begin, .stack = 1,
		.a_row = (int64_t)f->n, .a_col = 1,
		.b_row = (int64_t)f->n, .b_col = 1,
	};
}

/* k whole, by persistent work-groups of a number that may be set. */
static struct gemm_plan plan_of(const struct sheet *d, enum dtype t,
                                const struct product *p, size_t groups)
{
	const struct gemm_on on = { .d = d, .t = t };

	return gemm_plan_forced(&on, &(struct gemm_forced){
		t == FLOAT64 ? GEMM_F64_128X128 : GEMM_3XTF32,
		.k_splits = 1, .most_groups = groups }, p);
}

size_t lu_deferred_block(enum dtype t)
{
	return LU_BLOCK(dtype_bytes(t));
}

/* The largest product of a lane: lane 0 updates the next block's columns,
 * lane 1 all columns beyond. */
static struct product largest(const struct factors *f, enum dtype t, int lane)
{
	const size_t block = lu_deferred_block(t);
	const size_t last = block + LU_REST + f->n - factors_pivots(f);
	const size_t wide = lane == 0 ? last : f->n;

	return product(f, &(struct lu_block){
		.end = block, .from = block, .to = size_min(f->n, block + wide)
	});
}

static size_t moves_size(const struct factors *f)
{
	return f->stack * size_blocks(factors_pivots(f), LU_NB) * 2 * LU_NB *
	       sizeof(int32_t);
}

void lu_deferred_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct factors *f)
{
	const struct gemm_on on = { .d = d, .t = t };

	need_buffer(n, moves_size(f));
	for (int i = 0; i < 2 && t == FLOAT32; i++) {
		const struct product p = largest(f, t, i);
		const struct gemm_plan g = plan_of(d, t, &p, 0);
		const struct gemm_scratch x = gemm_scratch_of(&on, &g, &p);

		need_buffer(n, x.packed_a);
		need_buffer(n, x.packed_b);
	}
}

struct lu_deferred lu_deferred_of(struct seq *s, const struct factors *f)
{
	const enum dtype t = seq_dtype(s);
	struct lu_deferred d = { .moves = seq_scratch(s, moves_size(f)) };

	for (int i = 0; i < 2 && t == FLOAT32; i++) {
		const struct product p = largest(f, t, i);
		const struct gemm_plan g = plan_of(seq_sheet(s), t, &p, 0);

		d.room[i] = tensor_room_of(s, &g, &p);
	}
	return d;
}

void lu_deferred_rows(struct seq *s, const struct factors *f,
                  const struct lu_deferred *d, const struct lu_block *x,
                  size_t first)
{
	const size_t columns = x->to - x->from;
	const size_t strips = size_blocks(columns,
	                                  LU_STRIP(dtype_bytes(seq_dtype(s))));
	const double before = (double)(first - x->begin);
	const double all = (double)(x->end - x->begin);

	if (x->from >= x->end)
		seq_work(s, (double)f->stack * columns *
		            (all * all - before * before), 0);
	seq_launch(s, "lu_block_rows", GRID2(strips * LU_ROWS_ITEMS, f->stack,
	           LU_ROWS_ITEMS, 1), ARG_BUF(f->lu), ARG_INT(f->m),
	           ARG_INT(f->n), ARG_INT(x->begin), ARG_INT(first),
	           ARG_INT(x->end), ARG_INT(x->from), ARG_INT(x->to),
	           ARG_BUF(d->moves));
}

void lu_deferred_update(struct seq *s, const struct factors *f,
                    const struct tensor_room *room, const struct lu_block *at,
                    size_t groups)
{
	struct tensor_product x = {
		.p = product(f, at), .a = f->lu, .b = f->lu, .c = f->lu,
		.places = f->lu, .c_row = f->n, .minus = true,
	};
	const struct gemm_plan g = plan_of(seq_sheet(s), seq_dtype(s), &x.p,
	                                   groups);

	for (size_t i = 0; i < f->stack; i++) {
		const size_t matrix = i * f->m * f->n;

		x.a_at = matrix + at->end * f->n + at->begin;
		x.b_at = matrix + at->begin * f->n + at->from;
		x.c_at = matrix + at->end * f->n + at->from;
		tensor_multiply(s, &g, &x, room);
	}
}

/* The probe's matrix has whole numbers that TF32 represents, k beyond a slab,
 * more than a tile in both directions, and edges. */
enum { K = 40, M = K + 140, N = K + 150 };

static double element(size_t i, size_t j)
{
	return (double)((3 * i + 5 * j) % 13) - 6;
}

static double element_after(size_t i, size_t j)
{
	double x = element(i, j);

	for (size_t p = 0; p < K && i >= K && j >= K; p++)
		x -= element(i, p) * element(p, j);
	return x;
}

static bool is_right(struct seq *s, const char *kernel)
{
	const bool wide = seq_dtype(s) == FLOAT64;
	const struct lu_block block = { 0, K, K, N };
	struct factors f = { .stack = 1, .m = M, .n = N };
	const struct product p = product(&f, &block);
	const struct gemm_plan g = plan_of(seq_sheet(s), seq_dtype(s), &p, 0);
	struct tensor_room room;
	union { float f[M * N]; double d[M * N]; } x;
	const size_t bytes = wide ? sizeof x.d : sizeof x.f;

	(void)kernel;
	for (size_t e = 0; e < (size_t)M * N; e++)
		if (wide)
			x.d[e] = element(e / N, e % N);
		else
			x.f[e] = (float)element(e / N, e % N);
	f.lu = seq_scratch(s, bytes);
	room = tensor_room_of(s, &g, &p);
	seq_write(s, f.lu, 0, &x, bytes);
	lu_deferred_update(s, &f, &room, &block,
	               seq_sheet(s)->compute_units);
	seq_read(s, f.lu, 0, &x, bytes);
	for (size_t e = 0; e < (size_t)M * N && !seq_failed(s); e++)
		if ((wide ? x.d[e] : x.f[e]) != element_after(e / N, e % N))
			return false;
	return !seq_failed(s);
}

bool lu_deferred_suits(const struct factors *f, enum dtype t)
{
	return factors_pivots(f) >= lu_deferred_block(t) + LU_REST;
}

/* matmul's probes of the same kernels try C = A B alone. The verdict on C -= A
 * B is therefore stored under a kernel that only deferred updates use. */
bool lu_deferred_works(struct seq *s)
{
	return (seq_dtype(s) == FLOAT32 || f64_trusts(s, GEMM_F64_128X128)) &&
	       seq_trusts(s, "lu_block_rows", is_right);
}
