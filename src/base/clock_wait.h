/* clock_wait.h - waits for a condition until a time of the monotonic clock. */
#ifndef BASE_CLOCK_WAIT_H
#define BASE_CLOCK_WAIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Makes a condition for clock_wait(). */
void clock_cond_init(pthread_cond_t *c);

/* Waits for the condition until clock_ns() is at least `until_ns`, whatever
 * becomes of the wall clock meanwhile; then returns false. The caller holds the
 * lock. */
bool clock_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns);

#endif
