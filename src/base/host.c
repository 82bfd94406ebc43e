/* host.c - see host.h. */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/host.h"
#include "base/size.h"

enum { HOST_PROCESSORS = 8 * CPU_SETSIZE };

static pthread_once_t looked = PTHREAD_ONCE_INIT;
static uint64_t memory;
static double cpus;

/* Counts the processors in this process's affinity mask, which taskset(1) and
 * cpusets set. */
static double allowed_processors(void)
{
	cpu_set_t set[HOST_PROCESSORS / CPU_SETSIZE];

	if (sched_getaffinity(0, sizeof set, set))
		return (double)sysconf(_SC_NPROCESSORS_ONLN);
	return CPU_COUNT_S(sizeof set, set);
}

static void look(void)
{
	const struct cgroup_limits l = cgroup_read("");

	memory = (uint64_t)sysconf(_SC_PHYS_PAGES) *
	         (uint64_t)sysconf(_SC_PAGESIZE);
	memory = l.memory < memory ? l.memory : memory;
	cpus = fmin(allowed_processors(), l.cpus);
}

uint64_t host_memory(void)
{
	pthread_once(&looked, look);
	return memory;
}

double host_cpus(void)
{
	pthread_once(&looked, look);
	return cpus;
}

int host_threads(void)
{
	return (int)fmax(1, ceil(host_cpus()));
}

void host_tune_malloc(void)
{
	mallopt(M_ARENA_MAX, 2);
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
	mallopt(M_TRIM_THRESHOLD, 4 << 20);
}

uint64_t host_raise_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return 0;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
	getrlimit(RLIMIT_NOFILE, &r);
	return r.rlim_cur;
}

int host_make_directory(const char *path, struct err *e)
{
	char part[HOST_PATH];
	struct stat s;

	if (strlen(path) >= sizeof part)
		return err_set(e, ERR_PARAMETER, "%.60s...: too long a path",
		               path);
	strcpy(part, path);
	for (char *slash = part; slash; ) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = 0;
		if (mkdir(part, 0700) && errno != EEXIST && !slash)
			return err_set(e, ERR_PARAMETER, "%s: %s", path,
			               strerror(errno));
		if (slash)
			*slash = '/';
	}
	if (stat(path, &s) || !S_ISDIR(s.st_mode))
		return err_set(e, ERR_PARAMETER, "%s: no directory", path);
	return 0;
}

/* Without a home directory there is no cache: linalgd only starts slower. */
const char *host_default_cache(char path[HOST_PATH])
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct err ignored = { 0 };
	int n;

	if (xdg && *xdg == '/')
		n = snprintf(path, HOST_PATH, "%s/linalgd", xdg);
	else if (home && *home == '/')
		n = snprintf(path, HOST_PATH, "%s/.cache/linalgd", home);
	else
		return NULL;
	if (n >= HOST_PATH || host_make_directory(path, &ignored))
		return NULL;
	return path;
}

int host_beside(char path[HOST_PATH], const char *name, struct err *e)
{
	const size_t room = HOST_PATH - 1 - strlen(name);
	const ssize_t n = readlink("/proc/self/exe", path, room);
	char *end;

	if (n <= 0 || (size_t)n == room)
		return err_set(e, ERR_INTERNAL, "this program's own path: %s",
		               n < 0 ? strerror(errno) : "too long");
	path[n] = 0;
	end = strrchr(path, '/');
	strcpy(end ? end + 1 : path, name);
	return 0;
}

void host_limit_pocl(void)
{
	/* PoCL up to 3.1 reads the first, from 4.0 on the second. */
	static const char *const names[] = { "POCL_MAX_PTHREAD_COUNT",
	                                     "POCL_CPU_MAX_CU_COUNT" };
	char threads[12];

	if (host_threads() >= sysconf(_SC_NPROCESSORS_ONLN) ||
	    getenv(names[0]) || getenv(names[1]))
		return;
	snprintf(threads, sizeof threads, "%d", host_threads());
	for (size_t i = 0; i < COUNT(names); i++)
		setenv(names[i], threads, 1);
}
