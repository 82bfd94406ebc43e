/* faulty_leaks.c - a process looks for leaks at its next allocation, if the
 * table asks it to.
 *
 * LeakSanitizer stops all threads of the process meanwhile, for seconds on a
 * busy machine. The front kills a worker whose heartbeat stops for so long.
 * Therefore a child process of the worker continues the heartbeat. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/faults/faults.h"
#include "wire/call.h"

/* Only builds with a leak detector have it. */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

int __real_beat_start(struct control *c, struct err *e);
int __wrap_beat_start(struct control *c, struct err *e);

static struct control *_Atomic control;

int __wrap_beat_start(struct control *c, struct err *e)
{
	control = c;
	return __real_beat_start(c, e);
}

static pid_t continue_heartbeat(void)
{
	static const struct timespec pause = { 0, 100000000 };
	const pid_t child = control ? fork() : 0;

	if (!control || child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		nanosleep(&pause, NULL);
		atomic_fetch_add(&control->beats, 1);
	}
}

void fault_look_for_leaks(struct fault_table *t, enum fault_process process)
{
	int64_t asked = process + 1;
	pid_t child;
	bool leaks;

	if (t->look != asked ||
	    !atomic_compare_exchange_strong(&t->look, &asked, 0))
		return;
	child = continue_heartbeat();
	leaks = __lsan_do_recoverable_leak_check &&
	        __lsan_do_recoverable_leak_check();
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	t->leaks = leaks ? -1 : 1;
}
