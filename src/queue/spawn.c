/* spawn.c - see spawn.h.
 *
 * posix_spawn() shares memory with the child until it executes, so that its
 * cost does not grow with the operands that are mapped here.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/reap.h"
#include "base/size.h"
#include "queue/said.h"
#include "queue/spawn.h"

enum {
	PATIENCE = 60,	/* seconds; drivers may initialise devices slowly */
	END_PATIENCE = 5,	/* from the kill to the end */
};
#define SECONDS(n) ((n) * INT64_C(1000000000))

extern char **environ;

static int set_attributes(posix_spawnattr_t *a)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	return posix_spawnattr_setsigmask(a, &none) ||
	       posix_spawnattr_setsigdefault(a, &all) ||
	       posix_spawnattr_setpgroup(a, 0) ||
	       posix_spawnattr_setflags(a, POSIX_SPAWN_SETSIGMASK |
	                                   POSIX_SPAWN_SETSIGDEF |
	                                   POSIX_SPAWN_SETPGROUP);
}

/* Lets the child inherit the descriptors: duplicating one onto itself clears
 * its close-on-exec flag in the child only. */
static int set_files(posix_spawn_file_actions_t *f, const struct spawn *s)
{
	const int output = s->output < 0 ? STDERR_FILENO : s->output;

	for (int i = 0; i < s->n_keep; i++)
		if (posix_spawn_file_actions_adddup2(f, s->keep[i],
		                                     s->keep[i]))
			return -1;
	if (s->errors && posix_spawn_file_actions_adddup2(f, s->errors,
	                                                  STDERR_FILENO))
		return -1;
	return posix_spawn_file_actions_adddup2(f, output, STDOUT_FILENO) ||
	       posix_spawn_file_actions_addopen(f, STDIN_FILENO, "/dev/null",
	                                        O_RDONLY, 0);
}

int spawn_process(const struct spawn *s, pid_t *pid, struct err *e)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int rc = ENOMEM;

	if (posix_spawnattr_init(&attributes))
		return err_set(e, ERR_MEMORY, "a process: out of memory");
	if (posix_spawn_file_actions_init(&files))
		goto out;
	if (!set_attributes(&attributes) && !set_files(&files, s))
		rc = posix_spawn(pid, s->program, &files, &attributes,
		                 (char *const *)s->argv, environ);
	posix_spawn_file_actions_destroy(&files);
out:
	posix_spawnattr_destroy(&attributes);
	if (rc)
		return err_set(e, ERR_DEVICE, "starting %s: %s", s->program,
		               strerror(rc));
	return 0;
}

const char *spawn_status_text(int status, char *text, size_t room)
{
	if (WIFSIGNALED(status))
		snprintf(text, room, "died by signal %d (%s)",
		         WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(text, room, "exited with %d", WEXITSTATUS(status));
	return text;
}

bool spawn_was_killed(int status)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGINT, SIGHUP,
	                               SIGQUIT };

	for (size_t i = 0; i < COUNT(signals) && WIFSIGNALED(status); i++)
		if (WTERMSIG(status) == signals[i])
			return true;
	return false;
}

static void log_line(void *arg, const char *text)
{
	(void)arg;
	log_info("looking at the devices: %s", text);
}

/* Reads to the end of the pipe; returns the number of bytes, or -1 when time is
 * up. */
static ssize_t read_until(int fd, struct said *said, void *to, size_t room,
                          int64_t at_ns)
{
	bool speaks = true;
	size_t n = 0;

	for (;;) {
		const int64_t left = at_ns - clock_ns();
		struct pollfd p[] = { { .fd = fd, .events = POLLIN },
		                      { .fd = speaks ? said->fd : -1,
		                        .events = POLLIN } };
		ssize_t got;

		if (left <= 0)
			return -1;
		if (poll(p, 2, (int)(left / 1000000) + 1) <= 0)
			continue;
		if (p[1].revents)
			speaks = said_read(said, log_line, NULL);
		if (!p[0].revents)
			continue;
		got = read(fd, (char *)to + n, room - n);
		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			return (ssize_t)n;
		n += got > 0 ? (size_t)got : 0;
	}
}

/* Checks the output of `worker --list`: an int, and that many sheets after it
 * without padding. */
static int check_list(const char *list, ssize_t got, int status, int *count,
                      struct err *e)
{
	char text[64];

	if (got < 0)
		return err_set(e, ERR_DEVICE, "looking at the devices took "
		               "more than %d s", PATIENCE);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return err_set(e, ERR_DEVICE, "looking at the devices: the "
		               "worker %s", spawn_status_text(status, text,
		                                              sizeof text));
	memcpy(count, list, sizeof *count);
	if ((size_t)got < sizeof *count || *count < 0 || *count > SHEETS ||
	    (size_t)got != sizeof *count +
	                   (size_t)*count * sizeof(struct sheet))
		return err_set(e, ERR_DEVICE, "looking at the devices: %zd "
		               "bytes are not a list", got);
	return 0;
}

/* Runs a worker that writes sheets and ends; returns their number, or -1. */
static int collect(const char *program, const char *const argv[],
                   struct sheet sheets[SHEETS], struct err *e)
{
	struct spawn s = { .program = program, .argv = argv };
	struct said said = { .fd = -1 };
	/* One byte more than the longest list, to detect a longer one. */
	char list[sizeof(int) + SHEETS * sizeof sheets[0] + 1];
	ssize_t got = -1;
	pid_t pid;
	int pipe[2], status = 0, count = 0, rc;

	if (pipe2(pipe, O_CLOEXEC))
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	s.output = pipe[1];
	s.errors = said_open(&said, e);
	rc = s.errors < 0 ? -1 : spawn_process(&s, &pid, e);
	close(pipe[1]);
	if (s.errors >= 0)
		close(s.errors);
	if (rc == 0)
		got = read_until(pipe[0], &said, list, sizeof list,
		                 clock_ns() + SECONDS(PATIENCE));
	close(pipe[0]);
	said_close(&said, log_line, NULL);
	if (rc < 0)
		return -1;
	if (got < 0 || !reap_within(pid, SECONDS(PATIENCE), &status)) {
		kill(pid, SIGKILL);
		if (!reap_within(pid, SECONDS(END_PATIENCE), &status))
			status = SIGKILL;
	}
	if (check_list(list, got, status, &count, e))
		return -1;
	memcpy(sheets, list + sizeof count, (size_t)count * sizeof sheets[0]);
	for (int i = 0; i < count; i++)
		if (sheet_check(&sheets[i], e))
			return -1;
	return count;
}

int spawn_list(const char *program, struct sheet sheets[SHEETS],
               struct err *e)
{
	static const char *const argv[] = { "linalgd", "worker", "--list",
	                                    NULL };

	return collect(program, argv, sheets, e);
}

int spawn_measure(const char *program, int device, const char *cache,
                  struct sheet *sheet, struct err *e)
{
	struct sheet sheets[SHEETS];
	char index[12];
	const char *const argv[] = {
		"linalgd", "worker", "--measure", "--device", index,
		cache ? "--cache" : NULL, cache, NULL,
	};
	int n;

	snprintf(index, sizeof index, "%d", device);
	n = collect(program, argv, sheets, e);
	if (n < 0)
		return -1;
	if (n != 1 || sheets[0].index != device)
		return err_set(e, ERR_DEVICE, "device %d: the worker measured "
		               "something else", device);
	*sheet = sheets[0];
	return 0;
}
