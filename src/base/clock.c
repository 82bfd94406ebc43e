/* clock.c - see clock.h. */
#include <stdio.h>
#include <time.h>

#include "base/clock.h"

int64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int64_t clock_wall_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

const char *clock_text(int64_t wall_ms, char text[CLOCK_TEXT])
{
	time_t s = (time_t)(wall_ms / 1000);
	struct tm tm;
	size_t n;

	gmtime_r(&s, &tm);
	n = strftime(text, CLOCK_TEXT, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text + n, CLOCK_TEXT - n, ".%03dZ", (int)(wall_ms % 1000));
	return text;
}
