/* wrong_clock.c - a library, loaded by LD_PRELOAD, by which a daemon's wall
 * clock is wrong by WRONG_CLOCK seconds. What the daemon starts, such as its
 * workers and their linker, has the right clock. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t seconds;

__attribute__((constructor)) static void begin(void)
{
	const char *s = getenv("WRONG_CLOCK");

	seconds = s ? atol(s) : 0;
	unsetenv("LD_PRELOAD");
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	const long r = syscall(SYS_clock_gettime, clock, t);

	if (r == 0 && clock == CLOCK_REALTIME)
		t->tv_sec += seconds;
	return (int)r;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	const long r = syscall(SYS_gettimeofday, t, zone);

	if (r == 0)
		t->tv_sec += seconds;
	return (int)r;
}

time_t time(time_t *to)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (to)
		*to = t.tv_sec;
	return t.tv_sec;
}
