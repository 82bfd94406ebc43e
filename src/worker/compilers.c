/* compilers.c - see compilers.h. Who is first at a program compiles it
 * (device/binary.c), be it one of these, the worker itself for a client that
 * cannot wait, or another device's. */
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "worker/compilers.h"
#include "worker/foresee.h"

enum { POLITE = 10 };			/* see nice(2) */

extern char **environ;

static pid_t start_one(int device, const char *cache)
{
	char index[16];
	char *argv[] = { "linalgd", "worker", "--compile", "--device", index,
	                 "--cache", (char *)cache, NULL };
	pid_t pid;

	snprintf(index, sizeof index, "%d", device);
	return posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv,
	                   environ) == 0 ? pid : 0;
}

void compilers_start(struct compilers *c, const struct device *d,
                     const char *cache)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const size_t n = size_min((size_t)device_missing(d),
	                          size_min((size_t)processors, COMPILERS));

	for (size_t i = 0; i < n; i++)
		c->pid[i] = start_one(device_sheet(d)->index, cache);
}

bool compilers_work(struct compilers *c)
{
	bool some = false;

	for (int i = 0; i < COMPILERS; i++) {
		if (c->pid[i] > 0 && waitpid(c->pid[i], NULL, WNOHANG) != 0)
			c->pid[i] = 0;
		some |= c->pid[i] > 0;
	}
	return some;
}

int compilers_main(int device, const char *cache, struct err *e)
{
	struct device *d;

	if (nice(POLITE) < 0)
		return err_set(e, ERR_INTERNAL, "nice");
	d = device_open(device, cache, e);
	if (!d)
		return -1;
	foresee_usual(d);
	device_compile_missing(d);
	device_close(d);
	return 0;
}
