/* submatrix.c - see submatrix.h. */
#include "ops/matmul/submatrix.h"

struct gemm_plan submatrix_plan(const struct sheet *d, enum dtype t,
                                const struct product *p, size_t groups)
{
	const struct gemm_on on = { .d = d, .t = t };

	return gemm_plan_forced(&on, &(struct gemm_forced){
		t == FLOAT64 ? GEMM_F64_128X128 : GEMM_3XTF32,
		.k_splits = 1, .most_groups = groups }, p);
}

struct tensor_room submatrix_room(struct seq *s, const struct product *largest)
{
	const struct gemm_plan g = submatrix_plan(seq_sheet(s), seq_dtype(s),
	                                          largest, 0);

	return tensor_room_of(s, &g, largest);
}

void submatrix_need(struct need *n, const struct sheet *d, enum dtype t,
                    const struct product *largest)
{
	const struct gemm_on on = { .d = d, .t = t };
	const struct gemm_plan g = submatrix_plan(d, t, largest, 0);
	const struct gemm_scratch x = gemm_scratch_of(&on, &g, largest);

	if (x.packed_a == 0)
		return;
	need_buffer(n, x.packed_a);
	need_buffer(n, x.packed_b);
}

void submatrix_multiply(struct seq *s, const struct submatrix_product *x,
                        const struct tensor_room *room)
{
	struct tensor_product one = x->first;
	const struct gemm_plan g = submatrix_plan(seq_sheet(s), seq_dtype(s),
	                                          &one.p, x->groups);

	for (size_t i = 0; i < x->stack; i++) {
		tensor_multiply(s, &g, &one, room);
		one.a_at += x->a_step;
		one.b_at += x->b_step;
		one.c_at += x->c_step;
	}
}

/* The probe's matrix X is a single buffer, and C is part of it:
 *
 *     K  |    |  B or A^T         K: beyond a slab of k
 *        |----+---------+         m, n: more than a tile, with edges; columns
 *     M  | A  |    C    |         and rows beyond C must stay as they are
 *        | or |         |
 *        | B^T|         |
 *
 * Its elements are whole numbers that TF32 represents. They repeat every PERIOD
 * rows and columns, hence so do those of the product. */
enum { K = 40, M = 140, N = 150, SIDE = K + N, MOST = SIDE * (SIDE + 1),
       PERIOD = 13 };

struct trial {
	size_t ld;
	bool ta, tb, minus;
};

static double element(size_t i, size_t j)
{
	return (double)((3 * i + 5 * j) % PERIOD) - 6;
}

static void products(const struct trial *x, double sum[PERIOD][PERIOD])
{
	for (size_t i = 0; i < PERIOD; i++)
		for (size_t j = 0; j < PERIOD; j++) {
			sum[i][j] = 0;
			for (size_t p = 0; p < K; p++)
				sum[i][j] += (x->ta ? element(p, K + i) :
				                      element(K + i, p)) *
				             (x->tb ? element(K + j, p) :
				                      element(p, K + j));
		}
}

static double element_after(const struct trial *x, size_t i, size_t j,
                            double sum[PERIOD][PERIOD])
{
	const bool inside = i >= K && i < K + M && j >= K && j < K + N;
	const double product = inside ?
	                       sum[(i - K) % PERIOD][(j - K) % PERIOD] : 0;

	return inside && !x->minus ? product : element(i, j) - product;
}

static void update(struct seq *s, const struct trial *x, struct buf b)
{
	const size_t above = K, beside = K * x->ld, ld = x->ld;
	const struct submatrix_product y = {
		.first = {
			.p = {
				.m = M, .n = N, .k = K, .stack = 1,
				.a_row = x->ta ? 1 : (int64_t)ld,
				.a_col = x->ta ? (int64_t)ld : 1,
				.b_row = x->tb ? 1 : (int64_t)ld,
				.b_col = x->tb ? (int64_t)ld : 1,
			},
			.a = b, .b = b, .c = b, .places = b,
			.a_at = x->ta ? above : beside,
			.b_at = x->tb ? beside : above,
			.c_at = beside + above, .c_row = ld, .minus = x->minus,
		},
		.stack = 1,
	};
	const struct tensor_room room = submatrix_room(s, &y.first.p);

	submatrix_multiply(s, &y, &room);
}

static bool trial_succeeds(struct seq *s, const struct trial *x)
{
	const bool wide = seq_dtype(s) == FLOAT64;
	const size_t elements = SIDE * x->ld;
	const size_t bytes = elements * dtype_bytes(seq_dtype(s));
	const struct buf b = seq_scratch(s, bytes);
	union { float f[MOST]; double d[MOST]; } y;
	double sum[PERIOD][PERIOD];

	products(x, sum);
	for (size_t e = 0; e < elements; e++)
		if (wide)
			y.d[e] = element(e / x->ld, e % x->ld);
		else
			y.f[e] = (float)element(e / x->ld, e % x->ld);
	seq_write(s, b, 0, &y, bytes);
	update(s, x, b);
	seq_read(s, b, 0, &y, bytes);
	for (size_t e = 0; e < elements && !seq_failed(s); e++)
		if ((wide ? y.d[e] : (double)y.f[e]) !=
		    element_after(x, e / x->ld, e % x->ld, sum))
			return false;
	return !seq_failed(s);
}

/* Tries rows that are aligned to pairs of elements, and rows that are not. */
static bool is_right(struct seq *s, const char *kernel)
{
	(void)kernel;
	for (int i = 0; i < 8; i++) {
		const bool ta = i & 1, tb = i & 2;
		const struct trial x = { SIDE + (ta != tb), ta, tb, i < 4 };

		if (!trial_succeeds(s, &x))
			return false;
	}
	return true;
}

bool submatrix_works(struct seq *s, const char *kernel)
{
	return (seq_dtype(s) == FLOAT32 || f64_trusts(s, GEMM_F64_128X128)) &&
	       seq_trusts(s, kernel, is_right);
}
