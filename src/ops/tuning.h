/* tuning.h - the variant that `auto` takes on a device where several are
 * possible, by operation, element type and size.
 *
 * As text, a table has a line per range of sizes,
 *
 *     matmul float32 512 8191 tensor-3xtf32
 *
 * where size is the largest dimension of an operand, in steps of powers of two.
 * Sizes without a line get op_variant_auto()'s choice. Tables of some devices
 * are shipped; `linalgd tune` measures other devices and keeps their tables in
 * the cache. */
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

enum { TUNING_SIZES = 24 };	/* the last is for all sizes above 2^23 */

/* An empty table, { 0 }, gives op_variant_auto()'s choice everywhere. */
struct tuning {
	const struct variant *best[OP_COUNT][DTYPE_COUNT][TUNING_SIZES];
};

/* The size of a call: floor(log2()) of the largest dimension of an operand. */
int tuning_size(const struct args *a);

/* Index in ops[]. */
int tuning_op(const struct op *o);

/* The variant for that call; NULL with the error of op_variant_auto(). */
const struct variant *tuning_choose(const struct tuning *t,
                                    const struct args *a,
                                    const struct sheet *s, struct err *e);

/* The shipped table of such a device, or an empty one. */
void tuning_ship(struct tuning *t, const struct sheet *s);

/* Adds lines to a table; they replace what it had for their sizes. Lines with
 * names that this version does not know are ignored. */
void tuning_read(struct tuning *t, const char *text);
void tuning_print(const struct tuning *t, struct text *to);

/* tuning_file.c: the shipped table, overridden by the one that `linalgd tune`
 * kept in that cache directory (NULL: none) for this device and driver. */
void tuning_recall(struct tuning *t, const struct sheet *s, const char *cache);
int tuning_keep(const struct tuning *t, const struct sheet *s,
                const char *cache, struct err *e);

#endif
