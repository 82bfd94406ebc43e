/* json_named.h - an operand that the body only names: a stored matrix, or one
 * in memory that the client shares with the service.
 *
 *     {"ref":"name"}
 *     {"share":"id","shape":[2,2],"dtype":"float32","offset":0}
 *
 * In a share little-endian, row-major elements begin `offset` bytes (default 0,
 * a multiple of MEMORY_ALIGN) after its beginning; dtype is float64 by default.
 */
#ifndef FORMAT_JSON_NAMED_H
#define FORMAT_JSON_NAMED_H

#include "format/json_operand.h"

/* Make w's matrix of the fields: a reference to the stored one; one in the
 * share itself, or one that json_work_do() will copy. */
int json_reference_make(struct json_operand *o, struct json_work *w,
                        struct err *e);
int json_share_make(struct json_operand *o, struct json_work *w,
                    struct err *e);

#endif
