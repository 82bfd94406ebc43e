/* compiler.c - a process that compiles, as compilers.h describes it. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "worker/foresee.h"
#include "worker/serve.h"

/* Added to the process's nice(2) value: nobody waits for foreseen kernels. */
enum { POLITE = 5 };

enum { LINGER_MS = 5000 };

/* A process that works on a request for longer than this hangs, and ends by
 * SIGALRM: a worker in its sandbox may not kill it. */
enum { PATIENCE = 120 };		/* seconds */

struct process {
	struct worker worker;		/* with neither front nor slab */
	struct control control;		/* which nobody else reads */
	const char *cache;
	int step, shares;		/* the next step of warm.h */
};

/* While a process works on a request, those that foresee wait for it before
 * each kernel, because processors are few. Lowering their priority would not
 * do: a process that is starved while it holds a program's lock would hold up
 * all the others. */
static int lock_turn(const struct process *p, short type)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET };
	char path[512];
	int fd;

	snprintf(path, sizeof path, "%s/asked.lock", p->cache);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd >= 0)
		fcntl(fd, F_OFD_SETLKW, &l);
	return fd;
}

static void unlock_turn(int fd)
{
	if (fd >= 0)
		close(fd);
}

static enum elsewhere give_way(void *arg, struct device *d,
                               const struct launch *l, int64_t worked_ns)
{
	(void)d;
	(void)l;
	(void)worked_ns;
	unlock_turn(lock_turn(arg, F_WRLCK));
	return ELSEWHERE_NOT;
}

static int open_all(struct process *p, const struct compiler_options *o,
                    struct err *e)
{
	struct worker *const w = &p->worker;

	w->control = &p->control;
	w->socket = o->socket;
	if (worker_open(w, o->device, o->cache, e) < 0)
		return -1;
	p->cache = o->cache;
	p->step = o->share;
	p->shares = o->shares;
	foresee(w->device, o->what);
	if (!o->what[0])
		return 0;
	device_compile_elsewhere(w->device, give_way, p);
	if (w->direct)
		device_compile_elsewhere(w->direct, give_way, p);
	return 0;
}

static bool tell(const struct worker *w, uint64_t key)
{
	const struct compiled c = { .key = key };

	return w->socket < 0 || io_send(w->socket, &c, sizeof c, NULL, 0,
	                                &(struct err){ 0 }) == 0;
}

/* Reports a kernel that the compiler refuses as well: the worker will then
 * compile it and get the error itself. */
static bool compile(const struct process *p, const struct request *r)
{
	const struct worker *const w = &p->worker;
	struct device *const d = r->direct && w->direct ? w->direct :
	                                                  w->device;
	const int turn = lock_turn(p, F_RDLCK);
	struct err refused = { 0 };

	alarm(PATIENCE);
	device_compile(d, &r->launch, &refused);
	alarm(0);
	unlock_turn(turn);
	return tell(w, launch_key(d, &r->launch));
}

/* Serves the requests that come within that time and sets *some if there were
 * any; false when the other side is gone. */
static bool serve(const struct process *p, int wait_ms, bool *some)
{
	const int socket = p->worker.socket;
	struct pollfd asked = { .fd = socket, .events = POLLIN };
	struct request r;
	int fds[IO_FDS], n_fds;

	*some = false;
	while (socket >= 0 && poll(&asked, 1, wait_ms) > 0) {
		if (io_receive(socket, &r, sizeof r, fds, &n_fds) !=
		    sizeof r || !compile(p, &r))
			return false;
		*some = true;
		wait_ms = 0;
	}
	return true;
}

/* Compiles one more foreseen program or step; false if none is left. */
static bool foresee_next(struct process *p)
{
	struct worker *const w = &p->worker;

	if (!device_compiles_at_launch(w->device)) {
		unlock_turn(lock_turn(p, F_WRLCK));
		return device_compile_next(w->device);
	}
	while (p->step < WARM_STEPS) {
		const int step = p->step;
		const uint64_t key = warm_key(w, step);

		p->step += p->shares;
		if (!warm_is_step(w, step) || device_noted(w->device, key))
			continue;
		warm_step(w, step);
		device_note(w->device, key, true);
		tell(w, key);
		return true;
	}
	return false;
}

int compilers_main(const struct compiler_options *o, struct err *e)
{
	static struct process p;
	bool some, foresees = o->what[0];

	if (foresees && nice(POLITE) < 0)
		return err_set(e, ERR_INTERNAL, "nice");
	if (open_all(&p, o, e) < 0)
		return -1;
	while (serve(&p, foresees ? 0 : LINGER_MS, &some) &&
	       (foresees || some)) {
		if (!foresees)
			continue;
		foresees = foresee_next(&p);
		if (!foresees && !tell(&p.worker, 0))
			break;
	}
	return 0;
}
