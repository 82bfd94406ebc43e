/* number.h - prints and parses numbers, exactly and independent of the
 * locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NUMBER_TEXT = 40 };	/* bytes that any number's text fits in */

/* Writes the shortest decimal that reads back as x, which must be finite, and
 * returns its length, at most 25. It is not NUL-terminated; the bytes of `to`
 * after it may be overwritten. */
size_t number_print_double(char to[NUMBER_TEXT], double x);
size_t number_print_float(char to[NUMBER_TEXT], float x);

/* The same for x of a type with that many fraction bits, up to 10, and least
 * exponent of a normal number: the shortest decimal that reads back as x when
 * rounded to that type. */
size_t number_print_short(char to[NUMBER_TEXT], float x, int fraction_bits,
                          int least_exponent);

/* Parses the number that begins at `from`, reading no further than `to`.
 * Returns the end of the number, or NULL if there is none. *x is HUGE_VAL or 0,
 * with the number's sign, if the number overflows or underflows. */
const char *number_parse(const char *from, const char *to, double *x);

#ifdef __cplusplus
}
#endif

#endif
