/* matmul_kinds.c - see matmul_kinds.h. */
#include <math.h>

#include "check/matmul_kinds.h"

/* Random numbers times 2^-24 to 2^24: only a sum in the full precision keeps
 * the digits of their products. */
static int fill_wide(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, ldexp(
			    matrix_get(&a->in[o], i),
			    (int)(24 * check_random(9, i + 1000003u * o))));
	return 0;
}

/* Sets whole rows, columns and single elements to zero. */
static int fill_holes(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++) {
		const size_t n = matrix_cols(&a->in[o]);

		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			if (i / n % 3 == 1 || i % n % 4 == 2 || i % 7 == 0)
				matrix_set(&a->in[o], i, 0);
	}
	return 0;
}

/* One infinity and one NaN among finite numbers, some of them zero. */
static int fill_nonfinite(const struct kind *k, struct args *a,
                          struct err *e)
{
	const size_t n = matrix_elements(&a->in[0]);

	fill_holes(k, a, e);
	if (n > 1)
		matrix_set(&a->in[0], n / 2, -INFINITY);
	if (matrix_elements(&a->in[1]) > 2)
		matrix_set(&a->in[1], 1, NAN);
	return 0;
}

/* A number of the standard normal distribution. */
static double normal(uint64_t seed, uint64_t place)
{
	const double u = (1 + check_random(seed, 2 * place)) / 2;
	const double v = (1 + check_random(seed, 2 * place + 1)) / 2;

	return sqrt(-2 * log(fmax(u, 0x1p-60))) * cos(2 * M_PI * v);
}

/* Numbers as the papers on emulated products use them (Ootomo, Ozaki and
 * Yokota, 2024): uniform in (-1/2, 1/2), times e^(phi N), with phi in
 * k->hardness. */
static int fill_phi(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, matrix_get(&a->in[o], i) / 2 *
			           exp(k->hardness * normal(
			               11 + (uint64_t)o, i)));
	return 0;
}

/* Multiplies element (i, p) of A by 2^e and divides element (p, j) of B by it,
 * e = -k->range to k->range: by p if k->shape is 1,
 * else by i and by j. */
static int fill_graded(const struct kind *k, struct args *a, struct err *e)
{
	const int span = 2 * k->range + 1;

	fill_random(k, a, e);
	for (int o = 0; o < 2; o++) {
		const size_t n = matrix_cols(&a->in[o]);
		const bool by_row = (o == 0) == (k->shape == 0);

		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++) {
			const size_t line = by_row ? i / n : i % n;
			const int power = (int)(line * 7 % (size_t)span) -
			                  k->range;

			matrix_set(&a->in[o], i, ldexp(
			    matrix_get(&a->in[o], i), o ? -power : power));
		}
	}
	return 0;
}

/* One element of A that is 2^k->range times as large as the others, against one
 * of B that is as much smaller. */
static int fill_huge(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		if (matrix_elements(&a->in[o]) > 0)
			matrix_set(&a->in[o], 0, ldexp(
			    matrix_get(&a->in[o], 0),
			    o ? -k->range : k->range));
	return 0;
}

/* Lower times upper triangular. */
static int fill_triangles(const struct kind *k, struct args *a,
                          struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++) {
		const size_t n = matrix_cols(&a->in[o]);

		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			if (o ? i / n > i % n : i / n < i % n)
				matrix_set(&a->in[o], i, 0);
	}
	return 0;
}

/* Positive numbers, whose products do not cancel. */
static int fill_positive(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i,
			           fabs(matrix_get(&a->in[o], i)));
	return 0;
}

/* Denormal numbers of float32 times large ones. */
static int fill_denormal(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, ldexp(
			    matrix_get(&a->in[o], i), o ? 30 : -135));
	return 0;
}

/* A NaN in the first row of A, an infinity in the first column of B. */
static int fill_first(const struct kind *k, struct args *a, struct err *e)
{
	fill_random(k, a, e);
	if (matrix_elements(&a->in[0]) > 0)
		matrix_set(&a->in[0], matrix_cols(&a->in[0]) / 2, NAN);
	if (matrix_elements(&a->in[1]) > 0)
		matrix_set(&a->in[1], 0, INFINITY);
	return 0;
}

/* Fills a matrix with whole numbers up to 1000, whose sums fit into int32. */
static int fill_whole(const struct kind *k, struct args *a, struct err *e)
{
	(void)k;
	(void)e;
	for (int o = 0; o < 2; o++)
		for (size_t i = 0; i < matrix_elements(&a->in[o]); i++)
			matrix_set(&a->in[o], i, rint(1000 *
			           check_random(3 + (uint64_t)o, i)));
	return 0;
}

const struct kind matmul_whole_kind[] = {
	KIND("whole numbers", fill_whole), { 0 }
};

const struct kind matmul_kinds[] = {
	KIND("random", fill_random),
	KIND("2^-24 to 2^24", fill_wide),
	KIND("zero rows", fill_holes),
	KIND("NaN and infinity", fill_nonfinite),
	{ 0 }
};

/* What pairs of float16 cannot represent, or not well. */
const struct kind matmul_hard_kinds[] = {
	KIND("random", fill_random),
	KIND("positive", fill_positive),
	KIND("phi 1", fill_phi, .hardness = 1),
	KIND("phi 2", fill_phi, .hardness = 2),
	KIND("phi 4", fill_phi, .hardness = 4),
	KIND("rows times 2^-60 to 2^60", fill_graded, .range = 60),
	KIND("k times 2^-40 to 2^40", fill_graded, .range = 40, .shape = 1),
	KIND("k times 2^-20 to 2^20", fill_graded, .range = 20, .shape = 1),
	KIND("one element 2^30 larger", fill_huge, .range = 30),
	KIND("triangular", fill_triangles),
	KIND("denormal", fill_denormal),
	KIND("one NaN, one infinity", fill_first),
	{ 0 }
};

/* What residues cannot represent, or not with few moduli. */
const struct kind matmul_wide_kinds[] = {
	KIND("random", fill_random),
	KIND("positive", fill_positive),
	KIND("phi 1", fill_phi, .hardness = 1),
	KIND("phi 2", fill_phi, .hardness = 2),
	KIND("phi 4", fill_phi, .hardness = 4),
	KIND("rows times 2^-500 to 2^500", fill_graded, .range = 500),
	KIND("k times 2^-20 to 2^20", fill_graded, .range = 20, .shape = 1),
	KIND("one element 2^200 larger", fill_huge, .range = 200),
	KIND("zero rows", fill_holes),
	KIND("triangular", fill_triangles),
	KIND("one NaN, one infinity", fill_first),
	{ 0 }
};
