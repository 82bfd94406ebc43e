/* gemm_residues.c - the constants of products by residues
 * (ops/matmul/residues.h) reconstruct whole numbers. */
#include <math.h>
#include <string.h>

#include "ops/matmul/residues.h"
#include "tests/test.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static uint32_t table[RESIDUES_WORDS];

static void fill(void)
{
	residues_table(table);
}

static const uint32_t *about(int s)
{
	return table + RESIDUES_TABLE + (s - RESIDUES_LEAST) *
	       RESIDUES_OF_NUMBER;
}

static unsigned modulus(int l)
{
	return table[l * RESIDUES_OF_MODULUS];
}

static double product(int s)
{
	double p[2];

	memcpy(p, about(s) + 2, sizeof p);
	return p[0] + p[1];
}

START_TEST(moduli_fit_bytes_and_have_no_common_divisor)
{
	fill();
	for (int i = 0; i < RESIDUES_MOST; i++) {
		ck_assert_uint_le(modulus(i), 256);
		for (int j = 0; j < i; j++) {
			unsigned a = modulus(i), b = modulus(j);

			while (b != 0) {
				const unsigned rest = a % b;

				a = b;
				b = rest;
			}
			ck_assert_uint_eq(a, 1);
		}
	}
}
END_TEST

/* The bytes of 2^0 to 2^88, with signs, and of -2^72. */
START_TEST(powers_of_two_are_congruent)
{
	fill();
	for (int l = 0; l < RESIDUES_MOST; l++) {
		const int p = (int)modulus(l);
		const uint32_t *of = table + l * RESIDUES_OF_MODULUS;
		int power = 1;

		for (int i = 0; i < 12; i++) {
			const int8_t x = (int8_t)(of[1 + i / 4] >> i % 4 * 8);

			ck_assert_int_eq((x - power) % p, 0);
			if (i == 9)
				ck_assert_int_eq(((int32_t)of[4] + power) % p,
				                 0);
			power = power * 256 % p;
		}
	}
}
END_TEST

/* The scale leaves room for 2 |sum| < P, and is not needlessly small. */
START_TEST(scales_keep_sums_below_half_of_the_product)
{
	fill();
	for (int s = RESIDUES_LEAST; s <= RESIDUES_MOST; s++) {
		const double p = product(s) * 0x1p96;
		double log_p = 0;
		float top;

		for (int l = 0; l < s; l++)
			log_p += log2(modulus(l));
		ck_assert(fabs(log2(p) - log_p) < 1e-9);
		memcpy(&top, about(s), sizeof top);
		ck_assert(2.0 * top * top < p);
		ck_assert(2.0 * top * top > 0.99 * p);
	}
}
END_TEST

/* c modulo p, for a c with 127 bits */
static unsigned rest_of(wide c, unsigned p)
{
	const wide rest = c % (int)p;

	return (unsigned)(rest < 0 ? rest + (int)p : rest);
}

/* P times the fraction nearest to 0 whose words are the weighted sum. */
static long double joined(wide c, int s)
{
	const uint32_t *weight = about(s) + 6;
	unsigned_wide sum = 0;
	wide x;

	for (int l = 0; l < s; l++, weight += 3)
		sum += rest_of(c, modulus(l)) *
		       ((unsigned_wide)weight[2] << 64 |
		        (unsigned_wide)weight[1] << 32 | weight[0]);
	x = (wide)(sum << 32) >> 32;	/* modulo 2^96, with a sign */
	return (long double)x * (long double)product(s);
}

START_TEST(weighted_residues_are_the_number)
{
	uint64_t seed = 1;

	fill();
	for (int s = RESIDUES_LEAST; s <= RESIDUES_MOST; s++) {
		/* 96 bits of a fraction, 12 of a sum of residues */
		const long double error = (long double)product(s) * 0x1p13L;
		const int log_p = 96 + ilogb(product(s));	/* or more */
		const int least = log_p < 128 ? 129 - log_p : 1;

		for (int i = 0; i < 200; i++) {
			unsigned_wide bits = 0;
			wide c;

			for (int w = 0; w < 4; w++) {
				seed = seed * 6364136223846793005u + 1;
				bits = bits << 32 | seed >> 32;
			}
			/* |c| < P / 2 */
			c = (wide)bits >> (least + i % 80);
			if (i % 2)
				c = -c;
			ck_assert(fabsl(joined(c, s) - (long double)c) <=
			          error + 0x1p-52L * fabsl((long double)c));
		}
	}
}
END_TEST

/* The worst case: all elements of both lines are the same x + 1/2 after scaling
 * by 1, and the lines' 2-norms are so large that they are not scaled by 2. All
 * errors then have the same sign. */
START_TEST(fast_bound_is_that_of_the_worst_case)
{
	static const size_t depths[] = { 1, 16, 1000, 8192, 65536 };
	float top;

	fill();
	memcpy(&top, about(RESIDUES_LEAST), sizeof top);
	for (size_t i = 0; i < COUNT(depths); i++) {
		const long double k = (long double)depths[i];
		const long double whole = ceill(top / (2 * sqrtl(k)));
		const long double exact = whole + 0.5L;
		const long double error = k * (exact * exact - whole * whole);
		const long double size = k * exact * exact;
		const double bound = residues_fast_bound(depths[i]);

		ck_assert(error < bound * size);
		ck_assert(error > 0.9L * bound * size);
	}
}
END_TEST

START_TEST(layouts_cover_all_slabs_and_lines)
{
	for (size_t k = 1; k < 3000; k += 37)
		for (size_t n = 1; n < 700; n += 73) {
			const struct product p = {
				.m = n + 50, .n = n, .k = k, .stack = 1
			};
			const struct residues_layout f =
			    residues_layout_of(&p);

			ck_assert_uint_ge(f.slabs * RESIDUES_SLAB, k);
			ck_assert_uint_ge(f.bounds, 1);
			ck_assert_uint_ge(f.every, 1);
			ck_assert_uint_le((f.bounds - 1) * f.every + 1,
			                  f.slabs);
			ck_assert_uint_ge(f.chunks * f.chunk, k);
			ck_assert_uint_eq(f.lines % RESIDUES_LINES, 0);
			ck_assert_uint_ge(f.lines, 2 * n + 50);
		}
}
END_TEST

TCase *tcase_gemm_residues(void)
{
	TCase *c = tcase_create("gemm_residues");

	tcase_add_test(c, moduli_fit_bytes_and_have_no_common_divisor);
	tcase_add_test(c, powers_of_two_are_congruent);
	tcase_add_test(c, scales_keep_sums_below_half_of_the_product);
	tcase_add_test(c, weighted_residues_are_the_number);
	tcase_add_test(c, fast_bound_is_that_of_the_worst_case);
	tcase_add_test(c, layouts_cover_all_slabs_and_lines);
	return c;
}
