/* json_factors.h - an operand `factors` in JSON, as the object that lu answers:
 *
 *     {"lu": [[4,3],[0.5,-0.5]], "pivots": [1,1]}
 *     {"lu": {"real": [[4]], "imag": [[1]]}, "pivots": [0]}
 *     {"lu": {"ref": "f"}, "pivots": {"ref": "p"}}
 *
 * It stands for two operands, `factors` and `pivots`, and is allowed where an
 * operation has both. lu's `singular` and `sign` may be in it; they follow from
 * the others. */
#ifndef FORMAT_JSON_FACTORS_H
#define FORMAT_JSON_FACTORS_H

#include "format/json_operand.h"

/* Sets w to the factors and w->next to the pivots, which have been read. */
int json_factors_make(struct json_operand *o, struct json_work *w,
                      struct err *e);

/* If that work's operand came in such an object, changes the pointer of an
 * error to the place in the object: "/factors/lu/imag", "/factors/pivots". */
void json_factors_point(const struct json_work *w, struct err *e);

#endif
