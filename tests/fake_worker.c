/* fake_worker.c - see fake_worker.h. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "fake_worker.h"
#include "ops/call.h"

struct fake {
	int device, socket;
	struct slab slab;
	struct control *control;
	struct answers answers;
	/* Of the call that is at work. */
	struct args args;
	uint64_t serial;
	int in_batch;			/* calls that came with it */
};

static struct sheet sheet_of(int index)
{
	const bool gpu = index == FAKE_GPU || getenv(FAKE_ALIKE);
	struct sheet s = {
		.index = index, .float64 = true,
		.type = gpu ? DEVICE_GPU : DEVICE_CPU,
		.unified_memory = !gpu,
		.global_memory_bytes = gpu ? FAKE_GPU_MEMORY : 1 << 30,
		.max_allocation_bytes = gpu ? FAKE_GPU_ALLOCATION : 1 << 10,
		.compute_units = 4, .local_memory_bytes = 1 << 16,
		.max_work_group_size = 1024,
	};

	snprintf(s.name, sizeof s.name, "Fake %s",
	         gpu ? "Accelerator" : "Processor");
	return s;
}

static int list(void)
{
	const char *alike = getenv(FAKE_ALIKE);
	const int n = alike ? atoi(alike) : FAKE_DEVICES;

	if (io_write_all(STDOUT_FILENO, &n, sizeof n))
		return 1;
	for (int i = 0; i < n; i++) {
		const struct sheet s = sheet_of(i);

		if (io_write_all(STDOUT_FILENO, &s, sizeof s))
			return 1;
	}
	return 0;
}

static void answer(struct fake *f, enum err_code code)
{
	struct done d = { .serial = f->serial, .residual = NAN,
	                  .begun_ns = clock_ns() };
	struct err e = { 0 };

	if (code)
		err_set(&d.err, code, "as asked for");
	else
		d.present = 1;
	d.timing.compute_ns = FAKE_COMPUTE_NS;
	d.timing.n_kernels = 1;
	d.timing.kernel[0].calls = d.timing.kernel[0].timed = 7;
	snprintf(d.variant, sizeof d.variant, "fake of %d", f->in_batch);
	if (!code && matrix_elements(&f->args.out[0]))
		matrix_set(&f->args.out[0], 0, 42);
	if (answers_add(&f->answers, &d, f->socket, &e))
		exit(1);
}

/* Until the call is cancelled, or for ever; not beyond the front's life. */
static void hold(struct fake *f, bool for_ever)
{
	struct pollfd p = { .fd = f->socket };

	atomic_store(&f->control->progress, 50);
	while (for_ever || atomic_load(&f->control->cancel) != f->serial)
		if (poll(&p, 1, 1) > 0)
			exit(0);
	answer(f, ERR_DISMISSED);
}

static void hold_once(struct fake *f)
{
	struct matrix *const out = &f->args.out[0];

	if (matrix_get(out, 0) == 1) {
		answer(f, ERR_NONE);
		return;
	}
	matrix_set(out, 0, 1);
	hold(f, false);
}

static void crash(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void babble(struct fake *f)
{
	struct err e = { 0 };

	io_send(f->socket, "what?", 5, NULL, 0, &e);
	hold(f, true);
}

static void leave(struct fake *f)
{
	struct err e = { 0 };

	answer(f, ERR_NONE);
	atomic_store(&f->control->serial, 0);
	answers_send(&f->answers, f->socket, &e);
	exit(3);
}

static void act(struct fake *f, enum fake_deed deed)
{
	switch (deed) {
	case FAKE_ANSWER:    answer(f, ERR_NONE); break;
	case FAKE_FAIL:      answer(f, ERR_SINGULAR); break;
	case FAKE_HOLD:      hold(f, false); break;
	case FAKE_HANG:      hold(f, true); break;
	case FAKE_HOLD_ONCE: hold_once(f); break;
	case FAKE_CRASH:     crash(); break;
	case FAKE_LEAVE:     leave(f); break;
	case FAKE_BABBLE:    babble(f); break;
	}
}

static void act_on(struct fake *f, struct call *c)
{
	f->serial = c->serial;
	f->args = c->args;
	atomic_store(&f->control->serial, f->serial);
	act(f, (enum fake_deed)matrix_get(&f->args.in[0], 0));
	args_fini(&f->args);
}

static int serve(struct fake *f)
{
	static struct call calls[CALL_BATCH];
	struct err e = { 0 };
	struct ready r = { .sheet = sheet_of(f->device) };
	int n;

	if (getenv(FAKE_SICK))
		err_set(&r.err, ERR_DEVICE, "7 is not 42");
	if (io_send(f->socket, &r, sizeof r, NULL, 0, &e))
		return 1;
	while ((n = call_receive(f->socket, &f->slab, calls, &e)) > 0) {
		if (calls[0].comes) {
			memory_unref(calls[0].memory);
			continue;
		}
		f->in_batch = n;
		for (int i = 0; i < n; i++)
			act_on(f, &calls[i]);
		atomic_store(&f->control->serial, 0);
		if (answers_send(&f->answers, f->socket, &e))
			return 1;
	}
	return 0;
}

static int number_of(int argc, char **argv, const char *flag)
{
	for (int i = 2; i + 1 < argc; i++)
		if (!strcmp(argv[i], flag))
			return atoi(argv[i + 1]);
	exit(2);
}

int fake_worker(int argc, char **argv)
{
	static struct fake f;
	struct err e = { 0 };
	void *page;

	if (argc > 2 && !strcmp(argv[2], "--list"))
		return list();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	f.device = number_of(argc, argv, "--device");
	f.socket = number_of(argc, argv, "--socket");
	page = mmap(NULL, sizeof *f.control, PROT_READ | PROT_WRITE,
	            MAP_SHARED, number_of(argc, argv, "--control"), 0);
	if (page == MAP_FAILED ||
	    slab_map(&f.slab, number_of(argc, argv, "--slab"), &e))
		return 2;
	f.control = page;
	return serve(&f);
}
