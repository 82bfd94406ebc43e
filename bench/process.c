/* process.c - see process.h; the figures are from /proc, see proc(5). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/process.h"

enum { MOST = 4096 };			/* processes that are looked at */

extern char **environ;

/* A line of /proc/PID/stat. */
struct member {
	pid_t pid, parent;
	unsigned long ticks;		/* processor time so far */
	bool counts;
};

static bool misleads(const char *variable)
{
	return strncmp(variable, "OPENBLAS_CORETYPE=", 18) == 0 ||
	       strncmp(variable, "OPENBLAS_L2_SIZE=", 17) == 0;
}

/* Returns the environment without the variables that misrepresent the
 * processor. The caller frees the array, but not its strings. */
static char **honest_environment(void)
{
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n])
		n++;
	env = calloc(n + 1, sizeof *env);
	for (size_t i = 0; env && i < n; i++)
		if (!misleads(environ[i]))
			env[kept++] = environ[i];
	return env;
}

/* Turns the child into the program. It makes only calls that are safe between
 * fork() and exec(), and restores the default actions of signals. */
static void become(char *const argv[], char *const env[], const int fd[3])
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (int i = 0; i < 3; i++) {
		int from = fd[i] >= 0 ? fd[i] : open("/dev/null", O_RDWR);

		if (from < 0 || dup2(from, i) < 0)
			_exit(127);
	}
	execve(argv[0], argv, env);
	_exit(127);
}

int process_start(pid_t *pid, char *const argv[], const int fd[3],
                  struct err *e)
{
	char **env = honest_environment();
	sigset_t all, before;

	if (!env)
		return err_set(e, ERR_MEMORY, "bench: out of memory");
	fflush(stdout);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	*pid = access(argv[0], X_OK) == 0 ? fork() : -1;
	if (*pid == 0)
		become(argv, env, fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(env);
	return *pid > 0 ? 0 : err_set(e, ERR_NOT_FOUND, "bench: starting "
	                              "%.150s: %s", argv[0], strerror(errno));
}

bool process_runs(pid_t pid)
{
	siginfo_t i = { 0 };

	return waitid(P_PID, (id_t)pid, &i, WEXITED | WNOHANG | WNOWAIT) == 0
	       && i.si_pid == 0;
}

static bool read_member(struct member *m, const char *pid)
{
	char path[64], line[1024], *after;
	unsigned long user, system;
	FILE *f;
	bool ok;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	ok = fgets(line, sizeof line, f) != NULL;
	fclose(f);
	after = ok ? strrchr(line, ')') : NULL;	/* names may contain ) */
	if (!after || sscanf(after + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u "
	                     "%*u %*u %lu %lu", &m->parent, &user,
	                     &system) != 3)
		return false;
	m->pid = (pid_t)strtol(pid, NULL, 10);
	m->ticks = user + system;
	m->counts = false;
	return true;
}

/* Reads every process of the machine; returns their number. */
static size_t read_all(struct member *m)
{
	DIR *proc = opendir("/proc");
	const struct dirent *d;
	size_t n = 0;

	while (proc && n < MOST && (d = readdir(proc)))
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			n += read_member(&m[n], d->d_name);
	if (proc)
		closedir(proc);
	return n;
}

static bool counts(const struct member *m, size_t n, pid_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].pid == pid)
			return m[i].counts;
	return false;
}

/* Marks root and its descendants, one generation after the other. */
static void mark_family(struct member *m, size_t n, pid_t root)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < n; i++)
			if (!m[i].counts && (m[i].pid == root ||
			    counts(m, n, m[i].parent)))
				m[i].counts = more = true;
	}
}

/* A value of /proc/PID/status, in KiB. */
static double read_kib(pid_t pid, const char *name)
{
	char path[64], line[256];
	double kib = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, name, strlen(name)) == 0)
			kib = strtod(line + strlen(name), NULL);
	if (f)
		fclose(f);
	return kib;
}

/* Returns the process and its present descendants, in memory that the caller
 * frees. */
static struct member *family(pid_t root, size_t *n)
{
	struct member *m = calloc(MOST, sizeof *m);

	*n = m ? read_all(m) : 0;
	mark_family(m, *n, root);
	return m;
}

struct process_use process_use(pid_t pid)
{
	struct process_use u = { .own_kib = read_kib(pid, "VmRSS:") };
	size_t n;
	struct member *m = family(pid, &n);

	for (size_t i = 0; i < n; i++) {
		if (!m[i].counts)
			continue;
		u.cpu_s += (double)m[i].ticks / (double)sysconf(_SC_CLK_TCK);
		u.peak_mib += read_kib(m[i].pid, "VmHWM:") / 1024;
	}
	free(m);
	return u;
}

void process_end(pid_t pid, int seconds)
{
	const int64_t end = clock_ns() + seconds * INT64_C(1000000000);
	const struct timespec while_it_ends = { 0, 5 * 1000 * 1000 };
	struct member *m;
	size_t n;

	kill(pid, SIGTERM);
	while (process_runs(pid) && clock_ns() < end)
		nanosleep(&while_it_ends, NULL);
	m = process_runs(pid) ? family(pid, &n) : NULL;
	for (size_t i = 0; m && i < n; i++)
		if (m[i].counts)
			kill(m[i].pid, SIGKILL);
	free(m);
	waitpid(pid, NULL, 0);
}
