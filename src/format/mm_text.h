/* mm_text.h - reads the words and numbers of a Matrix Market line.
 *
 * The functions for numbers skip blanks from p on and read a number, no further
 * than `end`. They return its end, which is a blank or `end`, or NULL.
 */
#ifndef FORMAT_MM_TEXT_H
#define FORMAT_MM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { MM_WORDS = 5, MM_WORD = 24 };	/* words of the first line; bytes */

const char *mm_skip_blanks(const char *p, const char *end);

/* Splits a line into words, which are truncated if they are too long. Returns
 * how many, or -1 if there are more than MM_WORDS. */
int mm_split(char words[MM_WORDS][MM_WORD], const char *p, const char *end);

/* Index in the NULL-terminated list, or -1; case does not matter. */
int mm_find(const char *const *names, const char *word);

/* Reads a decimal integer without a sign. */
const char *mm_integer(const char *p, const char *end, size_t *x);

/* Reads a number within float64's range, or inf or nan. Exponents may be in
 * Fortran's form, with D or with a sign alone: 1.5D+02, 1.5-103. Sets *rounded
 * if the number is an integer that float64 cannot hold. */
const char *mm_real(const char *p, const char *end, double *x, bool *rounded);

#endif
