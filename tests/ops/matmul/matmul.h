/* matmul.h - functions that matmul's tests share, above all the judge of a
 * product. */
#ifndef TESTS_OPS_MATMUL_MATMUL_H
#define TESTS_OPS_MATMUL_MATMUL_H

#include "tests/ops/op.h"

/* The operands of one product as they are stored, which is transposed if `ta`
 * or `tb` is set. */
struct factors {
	const struct matrix *a, *b;
	size_t m, n, k;
	size_t a_at, b_at, c_at;	/* first elements, in a stack */
	bool ta, tb;
};

/* Asserts |C - A B| <= bound |A| |B| for every element. */
void check_within(const struct factors *f, const struct matrix *c,
                  double bound);

/* Asserts |C - A B| <= k eps |A| |B|, the bound for sums of k products. */
void check_product(const struct factors *f, const struct matrix *c);

/* Runs fn for the variant that serves this device only. Use it for tests of
 * what is special to that variant, or takes too long in the others. */
void served_variant(void (*fn)(const struct variant *v));

void try_product(const struct variant *v, enum dtype t, size_t m, size_t n,
                 size_t k, bool ta, bool tb);

void matmul_add_batches(TCase *t);
void matmul_add_integers(TCase *t);
void matmul_add_stacks(TCase *t);
void matmul_add_tensor(TCase *t);
void matmul_add_values(TCase *t);

#endif
