/* host.c - see host.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host.h"
#include "base/size.h"

/* Version 2, seen from inside a container's namespace, then version 1. */
static const char *const limits[] = {
	"/sys/fs/cgroup/memory.max",
	"/sys/fs/cgroup/memory/memory.limit_in_bytes",
};

/* "max", an absent or an unreadable file: no limit. */
static uint64_t read_limit(const char *path)
{
	uint64_t bytes = UINT64_MAX;
	FILE *f = fopen(path, "re");

	if (!f)
		return bytes;
	if (fscanf(f, "%" SCNu64, &bytes) != 1)
		bytes = UINT64_MAX;
	fclose(f);
	return bytes;
}

uint64_t host_memory(void)
{
	uint64_t least = (uint64_t)sysconf(_SC_PHYS_PAGES) *
	                 (uint64_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < COUNT(limits); i++) {
		const uint64_t bytes = read_limit(limits[i]);

		least = bytes < least ? bytes : least;
	}
	return least;
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

/* Without a home there is no cache: slower to start, no less right. */
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
