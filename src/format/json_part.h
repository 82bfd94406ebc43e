/* json_part.h - fields of an operand's object whose values may be operands
 * themselves: real and imag of a complex matrix (json_complex.h), and lu and
 * pivots of factors (json_factors.h). Each is rows of numbers or an object;
 * real and imag may also be numbers. An object in such an object is no
 * operand. */
#ifndef FORMAT_JSON_PART_H
#define FORMAT_JSON_PART_H

#include "format/json_operand.h"

/* Begins the operand that is the value of one of `outer`'s fields, for which
 * json_part_of() returns the part's index, or -1 for other fields. */
void json_part_begin(struct json_operand *o, const struct json_operand *outer);
int json_part_of(const char *field);
const char *json_part_name(int part);

/* If an error's pointer is "/from", or one to a place in that, puts "/to/part"
 * in the place of "/from": "/b/data" becomes "/b/imag/data" with b, b, imag. */
void json_part_point(const char *from, const char *to, const char *part,
                     struct err *e);

/* Makes w the work that remains for a part, which came as rows, or as an
 * operand of its own. */
int json_part_take(struct json_operand *o, int part, struct json_work *w,
                   struct err *e);

/* Gives an error without a pointer, unless it is one of memory, that of the
 * operand, or of a field ("": none) of it, and names the operand. */
void json_part_blame(const char *label, const char *field, struct err *e);

#endif
