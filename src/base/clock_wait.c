/* clock_wait.c - see clock_wait.h. */
#include <errno.h>
#include <time.h>

#include "base/clock_wait.h"

void clock_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t a;

	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(c, &a);
	pthread_condattr_destroy(&a);
}

bool clock_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns)
{
	const struct timespec until = { .tv_sec = until_ns / 1000000000,
	                                .tv_nsec = until_ns % 1000000000 };

	return pthread_cond_timedwait(c, lock, &until) != ETIMEDOUT;
}
