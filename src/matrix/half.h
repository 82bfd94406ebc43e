/* half.h - the 16-bit reals: float16 (IEEE 754's binary16: 5 exponent and 10
 * fraction bits) and bfloat16 (the first half of a float32: 8 and 7 bits). Both
 * are storage alone; arithmetic is float32 or wider. */
#ifndef MATRIX_HALF_H
#define MATRIX_HALF_H

#include <stddef.h>
#include <stdint.h>

#include "matrix/dtype.h"

/* The value of an element with these bits, exactly. A NaN keeps its sign and
 * payload. */
float half_value(uint16_t bits);
float bfloat_value(uint16_t bits);

/* The bits of the nearest value to x, of two the one whose last bit is 0; one
 * beyond the largest finite value by half a step or more becomes infinity. A
 * NaN stays one. */
uint16_t half_of(double x);
uint16_t bfloat_of(double x);

/* Writes the shortest decimal that reads back as x, which is finite and of that
 * type, float16 or bfloat16; see number_print_float(). */
size_t half_print(char *to, enum dtype d, float x);

#endif
