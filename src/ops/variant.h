/* variant.h - decides which variants of an operation a device can run, why it
 * cannot run the others, and which one a call takes. The front and the workers
 * decide by the same functions from a device's sheet and a call's shapes.
 *
 * A call takes the variant that its request names. For `auto` it takes the one
 * that the device's tuning table has for its operation, type and size, else the
 * first in the operation's table that is usual for that kind of device.
 */
#ifndef OPS_VARIANT_H
#define OPS_VARIANT_H

#include "ops/op.h"

struct tuning;

/* What the device lacks for the variant, in words; NULL: it lacks nothing. */
const char *variant_lacks(const struct variant *v, const struct sheet *s);

/* The name of the i-th thing that the variant requires of a device; NULL after
 * the last. */
const char *variant_requirement(const struct variant *v, int i);

/* Returns whether the operation computes in type t on the device. */
bool op_runs(const struct op *o, enum dtype t, const struct sheet *s);

/* Returns whether the device can run the variant in type t. */
bool variant_runs(const struct variant *v, enum dtype t,
                  const struct sheet *s);

/* It can, and the variant is one that `auto` takes on that kind of device
 * unless a tuning table says otherwise. */
bool variant_is_usual(const struct variant *v, enum dtype t,
                      const struct sheet *s);

/* It can, and the variant is one that `auto` may take on some kind of device,
 * so that a tuning table may name it for this one. Variants that stream are
 * not among them. */
bool variant_contends(const struct variant *v, enum dtype t,
                      const struct sheet *s);

/* Returns 0, or -1 if the call, which was checked, can never run on that device
 * by that variant: ERR_TOO_LARGE with the bytes needed and those there, or why
 * the variant does not take the call. */
int variant_fit(const struct variant *v, const struct args *a,
                const struct sheet *s, struct err *e);

/* Does the variant contend in the call's type, and does the call by it fit? */
bool variant_is_candidate(const struct variant *v, const struct args *a,
                          const struct sheet *s);

/* The variant by which that device runs the call: a->variant where it is set,
 * else what `auto` means; t is the device's tuning table, NULL: none. NULL with
 * ERR_PARAMETER or ERR_TOO_LARGE where the device cannot run the call. */
const struct variant *variant_for(const struct args *a, const struct tuning *t,
                                  const struct sheet *s, struct err *e);

#endif
