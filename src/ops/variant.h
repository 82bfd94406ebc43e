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

/* Does the operation compute in that type on that device? */
bool op_runs(const struct op *o, enum dtype t, const struct sheet *s);

/* Does the variant? */
bool variant_runs(const struct variant *v, enum dtype t,
                  const struct sheet *s);

/* Does the variant, and may `auto` take it on this kind of device; on a device
 * whose tuning table says so? */
bool variant_is_usual(const struct variant *v, enum dtype t,
                      const struct sheet *s);
bool variant_contends(const struct variant *v, enum dtype t,
                      const struct sheet *s);

/* 0, or ERR_TOO_LARGE with the bytes needed and those there, when the call by
 * that variant can never run on that device: for calls that were checked. */
int variant_fit(const struct variant *v, const struct args *a,
                const struct sheet *s, struct err *e);

/* Does the variant contend for that call, and fit? */
bool variant_is_candidate(const struct variant *v, const struct args *a,
                          const struct sheet *s);

/* The variant by which that device runs the call: a->variant where it is set,
 * else what `auto` means; t is the device's tuning table, NULL: none. NULL with
 * ERR_PARAMETER or ERR_TOO_LARGE where the device cannot run the call. */
const struct variant *variant_for(const struct args *a, const struct tuning *t,
                                  const struct sheet *s, struct err *e);

#endif
