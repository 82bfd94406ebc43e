/* compilers.c - see compilers.h. Who is first at a program compiles it
 * (device/binary.c), be it one of these, who started them and cannot wait, or
 * another device's. */
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "worker/compilers.h"
#include "worker/foresee.h"

enum { POLITE = 10 };			/* see nice(2) */

/* The device's memory for each: 16 times what a context takes. */
#define ROOM ((uint64_t)8 << 30)

extern char **environ;

static pid_t start_one(int device, const char *what, const char *cache)
{
	char index[16];
	char *argv[] = { "linalgd", "worker", "--compile", (char *)what,
	                 "--device", index, "--cache", (char *)cache, NULL };
	pid_t pid;

	snprintf(index, sizeof index, "%d", device);
	return posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv,
	                   environ) == 0 ? pid : 0;
}

/* Devices whose programs are the same: their workers share the work. */
static size_t count_alike(const struct sheet *s)
{
	static struct sheet all[SHEETS];
	struct err none = { 0 };
	const int n = device_list(all, &none);
	size_t alike = 0;

	for (int i = 0; i < n; i++)
		alike += strcmp(all[i].name, s->name) == 0;
	return size_max(alike, 1);
}

/* Each has a context, which takes some of the device's memory. */
static size_t count_wanted(const struct device *d)
{
	const struct sheet *s = device_sheet(d);
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const size_t missing = (size_t)device_missing(d);
	size_t most = size_min((size_t)processors, COMPILERS);

	if (missing == 0)
		return 0;
	most = size_min(most / count_alike(s), s->global_memory_bytes / ROOM);
	return size_min(missing, size_max(most, 1));
}

void compilers_start(struct compilers *c, struct device *d, const char *what,
                     const char *cache)
{
	size_t n;

	foresee(d, what);
	n = count_wanted(d);
	for (size_t i = 0; i < n; i++)
		c->pid[i] = start_one(device_sheet(d)->index, what, cache);
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

int compilers_main(int device, const char *what, const char *cache,
                   struct err *e)
{
	struct device *d;

	if (nice(POLITE) < 0)
		return err_set(e, ERR_INTERNAL, "nice");
	d = device_open(device, cache, e);
	if (!d)
		return -1;
	foresee(d, what);
	device_compile_missing(d);
	device_close(d);
	return 0;
}
