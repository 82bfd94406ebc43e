/* mm_text.h - the words and the numbers of a Matrix Market line.
 *
 * The functions for numbers read one that begins at p, blanks before it, and
 * ends before `end`: where it stopped, at a blank or at the end, or NULL.
 */
#ifndef FORMAT_MM_TEXT_H
#define FORMAT_MM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { MM_WORDS = 5, MM_WORD = 24 };	/* of the first line; and their bytes */

const char *mm_skip_blanks(const char *p, const char *end);

/* The words of a line, cut where they are too long: how many, or -1 when they
 * are more than MM_WORDS. */
int mm_split(char words[MM_WORDS][MM_WORD], const char *p, const char *end);

/* Index in the NULL-terminated list, or -1; case does not matter. */
int mm_find(const char *const *names, const char *word);

/* A decimal integer without a sign. */
const char *mm_integer(const char *p, const char *end, size_t *x);

/* A number within float64's range, or inf or nan spelled out. As Fortran
 * writes them, exponents may begin with D, or with their sign alone: 1.5D+02,
 * 1.5-103. Sets *rounded when it is an integer that float64 cannot hold. */
const char *mm_real(const char *p, const char *end, double *x, bool *rounded);

#endif
