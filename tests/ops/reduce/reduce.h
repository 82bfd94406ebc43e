/* reduce.h - shared by the tests of reduce. */
#ifndef TESTS_OPS_REDUCE_REDUCE_H
#define TESTS_OPS_REDUCE_REDUCE_H

#include "ops/reduce/reduce.h"
#include "tests/ops/op.h"

enum { REDUCE_DTYPES = 4, REDUCE_LENGTHS = 22 };

extern const char *const reduce_names[REDUCE_OPS];
extern const enum dtype reduce_dtypes[REDUCE_DTYPES];

/* Lengths around every edge of the order: lanes, blocks, a second level. */
extern const size_t reduce_lengths[REDUCE_LENGTHS];

/* Element i of up to 200000 integers whose product fits into int64. */
double reduce_factor(size_t i);

bool reduce_of_nothing(enum reduce_op op);

/* A vector of n values for that reduction: whole numbers with many ties for
 * integer types, else random ones in (-1, 1); products of them neither overflow
 * nor underflow. */
struct matrix reduce_operand(enum dtype t, enum reduce_op op, size_t n);

/* Checks the 2-norms of columns with a wide range beside ordinary ones: each is
 * scaled by itself. */
void reduce_check_norm2(const char *variant);

/* Checks products, sums and means that leave float64's range on the way. */
void reduce_check_far(const char *variant);

/* The canonical variants that this device can run, ended by NULL. */
const char *const *reduce_variants(void);

#define EACH_VARIANT(v) \
	for (const char *const *v = reduce_variants(); *v; v++)

/* The one output of a call; axis may be NULL. */
struct matrix reduce(const struct matrix *in, enum dtype t, enum reduce_op op,
                     const char *axis, const char *variant);

/* The same for all elements. */
double reduce_value(const struct matrix *in, enum dtype t, enum reduce_op op,
                    const char *variant);

void reduce_exact_tests(TCase *tc);
void reduce_far_tests(TCase *tc);
void reduce_order_tests(TCase *tc);
void reduce_seed_tests(TCase *tc);
void reduce_int64_tests(TCase *tc);

#endif
