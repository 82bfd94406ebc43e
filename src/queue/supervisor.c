/* supervisor.c - see supervisor.h. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/reap.h"
#include "base/size.h"
#include "queue/control.h"
#include "queue/spawn.h"
#include "queue/supervisor.h"
#include "queue/worker_log.h"

#define SECOND INT64_C(1000000000)
#define BACK_OFF_FIRST (SECOND / 10)
#define BACK_OFF_MOST (5 * SECOND)
#define LONG_LIFE (5 * SECOND)		/* resets the back-off */
#define START_PATIENCE (180 * SECOND)	/* a cold cache and a slow compiler */
#define END_PATIENCE SECOND		/* from closed socket to exit */
#define LOOK (2 * SECOND / 5)		/* interval of checking the beats */
#define HELD_LOOK (SECOND / 20)		/* interval of asking for the exit
					 * status that a debugger withholds */

/* Numbers of checks without a new beat. Checks are counted rather than time,
 * because if the front is stopped together with a worker, the time that passes
 * says nothing about the worker. */
enum { SILENT_UNWELL = 2, SILENT_DEAD = 5 };

void worker_init(struct worker *w, const struct worker_options *o,
                 const struct sheet *s)
{
	*w = (struct worker){ .options = o, .sheet = *s, .socket = -1,
	                      .pidfd = -1, .said.fd = -1 };
}

static void close_fd(struct worker *w, int *fd)
{
	if (*fd < 0)
		return;
	loop_unwatch(w->options->loop, *fd);
	close(*fd);
	*fd = -1;
}

static void let_go(struct worker *w)
{
	loop_timer_clear(w->options->loop, &w->timer);
	loop_timer_clear(w->options->loop, &w->look);
	close_fd(w, &w->socket);
	close_fd(w, &w->pidfd);
	if (w->said.fd >= 0)
		loop_unwatch(w->options->loop, w->said.fd);
	said_close(&w->said, worker_log_said, w);
	if (w->control)
		munmap(w->control, sizeof *w->control);
	w->control = NULL;
	small_close(&w->small);
	w->results_end = 0;
	w->pid = 0;
}

/* Kills a worker for a reason such as "was silent for 2.5 s". Its remaining
 * messages are not read. */
static void condemn(struct worker *w, const char *what)
{
	snprintf(w->why, sizeof w->why, "%.110s and was killed", what);
	w->state = WORKER_DYING;
	close_fd(w, &w->socket);
	if (w->pid > 0)
		kill(w->pid, SIGKILL);
}

bool worker_is_well(const struct worker *w)
{
	return w->state == WORKER_READY && w->silent < SILENT_UNWELL;
}

bool worker_is_idle(const struct worker *w)
{
	return worker_is_well(w) && !w->n_running;
}

static void on_look(void *arg)
{
	struct worker *w = arg;
	const uint64_t beats = atomic_load(&w->control->beats);
	/* Until its first beat a process is loading its libraries. */
	const bool heard = beats != w->beats ||
	                   (beats == 0 && w->state == WORKER_STARTING);
	const bool again = heard && w->silent >= SILENT_UNWELL;
	char what[48];
	int status;

	if (w->held && reap_now(w->held, &status))
		w->held = 0;
	w->beats = beats;
	w->silent = heard ? 0 : w->silent + 1;
	if (w->state == WORKER_DYING)
		return;
	if (w->silent == SILENT_DEAD) {
		snprintf(what, sizeof what, "was silent for %.1f s",
		         (double)(SILENT_DEAD * LOOK) / 1e9);
		condemn(w, what);
		return;
	}
	loop_timer_set(w->options->loop, &w->look, clock_ns() + LOOK, on_look,
	               w);
	if (again && w->state == WORKER_READY)
		w->options->ready(w->options->arg, w);
}

static void on_overdue(void *arg)
{
	struct worker *w = arg;

	worker_log_overdue(w);
	w->state = WORKER_DYING;
	kill(w->pid, SIGKILL);
}

static void on_restart(void *arg)
{
	worker_start(arg);
}

static int64_t back_off(struct worker *w)
{
	int64_t ns = BACK_OFF_FIRST;

	if (w->failures++ == 0)
		return 0;
	for (unsigned i = 2; i < w->failures && ns < BACK_OFF_MOST; i++)
		ns *= 2;
	return ns < BACK_OFF_MOST ? ns : BACK_OFF_MOST;
}

static void restart_later(struct worker *w, const char *how)
{
	const int64_t ns = w->wanted_dead ? 0 : back_off(w);

	worker_log_restart(w, how, ns);
	w->wanted_dead = false;
	loop_timer_set(w->options->loop, &w->timer, clock_ns() + ns,
	               on_restart, w);
}

/* Did the worker die by its own doing while it ran a call, rather than by the
 * kernel's out-of-memory killer, an operator or a terminal? */
static bool is_own_fault(const struct worker *w, int status)
{
	return w->control && atomic_load(&w->control->serial) &&
	       !spawn_was_killed(status);
}

static void on_closed(struct worker *w)
{
	close_fd(w, &w->socket);
	w->state = WORKER_DYING;
	loop_timer_set(w->options->loop, &w->timer, clock_ns() + END_PATIENCE,
	               on_overdue, w);
}

/* Reads a message: false when there is none now. An answer counts even if the
 * process has ended since: the owner gives no more calls to a worker that is
 * not READY. */
static bool read_message(struct worker *w)
{
	union message m;
	int fds[IO_FDS], n_fds = 0;
	struct err e = { 0 };
	const bool starts = w->state == WORKER_STARTING;
	const ssize_t n = io_receive(w->socket,
	    starts ? (void *)&m.ready : m.answers.bytes,
	    starts ? sizeof m.ready : sizeof m.answers.bytes, fds, &n_fds);

	if (n < 0 && errno == EAGAIN)
		return false;
	for (int i = 0; i < n_fds; i++)
		close(fds[i]);
	if (!starts)
		m.answers.used = n > 0 ? (size_t)n : 0;
	if (n == 0 || (n < 0 && errno != EMSGSIZE))
		on_closed(w);
	else if (n < 0)
		condemn(w, "sent a message that is too long");
	else if (n_fds > 0)
		condemn(w, "sent descriptors");
	else if (worker_take_message(w, &m, (size_t)n, &e))
		condemn(w, e.text);
	return true;
}

/* Reads only some messages: poll() reports the socket again while there are
 * more. */
static void on_socket(void *arg, short revents)
{
	(void)revents;
	read_message(arg);
}

/* Reports the end of the process. */
static void tell_end(struct worker *w, int status)
{
	char how[sizeof w->why];
	bool own_fault;

	if (*w->why)
		snprintf(how, sizeof how, "%s", w->why);
	else
		spawn_status_text(status, how, sizeof how);
	if (w->ready_ns && clock_ns() - w->ready_ns > LONG_LIFE)
		w->failures = 0;
	own_fault = is_own_fault(w, status);
	let_go(w);
	w->state = WORKER_DOWN;
	restart_later(w, how);
	w->options->lost(w->options->arg, w, how, own_fault);
}

/* Reports a process that has ended. A debugger that traces it may withhold its
 * exit status. That is asked for again until END_PATIENCE has passed; then the
 * worker is replaced, and on_look() of the next process collects the status. */
static void on_ended(void *arg)
{
	struct worker *w = arg;
	int status;

	if (reap_now(w->pid, &status)) {
		tell_end(w, status);
		return;
	}
	if (clock_ns() < w->ended_ns + END_PATIENCE) {
		loop_timer_set(w->options->loop, &w->look,
		               clock_ns() + HELD_LOOK, on_ended, w);
		return;
	}
	w->held = w->pid;
	if (!*w->why)
		snprintf(w->why, sizeof w->why, "ended, and a process that "
		         "traces it withholds how");
	tell_end(w, SIGKILL);
}

static void on_exit_of(void *arg, short revents)
{
	struct worker *w = arg;

	(void)revents;
	w->state = WORKER_DYING;
	while (w->socket >= 0 && read_message(w))
		;
	close_fd(w, &w->pidfd);
	w->ended_ns = clock_ns();
	on_ended(w);
}

static void on_said(void *arg, short revents)
{
	struct worker *w = arg;

	(void)revents;
	if (!said_read(&w->said, worker_log_said, w)) {
		loop_unwatch(w->options->loop, w->said.fd);
		said_close(&w->said, worker_log_said, w);
	}
}

/* Starts the process with its end of the socket and the memory that it shares
 * with this one. */
static int launch(struct worker *w, int socket, int slab, int control,
                  struct err *e)
{
	const struct worker_options *o = w->options;
	char number[4][12], workers[12];
	const char *const argv[] = {
		"linalgd", "worker", "--device", number[0],
		"--socket", number[1], "--slab", number[2],
		"--control", number[3], "--workers", workers,
		"--cluster", w->command ? w->command : "",
		"--sandbox", o->bare ? "off" : "on",
		o->cache ? "--cache" : NULL, o->cache, NULL,
	};
	const int output = said_open(&w->said, e);
	const struct spawn s = {
		.program = o->program, .argv = argv, .output = output,
		.errors = output,
		.keep = { socket, slab, control }, .n_keep = 3,
	};
	int rc;

	snprintf(workers, sizeof workers, "%d", o->workers);
	snprintf(number[0], sizeof number[0], "%d", w->sheet.index);
	for (int i = 0; i < s.n_keep; i++)
		snprintf(number[i + 1], sizeof number[0], "%d", s.keep[i]);
	rc = output < 0 ? -1 : spawn_process(&s, &w->pid, e);
	if (output >= 0)
		close(output);
	return rc;
}

static int watch(struct worker *w, struct err *e)
{
	struct loop *const l = w->options->loop;

	w->pidfd = pidfd_open(w->pid, 0);
	if (w->pidfd < 0)
		return err_set(e, ERR_INTERNAL, "pidfd_open: %s",
		               strerror(errno));
	fcntl(w->pidfd, F_SETFD, FD_CLOEXEC);
	if (loop_watch(l, w->said.fd, POLLIN, on_said, w, e) ||
	    loop_watch(l, w->socket, POLLIN, on_socket, w, e) ||
	    loop_watch(l, w->pidfd, POLLIN, on_exit_of, w, e))
		return -1;
	return io_nonblocking(w->socket, true);
}

static int start(struct worker *w, struct err *e)
{
	int pair[2], control, slab, rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return err_set(e, ERR_INTERNAL, "socketpair: %s",
		               strerror(errno));
	w->socket = pair[0];
	control = control_open(&w->control, e);
	slab = control < 0 ? -1 : small_open(&w->small, e);
	rc = slab < 0 ? -1 : launch(w, pair[1], slab, control, e);
	close(pair[1]);
	if (slab >= 0)
		close(slab);
	if (control >= 0)
		close(control);
	if (rc)
		return -1;
	return watch(w, e);
}

/* Kills the process, if it runs, and waits a moment for its end. */
static void end(struct worker *w)
{
	int status;

	if (w->pid <= 0)
		return;
	kill(w->pid, SIGKILL);
	if (!reap_within(w->pid, END_PATIENCE, &status))
		w->held = w->pid;
}

void worker_start(struct worker *w)
{
	struct err e = { 0 };

	w->started_ns = clock_ns();
	w->ready_ns = 0;
	w->why[0] = 0;
	w->beats = 0;
	w->silent = 0;
	if (!start(w, &e)) {
		w->state = WORKER_STARTING;
		loop_timer_set(w->options->loop, &w->look,
		               w->started_ns + LOOK, on_look, w);
		loop_timer_set(w->options->loop, &w->timer,
		               w->started_ns + START_PATIENCE, on_overdue, w);
		return;
	}
	end(w);
	let_go(w);
	restart_later(w, e.text);
}

void worker_kill(struct worker *w)
{
	if (w->pid <= 0)
		return;
	w->wanted_dead = true;
	w->state = WORKER_DYING;
	kill(w->pid, SIGKILL);
}

void worker_fini(struct worker *w)
{
	struct pollfd exited = { .fd = w->pidfd, .events = POLLIN };

	if (!w->options)
		return;
	close_fd(w, &w->socket);
	if (w->pid > 0 && w->state == WORKER_READY)
		poll(&exited, 1, END_PATIENCE / 1000000);
	end(w);
	let_go(w);
	w->state = WORKER_DOWN;
}
