/* json_complex.h - the form of a complex operand in JSON.
 *
 *     {"real": M, "imag": M}   {"real": 1, "imag": -2}
 *
 * The parts are matrices of the same shape in any form of their own, or
 * numbers; a field "dtype" may say complex64. This is also how complex results
 * are written.
 */
#ifndef FORMAT_JSON_COMPLEX_H
#define FORMAT_JSON_COMPLEX_H

#include "format/json_operand.h"

/* The form's make(). */
int json_complex_make(struct json_operand *o, struct json_work *w,
                      struct err *e);

/* Joins the two parts, which are complete, in w->m. */
int json_complex_join(struct json_work *w, struct memory_pool *p,
                      struct err *e);

#endif
