/* tuning.h - which variant `auto` takes on a device that could take several:
 * by operation, element type and size.
 *
 * As text, a line a range of sizes,
 *
 *     matmul float32 512 8191 tensor-3xtf32
 *
 * where size is the largest dimension of an operand, in powers of two. What
 * no line names is op_variant_auto()'s choice. Tables of some devices are
 * shipped; `linalgd tune` finds another's and keeps it in the cache.
 */
#ifndef OPS_TUNING_H
#define OPS_TUNING_H

#include "base/text.h"
#include "ops/op.h"

enum op_index {
#define OP(id) OP_##id,
#include "ops/ops.def"
#undef OP
	OP_COUNT
};

enum { TUNING_SIZES = 24 };	/* the last is of all above 2^23 */

/* { 0 } chooses as op_variant_auto(). */
struct tuning {
	const struct variant *best[OP_COUNT][DTYPE_COUNT][TUNING_SIZES];
};

/* floor(log2()) of the largest dimension of an operand. */
int tuning_size(const struct args *a);

/* Index in ops[]. */
int tuning_op(const struct op *o);

/* NULL with the error of op_variant_auto(). */
const struct variant *tuning_choose(const struct tuning *t,
                                    const struct args *a,
                                    const struct sheet *s, struct err *e);

/* The shipped table of such a device, or an empty one. */
void tuning_ship(struct tuning *t, const struct sheet *s);

/* Lines, which win over what is there; those that name what is not here
 * (of another version) are passed over. */
void tuning_read(struct tuning *t, const char *text);
void tuning_print(const struct tuning *t, struct text *to);

/* tuning_file.c: the shipped table, and over it what `linalgd tune` kept in
 * that cache directory (NULL: none) for this device and driver. */
void tuning_recall(struct tuning *t, const struct sheet *s, const char *cache);
int tuning_keep(const struct tuning *t, const struct sheet *s,
                const char *cache, struct err *e);

#endif
