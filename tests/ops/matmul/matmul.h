/* matmul.h - what matmul's tests share: the judge of a product. */
#ifndef TESTS_OPS_MATMUL_MATMUL_H
#define TESTS_OPS_MATMUL_MATMUL_H

#include "tests/ops/op.h"

/* One product's operands as they lie: A' and B' where transposed. */
struct factors {
	const struct matrix *a, *b;
	size_t m, n, k;
	size_t a_at, b_at, c_at;	/* first elements, in a stack */
	bool ta, tb;
};

/* Fails unless every element of C is within `bound` times that of |A| |B|. */
void check_within(const struct factors *f, const struct matrix *c,
                  double bound);

/* Within that of a sum of k products: k eps. */
void check_product(const struct factors *f, const struct matrix *c);

/* Runs fn for the variant that serves this device: for what is special to it,
 * or too long for the others. */
void served_variant(void (*fn)(const struct variant *v));

void try_product(const struct variant *v, enum dtype t, size_t m, size_t n,
                 size_t k, bool ta, bool tb);

void matmul_add_batches(TCase *t);
void matmul_add_integers(TCase *t);
void matmul_add_stacks(TCase *t);
void matmul_add_tensor(TCase *t);
void matmul_add_values(TCase *t);

#endif
