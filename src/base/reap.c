/* reap.c - see reap.h. */
#include <errno.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/reap.h"

bool reap_now(pid_t pid, int *status)
{
	pid_t ended;

	*status = 0;
	do
		ended = waitpid(pid, status, WNOHANG);
	while (ended < 0 && errno == EINTR);
	return ended != 0;
}

bool reap_within(pid_t pid, int64_t ns, int *status)
{
	const int64_t until = clock_ns() + ns;
	const struct timespec pause = { .tv_nsec = 1000000 };

	while (!reap_now(pid, status)) {
		if (clock_ns() >= until)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}
