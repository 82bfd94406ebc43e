/* blas_pieces.c - the products of parts of matrices that tensor cores compute
 * (ops/blas/pieces.h, ops/matmul/submatrix.h): every element of C is computed
 * once, by the same plan for all users, within the memory that was asked
 * for. */
#include "ops/blas/pieces.h"
#include "ops/lu/deferred.h"
#include "shared/lu_tile.h"
#include "tests/ops/gemm_plan.h"

static struct sheet sheet_of(uint32_t sm)
{
	struct sheet d = GEMM_SHEET(DEVICE_GPU, 132, 48);

	d.nvidia_sm = sm;
	return d;
}

/* The leading dimensions of A, B and C differ, so that none can pass for
 * another. */
enum { LDA = 7001, LDB = 8003, LDC = 9001, ROW = 5, COLUMN = 3 };

static struct blas_call call_of(size_t m, size_t n, size_t k, bool ta, bool tb,
                                const struct blas_tensor *t)
{
	return (struct blas_call){
		.g = { .stack = 1, .m = m, .n = n, .k = k, .alpha = -1,
		       .beta = 1, .lower = true, .tensor = t },
		.a = { .ld = LDA, .transposed = ta },
		.b = { .ld = LDB, .transposed = tb },
		.c = { .at = ROW * LDC + COLUMN, .ld = LDC },
	};
}

/* How often an element of C was computed. */
struct seen {
	struct blas_call x;
	unsigned char *times;
	int on_tensor;
};

static void mark(struct seen *s, const struct blas_call *y, size_t row,
                 size_t col)
{
	for (size_t i = 0; i < y->g.m; i++)
		for (size_t j = 0; j < y->g.n; j++)
			if (!y->g.lower || i >= j)
				s->times[(row + i) * s->x.g.n + col + j]++;
}

/* Asserts that a piece has those rows of A and columns of B that it has of
 * C. */
static void check_operands(const struct seen *s, const struct blas_call *y,
                           size_t q, size_t row, size_t col)
{
	const size_t a = y->a.at + q * y->a.step, b = y->b.at + q * y->b.step;

	ck_assert_uint_eq(a, row * (s->x.a.transposed ? 1 : LDA));
	ck_assert_uint_eq(b, col * (s->x.b.transposed ? LDB : 1));
	ck_assert(row + y->g.m <= s->x.g.m && col + y->g.n <= s->x.g.n);
}

static void see(const struct blas_call *y, void *seen)
{
	struct seen *s = seen;

	ck_assert_uint_eq(y->g.k, s->x.g.k);
	ck_assert(y->g.lower || blas_on_tensor(&y->g));
	s->on_tensor += !y->g.lower;
	for (size_t q = 0; q < y->g.stack; q++) {
		const size_t at = y->c.at + q * y->c.step - s->x.c.at;

		check_operands(s, y, q, at / LDC, at % LDC);
		mark(s, y, at / LDC, at % LDC);
	}
}

static int cut(size_t m, size_t n, size_t k, int how)
{
	const struct blas_tensor t = { .m = m, .n = n, .k = k };
	struct seen s = {
		call_of(m, n, k, how & 1, how & 2, &t), calloc(m * n, 1), 0
	};

	size_t wrong = 0;

	ck_assert_ptr_nonnull(s.times);
	blas_pieces(&s.x, see, &s);
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			wrong += s.times[i * n + j] != (i >= j);
	ck_assert_uint_eq(wrong, 0);
	free(s.times);
	return s.on_tensor;
}

START_TEST(pieces_cover_the_lower_triangle_once)
{
	static const struct {
		size_t m, n, k;
		int on_tensor;
	} x[] = {
		{ 1, 1, 1, 0 }, { 1024, 1024, 256, 0 }, { 1535, 1535, 256, 0 },
		{ 1536, 1536, 256, 1 }, { 3000, 3000, 256, 2 },
		{ 5000, 192, 256, 1 }, { 3000, 1100, 64, 0 },
		{ 5000, 2100, 256, 2 }, { 5000, 2300, 256, 3 },
		{ 4096, 4096, 256, 3 }, { 1500, 3000, 512, 1 },
		{ 3000, 2000, 31, 0 },
	};

	for (size_t i = 0; i < COUNT(x); i++)
		ck_assert_int_eq(cut(x[i].m, x[i].n, x[i].k, (int)i % 4),
		                 x[i].on_tensor);
}
END_TEST

/* A product has at least one tile, its k is not split, and its work-groups are
 * at most as many as the device holds, in whichever order the elements of an
 * operand lie. */
START_TEST(plans_of_submatrices_leave_k_whole)
{
	static const size_t sizes[] = { 128, 129, 700, 4096 };
	const struct sheet d = sheet_of(90);

	for (int i = 0; i < 4 * 4 * 4 * 2 * 4; i++) {
		const enum dtype t = i / 64 % 2 ? FLOAT64 : FLOAT32;
		const size_t limit = i / 128 % 2 ? 40 : 0;
		const size_t m = sizes[i % 4], n = sizes[i / 4 % 4];
		const size_t k = sizes[i / 16 % 4] / 4;
		const struct product p = gemm_sample(1, m, n, k, i / 128);
		const struct gemm_plan g = submatrix_plan(&d, t, &p, limit);
		const size_t tiles = size_blocks(m, 128) * size_blocks(n, 128);

		ck_assert_str_eq(g.kernel->name, t == FLOAT64 ?
		                 "matmul_tensor_f64_128x128" :
		                 "matmul_tensor_3xtf32");
		ck_assert_uint_eq(g.k_splits, 1);
		ck_assert_uint_eq(g.stream_k, 0);
		ck_assert_uint_ge(g.depth, k);
		ck_assert_uint_eq(g.groups, size_min(tiles, limit ? limit :
		                                                    132));
	}
}
END_TEST

static struct blas_gemm update_of(size_t m, size_t n, size_t k)
{
	return (struct blas_gemm){ .stack = 1, .m = m, .n = n, .k = k,
	                           .alpha = -1, .beta = 1 };
}

static size_t need_of(uint32_t sm, enum dtype t, const struct blas_gemm *g)
{
	const struct sheet d = sheet_of(sm);
	struct need n = { 0 };

	blas_gemm_need(&n, &d, t, g);
	return n.bytes;
}

START_TEST(packed_operands_alone_take_memory)
{
	const struct blas_gemm g = update_of(4000, 3000, 200);
	struct blas_gemm lower = g, small = update_of(1000, 1000, 100);
	struct blas_gemm scaled = g, thin = update_of(1 << 20, 64, 64);

	/* Rows of A are packed once and columns of B twice, with k rounded up
	 * to a multiple of 32. */
	ck_assert_uint_eq(need_of(90, FLOAT32, &g),
	                  (4096 + 2 * 3072) * 224 * sizeof(float));
	lower.lower = true;
	ck_assert_uint_eq(need_of(90, FLOAT32, &lower),
	                  (4096 + 2 * 1024) * 224 * sizeof(float));
	ck_assert_uint_eq(need_of(90, FLOAT64, &g), 0);
	ck_assert_uint_eq(need_of(80, FLOAT32, &g), 0);
	ck_assert_uint_eq(need_of(0, FLOAT32, &g), 0);
	ck_assert_uint_eq(need_of(90, FLOAT32, &small), 0);
	ck_assert_uint_eq(need_of(90, FLOAT32, &thin), 0);
	scaled.alpha = 0.5;
	ck_assert_uint_eq(need_of(90, FLOAT32, &scaled), 0);
}
END_TEST

/* Operands that have to be packed in several parts would not fit the memory. */
START_TEST(products_that_no_buffer_holds_packed_are_left_to_other_kernels)
{
	const struct blas_gemm g = update_of(4000, 3000, 200);
	struct sheet d = sheet_of(90);
	struct need n = { 0 };

	d.max_allocation_bytes = 1 << 20;
	blas_gemm_need(&n, &d, FLOAT32, &g);
	ck_assert_uint_eq(n.bytes, 0);
}
END_TEST

/* No product that tensor cores may compute takes more memory than the largest
 * one. */
START_TEST(the_room_of_the_largest_product_holds_all_others)
{
	const struct blas_tensor t = { .m = 4000, .n = 3000, .k = 256 };
	const size_t room = need_of(90, FLOAT32, &(struct blas_gemm){
		.m = t.m, .n = t.n, .k = t.k, .alpha = -1, .beta = 1 });
	int through = 0;

	for (size_t e = 0; e < 6 * 6 * 6; e++) {
		struct blas_gemm g = update_of(500 + e % 6 * 750,
		                               500 + e / 6 % 6 * 600,
		                               e / 36 * 64);

		g.tensor = &t;
		if (!blas_on_tensor(&g))
			continue;
		ck_assert(g.m <= t.m && g.n <= t.n && g.k <= t.k);
		ck_assert_uint_le(need_of(90, FLOAT32, &g), room);
		through++;
	}
	ck_assert_int_gt(through, 20);
}
END_TEST

/* LU has two lanes of deferred updates, each with memory of its own: one for
 * the columns of the next block, with those of a last block, and one for all
 * columns. */
START_TEST(deferred_updates_of_lu_have_room_in_both_lanes)
{
	const struct factors f = { .stack = 1, .m = 9000, .n = 8192 };
	const struct sheet d = sheet_of(90);
	const size_t k = lu_deferred_block(FLOAT32);
	const size_t rows = size_round_up(f.m - k, 128);
	const size_t moves = f.n * 2 * sizeof(int32_t);
	struct need single = { 0 }, full = { 0 };

	ck_assert(k % 128 == 0 && f.n % LU_NB == 0 && LU_REST % 128 == 0);
	lu_deferred_need(&single, &d, FLOAT32, &f);
	ck_assert_uint_eq(single.bytes, moves + sizeof(float) * k *
	                  (2 * rows + 2 * (k + LU_REST) + 2 * (f.n - k)));
	lu_deferred_need(&full, &d, FLOAT64, &f);
	ck_assert_uint_eq(full.bytes, moves);
}
END_TEST

TCase *tcase_blas_pieces(void)
{
	TCase *c = tcase_create("blas_pieces");

	tcase_add_test(c, pieces_cover_the_lower_triangle_once);
	tcase_add_test(c, plans_of_submatrices_leave_k_whole);
	tcase_add_test(c, packed_operands_alone_take_memory);
	tcase_add_test(c,
	    products_that_no_buffer_holds_packed_are_left_to_other_kernels);
	tcase_add_test(c, the_room_of_the_largest_product_holds_all_others);
	tcase_add_test(c, deferred_updates_of_lu_have_room_in_both_lanes);
	return c;
}
