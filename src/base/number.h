/* number.h - numbers to text and back: exact both ways and independent of the
 * locale. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NUMBER_TEXT = 40 };	/* room that any number needs */

/* The shortest decimal that reads back to the same value; finite x only.
 * Its length, at most 25; not NUL-terminated. Room behind it is overwritten. */
size_t number_print_double(char to[NUMBER_TEXT], double x);
size_t number_print_float(char to[NUMBER_TEXT], float x);

/* Reads the number that begins at `from` and ends before `to`: where it
 * stopped, or NULL. Beyond the range: HUGE_VAL or 0 with the sign. */
const char *number_parse(const char *from, const char *to, double *x);

#ifdef __cplusplus
}
#endif

#endif
