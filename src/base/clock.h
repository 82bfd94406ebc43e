/* clock.h - the two clocks: one to measure with, one to show. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_TEXT 32

/* Nanoseconds of the monotonic clock. */
int64_t clock_ns(void);

/* Milliseconds of wall-clock time since 1970. */
int64_t clock_wall_ms(void);

/* Writes a wall-clock time as RFC 3339 text in UTC with milliseconds, and
 * returns text. */
const char *clock_text(int64_t wall_ms, char text[CLOCK_TEXT]);

#endif
