/* silence.h - when a host takes its fleet's database for silent. */
#ifndef FLEET_SILENCE_H
#define FLEET_SILENCE_H

#include <stdbool.h>
#include <stdint.h>

/* The database is asked to count waiting jobs every second. If no count was
 * answered for so long, the database or the network hangs. */
#define SILENCE_NS INT64_C(5000000000)

/* Returns whether the database is silent at the time `now`. heard_ns is the
 * time at which the last count was answered. back_ns is the time at which the
 * last outage ended, or 0: the first count after it may still be on its way.
 * All are times of clock_ns(). */
static inline bool silence_is_now(int64_t now, int64_t heard_ns,
                                  int64_t back_ns)
{
	return now - heard_ns >= SILENCE_NS &&
	       (!back_ns || now - back_ns >= SILENCE_NS);
}

#endif
