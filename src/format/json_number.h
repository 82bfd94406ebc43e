/* json_number.h - reads a number by JSON's grammar (RFC 8259, section 6), which
 * is stricter than number_parse()'s. */
#ifndef FORMAT_JSON_NUMBER_H
#define FORMAT_JSON_NUMBER_H

/* Reads the number that begins at p, no further than `end`. Returns its end, or
 * NULL. A number that reaches `end` may have been cut: it must be read again
 * when more is there. *x is correctly rounded, infinite beyond float64. */
const char *json_number(const char *p, const char *end, double *x);

#endif
