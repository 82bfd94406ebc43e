/* lu_deep.c - see lu_deep.h. */
#include "ops/lu_deep.h"

#include "lu_tile.h"
#include "matmul_tensor.h"
#include "ops/matmul_f64.h"

static const struct tf32_way *const way = &tf32_ways[MATMUL_FULL];

/* Of a matrix whose first j + k columns are done. */
static struct product product(const struct factors *f, size_t j, size_t k)
{
	return (struct product){
		.m = f->m - j - k, .n = f->n - j - k, .k = k, .stack = 1,
		.a_row = (int64_t)f->n, .a_col = 1,
		.b_row = (int64_t)f->n, .b_col = 1,
	};
}

void lu_deep_need(struct need *n, const struct sheet *d, enum dtype t,
                  const struct factors *f)
{
	const struct product p = product(f, 0, LU_BLOCK);

	if (t == FLOAT32)
		tf32_need(n, d, way, &p);
}

struct tf32_room lu_deep_room(struct seq *s, const struct factors *f)
{
	const struct product p = product(f, 0, LU_BLOCK);

	return seq_dtype(s) == FLOAT32 ? tf32_room_of(s, way, &p) :
	                                 (struct tf32_room){ { 0 }, { 0 } };
}

static void update_float32(struct seq *s, const struct factors *f,
                           struct tf32_room room, size_t j, size_t k)
{
	const size_t to = j + k;
	struct tf32_product x = {
		.p = product(f, j, k), .a = f->lu, .b = f->lu, .c = f->lu,
		.places = f->lu, .c_row = f->n, .minus = true,
		.depth = size_round_up(k, TENSOR_DEPTH),
	};

	for (size_t i = 0; i < f->stack; i++) {
		const size_t matrix = i * f->m * f->n;

		x.a_at = matrix + to * f->n + j;
		x.b_at = matrix + j * f->n + to;
		x.c_at = matrix + to * f->n + to;
		tf32_multiply(s, way, &x, room);
	}
}

static void update_float64(struct seq *s, const struct factors *f, size_t j,
                           size_t k)
{
	const size_t to = j + k;
	struct f64_product x = {
		.p = product(f, j, k), .a = f->lu, .b = f->lu, .c = f->lu,
		.places = f->lu, .c_row = f->n, .minus = true,
	};
	const struct f64_plan plan = f64_plan_large(&x.p);

	for (size_t i = 0; i < f->stack; i++) {
		const size_t matrix = i * f->m * f->n;

		x.a_at = matrix + to * f->n + j;
		x.b_at = matrix + j * f->n + to;
		x.c_at = matrix + to * f->n + to;
		f64_multiply(s, &plan, &x);
	}
}

void lu_deep_update(struct seq *s, const struct factors *f,
                    struct tf32_room room, size_t j, size_t k)
{
	if (seq_dtype(s) == FLOAT64)
		update_float64(s, f, j, k);
	else
		update_float32(s, f, room, j, k);
}

/* The probe's matrix, of whole numbers that TF32 holds: k beyond a slab, more
 * than a tile in both directions, and edges. */
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
	const struct product p = { .m = M, .n = N, .k = K, .stack = 1 };
	struct factors f = { .stack = 1, .m = M, .n = N };
	struct tf32_room room = { { 0 }, { 0 } };
	union { float f[M * N]; double d[M * N]; } x;
	const size_t bytes = wide ? sizeof x.d : sizeof x.f;

	(void)kernel;
	for (size_t e = 0; e < (size_t)M * N; e++)
		if (wide)
			x.d[e] = element(e / N, e % N);
		else
			x.f[e] = (float)element(e / N, e % N);
	f.lu = seq_scratch(s, bytes);
	if (!wide)
		room = tf32_room_of(s, way, &p);
	seq_write(s, f.lu, 0, &x, bytes);
	lu_deep_update(s, &f, room, 0, K);
	seq_read(s, f.lu, 0, &x, bytes);
	for (size_t e = 0; e < (size_t)M * N && !seq_failed(s); e++)
		if ((wide ? x.d[e] : x.f[e]) != element_after(e / N, e % N))
			return false;
	return !seq_failed(s);
}

bool lu_deep_suits(const struct factors *f)
{
	return factors_pivots(f) >= LU_BLOCK + LU_REST;
}

/* A product's own probe knows nothing of C -= A B: the verdict is kept by a
 * kernel that only this needs. */
bool lu_deep_works(struct seq *s)
{
	return (seq_dtype(s) == FLOAT32 || f64_trusts(s, f64_ways)) &&
	       seq_trusts(s, "lu_block_rows", is_right);
}
