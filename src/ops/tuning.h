/* tuning.h - a device's table of the fastest variants, by operation, element
 * type and size; variant_for() looks there first.
 *
 * As text, a table has a line per range of sizes,
 *
 *     matmul float32 512 8191 tensor-3xtf32
 *
 * where size is the largest dimension of an operand, in steps of powers of two.
 * The table says nothing about sizes without a line. Tables of some devices are
 * shipped; `linalgd tune` measures other devices and keeps their tables in the
 * cache. */
#ifndef OPS_TUNING_H
#define OPS_TUNING_H

#include "base/text.h"
#include "ops/op.h"

enum { TUNING_SIZES = 24 };	/* the last is for all sizes above 2^23 */

/* By operation, type, and floor(log2()) of the largest dimension of an operand.
 * A table without lines is { 0 }. */
struct tuning {
	const struct variant *best[OPS][DTYPE_COUNT][TUNING_SIZES];
};

/* What the table has for a call; NULL: nothing. The device need not be able to
 * run it. */
const struct variant *tuning_best(const struct tuning *t,
                                  const struct args *a);

/* Sets it for calls of that size and for all larger ones. */
void tuning_set(struct tuning *t, const struct args *a,
                const struct variant *v);

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
