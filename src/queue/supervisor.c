/* supervisor.c - see supervisor.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/size.h"
#include "queue/spawn.h"
#include "queue/supervisor.h"

#define SECOND INT64_C(1000000000)
#define BACK_OFF_FIRST (SECOND / 10)
#define BACK_OFF_MOST (5 * SECOND)
#define LONG_LIFE (5 * SECOND)		/* a worker of some use */
#define START_PATIENCE (180 * SECOND)	/* a cold cache and a slow compiler */
#define TOLD_MOST 64			/* messages that it may leave unread */
#define END_PATIENCE SECOND		/* from closed socket to exit */

union message {
	struct ready ready;
	struct answers answers;
};

void worker_init(struct worker *w, const struct worker_options *o,
                 const struct sheet *s)
{
	*w = (struct worker){ .options = o, .sheet = *s, .socket = -1,
	                      .pidfd = -1 };
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
	close_fd(w, &w->socket);
	close_fd(w, &w->pidfd);
	if (w->control)
		munmap(w->control, sizeof *w->control);
	w->control = NULL;
	w->pid = 0;
}

static void on_overdue(void *arg)
{
	struct worker *w = arg;

	log_warn("device %d (%s): worker %d %s in time and is killed",
	         w->sheet.index, w->sheet.name, (int)w->pid,
	         w->state == WORKER_STARTING ? "was not ready" : "did not end");
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

	log_warn("device %d (%s): the worker %s; restart in %.1f s",
	         w->sheet.index, w->sheet.name, how, (double)ns / 1e9);
	w->wanted_dead = false;
	loop_timer_set(w->options->loop, &w->timer, clock_ns() + ns,
	               on_restart, w);
}

/* Was it at work on the call, and did nobody else end it: the kernel's
 * out-of-memory killer, an operator, a terminal? */
static bool is_own_fault(const struct worker *w, int status)
{
	static const int others[] = { SIGKILL, SIGTERM, SIGINT, SIGHUP,
	                              SIGQUIT };

	if (!w->control || !atomic_load(&w->control->serial))
		return false;
	if (!WIFSIGNALED(status))
		return true;
	for (size_t i = 0; i < COUNT(others); i++)
		if (WTERMSIG(status) == others[i])
			return false;
	return true;
}

static bool on_ready(struct worker *w, const struct ready *r)
{
	if (r->err.code) {
		log_error("device %d (%s): canary: %s", w->sheet.index,
		          w->sheet.name, r->err.text);
		return false;
	}
	loop_timer_clear(w->options->loop, &w->timer);
	w->sheet = r->sheet;
	w->state = WORKER_READY;
	w->ready_ns = clock_ns();
	w->told = 0;
	log_info("device %d (%s): worker %d is ready after %.3f s",
	         w->sheet.index, w->sheet.name, (int)w->pid,
	         (double)(w->ready_ns - w->started_ns) / 1e9);
	w->options->ready(w->options->arg, w);
	return true;
}

/* False: these are not the words of a sound worker, which are believed only
 * where they can do no harm here. */
static bool on_message(struct worker *w, const union message *m, size_t n)
{
	if (w->state == WORKER_STARTING)
		return n == sizeof m->ready && (m->ready.err.code ||
		       m->ready.sheet.index == w->sheet.index) &&
		       on_ready(w, &m->ready);
	if (!answers_sound(&m->answers, w->n_running))
		return false;
	w->failures = 0;
	w->told = 0;
	w->options->done(w->options->arg, w, &m->answers);
	return true;
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
	const bool ready = w->state == WORKER_STARTING;
	const ssize_t n = io_receive(w->socket,
	    ready ? (void *)&m.ready : m.answers.bytes,
	    ready ? sizeof m.ready : sizeof m.answers.bytes, fds, &n_fds);

	while (n_fds > 0)
		close(fds[--n_fds]);
	if (n < 0 && errno == EAGAIN)
		return false;
	if (!ready)
		m.answers.used = n > 0 ? (size_t)n : 0;
	if (n <= 0) {
		on_closed(w);
	} else if (!on_message(w, &m, (size_t)n)) {
		w->state = WORKER_DYING;
		kill(w->pid, SIGKILL);
	}
	return true;
}

/* The poll tells again while there is more. */
static void on_socket(void *arg, short revents)
{
	(void)revents;
	read_message(arg);
}

static void on_exit_of(void *arg, short revents)
{
	struct worker *w = arg;
	char how[64];
	int status = 0;
	bool own_fault;

	(void)revents;
	w->state = WORKER_DYING;
	while (w->socket >= 0 && read_message(w))
		;
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	spawn_status_text(status, how, sizeof how);
	if (w->ready_ns && clock_ns() - w->ready_ns > LONG_LIFE)
		w->failures = 0;
	own_fault = is_own_fault(w, status);
	let_go(w);
	w->state = WORKER_DOWN;
	restart_later(w, how);
	w->options->lost(w->options->arg, w, how, own_fault);
}

static int make_control(struct worker *w, struct err *e)
{
	const int fd = memfd_create("linalgd-control", MFD_CLOEXEC);
	void *page = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, sizeof *w->control))
		page = mmap(NULL, sizeof *w->control, PROT_READ | PROT_WRITE,
		            MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		err_set(e, ERR_MEMORY, "a worker's control page: %s",
		        strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	w->control = page;
	return fd;
}

/* The process, with its end of the socket and of the control page. */
static int launch(struct worker *w, int socket, int control, struct err *e)
{
	const struct worker_options *o = w->options;
	char number[4][12];
	const char *const argv[] = {
		"linalgd", "worker", "--device", number[0],
		"--socket", number[1], "--slab", number[2],
		"--control", number[3],
		o->cache ? "--cache" : NULL, o->cache, NULL,
	};
	const struct spawn s = {
		.program = o->program, .argv = argv, .output = -1,
		.keep = { socket, o->slab, control }, .n_keep = 3,
	};

	snprintf(number[0], sizeof number[0], "%d", w->sheet.index);
	for (int i = 0; i < s.n_keep; i++)
		snprintf(number[i + 1], sizeof number[0], "%d", s.keep[i]);
	return spawn_process(&s, &w->pid, e);
}

static int watch(struct worker *w, struct err *e)
{
	struct loop *const l = w->options->loop;

	w->pidfd = pidfd_open(w->pid, 0);
	if (w->pidfd < 0)
		return err_set(e, ERR_INTERNAL, "pidfd_open: %s",
		               strerror(errno));
	fcntl(w->pidfd, F_SETFD, FD_CLOEXEC);
	if (loop_watch(l, w->socket, POLLIN, on_socket, w, e) ||
	    loop_watch(l, w->pidfd, POLLIN, on_exit_of, w, e))
		return -1;
	return io_nonblocking(w->socket, true);
}

static int start(struct worker *w, struct err *e)
{
	int pair[2], control, rc;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return err_set(e, ERR_INTERNAL, "socketpair: %s",
		               strerror(errno));
	w->socket = pair[0];
	control = make_control(w, e);
	rc = control < 0 ? -1 : launch(w, pair[1], control, e);
	close(pair[1]);
	if (control >= 0)
		close(control);
	if (rc)
		return -1;
	return watch(w, e);
}

void worker_start(struct worker *w)
{
	struct err e = { 0 };

	w->started_ns = clock_ns();
	w->ready_ns = 0;
	if (!start(w, &e)) {
		w->state = WORKER_STARTING;
		loop_timer_set(w->options->loop, &w->timer,
		               w->started_ns + START_PATIENCE, on_overdue, w);
		return;
	}
	if (w->pid > 0) {
		kill(w->pid, SIGKILL);
		waitpid(w->pid, NULL, 0);
	}
	let_go(w);
	restart_later(w, e.text);
}

int worker_call(struct worker *w, const struct call_out *calls, int n,
                struct err *e)
{
	return call_send(w->socket, calls, n, e);
}

void worker_tell_arrival(struct worker *w, const struct memory *m,
                         size_t bytes)
{
	if (w->told++ < TOLD_MOST)
		call_tell(w->socket, m, bytes, &(struct err){ 0 });
}

void worker_cancel(struct worker *w, uint64_t serial)
{
	if (w->control)
		atomic_store(&w->control->cancel, serial);
}

int worker_progress(const struct worker *w, uint64_t serial)
{
	if (!w->control || atomic_load(&w->control->serial) != serial)
		return 0;
	return atomic_load(&w->control->progress);
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
	const pid_t pid = w->pid;

	if (!w->options)
		return;
	close_fd(w, &w->socket);
	if (pid > 0) {
		if (w->state != WORKER_READY ||
		    poll(&exited, 1, END_PATIENCE / 1000000) <= 0)
			kill(pid, SIGKILL);
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	let_go(w);
	w->state = WORKER_DOWN;
}
