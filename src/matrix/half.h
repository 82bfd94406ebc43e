/* half.h - the 16-bit reals: float16 (IEEE 754's binary16: 5 exponent and 10
 * fraction bits) and bfloat16 (the first half of a float32: 8 and 7 bits). Both
 * are storage alone; arithmetic is float32 or wider. */
#ifndef MATRIX_HALF_H
#define MATRIX_HALF_H

#include <stddef.h>
#include <stdint.h>

#include "matrix/dtype.h"

/* Return the exact value of an element with these bits. A NaN keeps its sign
 * and payload. */
float half_value(uint16_t bits);
float bfloat_value(uint16_t bits);

/* Return the bits of the value nearest to x; of two equally near values, the
 * one whose last bit is 0. An x that is half a step or more beyond the largest
 * finite value becomes infinity. A NaN stays a NaN. */
uint16_t half_of(double x);
uint16_t bfloat_of(double x);

/* Writes the shortest decimal that reads back as x, which is finite and of that
 * type, float16 or bfloat16; see number_print_float(). */
size_t half_print(char *to, enum dtype d, float x);

#endif
