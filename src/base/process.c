/* process.c - see process.h; the fields of /proc are those of proc(5). */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t))
		return NAN;
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Returns field `number` > 2 of /proc/self/stat. Fields are counted from the
 * last parenthesis, because field 2 is the program's name, which may contain
 * spaces and parentheses. */
static double stat_field(int number)
{
	char line[1024] = "";
	const char *at;
	FILE *f = fopen("/proc/self/stat", "re");
	double x;

	if (!f)
		return NAN;
	at = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
	fclose(f);
	for (int i = 2; at && i < number; i++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%lf", &x) == 1 ? x : NAN;
}

double process_start_seconds(void)
{
	static double start;

	if (start == 0)
		start = seconds_of(CLOCK_REALTIME) -
		        seconds_of(CLOCK_BOOTTIME) +
		        stat_field(22) / (double)sysconf(_SC_CLK_TCK);
	return start;
}

double process_cpu_seconds(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double process_threads(void)
{
	return stat_field(20);
}

double process_virtual_bytes(void)
{
	return stat_field(23);
}

double process_resident_bytes(void)
{
	return stat_field(24) * (double)sysconf(_SC_PAGESIZE);
}

double process_open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	const struct dirent *file;
	double n = -1;			/* without opendir()'s own */

	if (!d)
		return NAN;
	while ((file = readdir(d)))
		n += *file->d_name != '.';
	closedir(d);
	return n;
}

double process_max_fds(void)
{
	struct rlimit r;

	return getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur == RLIM_INFINITY ?
	       NAN : (double)r.rlim_cur;
}
