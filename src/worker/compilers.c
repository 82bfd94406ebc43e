/* compilers.c - see compilers.h: the side of the worker. Whichever process
 * comes first to a program or a launch compiles it (device/binary.c): one of
 * these compilers, the worker that started them and cannot wait, or a process
 * of another device. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/host.h"
#include "base/io.h"
#include "base/reap.h"
#include "base/size.h"
#include "worker/compilers.h"
#include "worker/foresee.h"

/* The device memory that there must be for each process: 16 times what an
 * OpenCL context takes. */
#define ROOM ((uint64_t)8 << 30)

/* How long the worker waits for the end of a process, in nanoseconds. */
static const int64_t PATIENCE_NS = 500000000;

extern char **environ;

/* The child inherits its end of the socket under the same number: the file
 * action that duplicates a descriptor onto itself clears its close-on-exec flag
 * in the child. */
static pid_t spawn(char *const argv[], int socket)
{
	posix_spawn_file_actions_t files;
	pid_t pid = 0;

	if (posix_spawn_file_actions_init(&files))
		return 0;
	if (posix_spawn_file_actions_adddup2(&files, socket, socket) ||
	    posix_spawn(&pid, "/proc/self/exe", &files, NULL, argv, environ))
		pid = 0;
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

/* Starts a process that foresees `what`, or one for requests alone (NULL). */
static bool start_one(struct compilers *c, struct compiler *k,
                      const char *what, int share, int shares)
{
	const int device = device_sheet(c->device)->index;
	char index[16], part[32], number[16];
	char *const argv[] = {
		"linalgd", "worker", "--compile", (char *)(what ? what : ""),
		"--share", part, "--device", index, "--socket", number,
		"--cache", (char *)c->cache, NULL };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return false;
	snprintf(index, sizeof index, "%d", device);
	snprintf(part, sizeof part, "%d/%d", share, shares);
	snprintf(number, sizeof number, "%d", pair[1]);
	*k = (struct compiler){ .pid = spawn(argv, pair[1]),
	                        .socket = pair[0], .foresees = what };
	close(pair[1]);
	if (k->pid > 0)
		return io_nonblocking(k->socket, true) == 0;
	close(k->socket);
	return false;
}

/* The number of devices with the same programs, whose workers share the
 * work. */
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

/* The number of processes to start. PoCL compiles on the processors that also
 * serve, so half of them are used. The programs of other platforms are waited
 * for, so all are used; but each process has a context in the device's
 * memory. */
static size_t count_wanted(const struct device *d)
{
	const struct sheet *s = device_sheet(d);
	const size_t missing = (size_t)device_missing(d);
	size_t most = size_min((size_t)host_threads(), COMPILERS);

	if (device_compiles_at_launch(d))
		return size_max(most / 2 / count_alike(s), 1);
	if (missing == 0)
		return 0;
	most = size_min(most / count_alike(s), s->global_memory_bytes / ROOM);
	return size_min(missing, size_max(most, 1));
}

void compilers_start(struct compilers *c, const char *what)
{
	size_t n;

	if (!c->cache)
		return;
	foresee(c->device, what);
	n = count_wanted(c->device);
	for (size_t i = 0; i < n; i++)
		start_one(c, &c->one[i], what, (int)i, (int)n);
}

/* The process for requests alone that has the fewest; NULL if there is none. */
static struct compiler *least_busy(struct compilers *c)
{
	struct compiler *best = NULL;

	for (int i = 0; i < COMPILERS_ALL; i++) {
		struct compiler *k = &c->one[i];

		if (k->pid > 0 && !k->foresees &&
		    (!best || k->requests < best->requests))
			best = k;
	}
	return best;
}

static struct compiler *start_another(struct compilers *c)
{
	const int most = host_threads();
	struct compiler *free = NULL;
	int n = 0;

	for (int i = 0; i < COMPILERS_ALL; i++) {
		n += c->one[i].pid > 0 && !c->one[i].foresees;
		if (c->one[i].pid == 0)
			free = &c->one[i];
	}
	return free && n < COMPILERS_MORE && n < most &&
	       start_one(c, free, NULL, 0, 1) ? free : NULL;
}

/* Sends the request to one of the processes; returns its index, or -1. */
static int give(struct compilers *c, const struct request *r)
{
	struct compiler *k = least_busy(c), *another = NULL;
	struct err e = { 0 };

	if (!k || k->requests > 0)
		another = start_another(c);
	if (another)
		k = another;
	if (!k || io_send(k->socket, r, sizeof *r, NULL, 0, &e))
		return -1;
	k->requests++;
	return (int)(k - c->one);
}

bool compilers_has(const struct compilers *c, uint64_t key)
{
	for (int i = 0; i < c->n_under_way; i++)
		if (c->under_way[i].key == key)
			return true;
	return false;
}

bool compilers_ask(struct compilers *c, struct device *d,
                   const struct launch *l)
{
	const struct request r = { .direct = d == c->direct, .launch = *l };
	const uint64_t key = launch_key(d, l);
	int by;

	if (compilers_has(c, key))
		return true;
	if (!c->cache || c->n_under_way == REQUESTS || (by = give(c, &r)) < 0)
		return false;
	c->under_way[c->n_under_way].request = r;
	c->under_way[c->n_under_way].key = key;
	c->under_way[c->n_under_way].by = by;
	c->under_way[c->n_under_way++].since_ns = clock_ns();
	return true;
}

int compilers_poll(const struct compilers *c, struct pollfd p[COMPILERS_ALL])
{
	int n = 0;

	for (int i = 0; i < COMPILERS_ALL; i++)
		if (c->one[i].pid > 0)
			p[n++] = (struct pollfd){ .fd = c->one[i].socket,
			                          .events = POLLIN };
	return n;
}

static void note(struct compilers *c, uint64_t key)
{
	device_note(c->device, key, false);
	if (c->direct)
		device_note(c->direct, key, false);
}

static void drop(struct compilers *c, int i)
{
	c->under_way[i] = c->under_way[--c->n_under_way];
}

/* Removes the request of that key; false if there was none. */
static bool end_request(struct compilers *c, uint64_t key)
{
	for (int i = 0; i < c->n_under_way; i++)
		if (c->under_way[i].key == key) {
			c->one[c->under_way[i].by].requests--;
			drop(c, i);
			return true;
		}
	return false;
}

/* The oldest request of a process, which is the one it died or hangs on; -1 if
 * it has none. */
static int oldest_of(const struct compilers *c, int by)
{
	int oldest = -1;

	for (int i = 0; i < c->n_under_way; i++)
		if (c->under_way[i].by == by && (oldest < 0 ||
		    c->under_way[i].since_ns <
		    c->under_way[oldest].since_ns))
			oldest = i;
	return oldest;
}

/* If the process died, notes the key that it died of, so that nobody asks for
 * it again; then gives its other requests to other processes. */
static bool bury(struct compilers *c, int by, bool died)
{
	const int culprit = died ? oldest_of(c, by) : -1;

	if (culprit >= 0) {
		note(c, c->under_way[culprit].key);
		drop(c, culprit);
	}
	for (int i = 0; i < c->n_under_way; i++)
		if (c->under_way[i].by == by)
			c->under_way[i].by = -1;
	for (int i = c->n_under_way; i-- > 0;) {
		if (c->under_way[i].by < 0)
			c->under_way[i].by = give(c, &c->under_way[i].request);
		if (c->under_way[i].by < 0) {
			note(c, c->under_way[i].key);
			drop(c, i);
		}
	}
	return died;
}

/* Collects a process whose socket has ended, and so soon the process, too. One
 * that does not is killed: it may hang in the driver on its way out, or have
 * written nonsense. Returns whether it died. */
static bool collect(pid_t pid)
{
	int status;

	if (reap_within(pid, PATIENCE_NS, &status))
		return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
	kill(pid, SIGKILL);
	reap_within(pid, PATIENCE_NS, &status);
	return true;
}

static bool on_end(struct compilers *c, int by)
{
	struct compiler *k = &c->one[by];
	bool died;

	close(k->socket);
	died = collect(k->pid);
	*k = (struct compiler){ 0 };
	return bury(c, by, died);
}

static bool hear_one(struct compilers *c, int by)
{
	struct compiler *k = &c->one[by];
	struct compiled told;
	int fds[IO_FDS], n_fds;
	bool news = false;
	ssize_t n;

	while ((n = io_receive(k->socket, &told, sizeof told, fds, &n_fds)) ==
	       sizeof told) {
		k->foresees &= told.key != 0;
		note(c, told.key);
		news |= end_request(c, told.key);
	}
	if (n < 0 && errno == EAGAIN)
		return news;
	return on_end(c, by) || news;
}

bool compilers_hear(struct compilers *c)
{
	bool news = false;

	for (int i = 0; i < COMPILERS_ALL; i++)
		if (c->one[i].pid > 0)
			news |= hear_one(c, i);
	return news;
}

bool compilers_foresee(const struct compilers *c)
{
	for (int i = 0; i < COMPILERS_ALL; i++)
		if (c->one[i].pid > 0 && c->one[i].foresees)
			return true;
	return false;
}

void compilers_finish(struct compilers *c)
{
	struct pollfd p[COMPILERS_ALL];

	while (compilers_foresee(c)) {
		poll(p, (nfds_t)compilers_poll(c, p), 1000);
		compilers_hear(c);
	}
}
