/* fake_worker.c - see fake_worker.h. */
#include <fcntl.h>
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
#include "tests/queue/fake_worker.h"
#include "wire/call.h"
#include "worker/serve.h"

struct fake {
	int device, socket;
	struct slab slab;
	struct control *control;
	struct answers answers;
	/* The call that is being worked on. */
	struct args args;
	uint64_t serial;
	int in_batch;			/* calls that came with it */
	bool compiled;
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

/* The part of a gang that the call is; 0: the first, or none. */
static size_t part_of(const struct fake *f)
{
	return (size_t)f->args.gang.part;
}

/* The reported kernel's name contains the number of calls in the batch. */
static struct done done_of(const struct fake *f, enum err_code code)
{
	struct done d = { .serial = f->serial, .verdict = verdict_none(),
	                  .begun_ns = clock_ns() };

	if (code)
		err_set(&d.err, code, "as asked for");
	else
		d.present = 1;
	d.timing.compute_ns = FAKE_COMPUTE_NS;
	d.timing.n_kernels = 1;
	d.timing.kernel[0].calls = d.timing.kernel[0].timed = 7;
	snprintf(d.timing.kernel[0].name, TIMING_NAME, "fake of %d",
	         f->in_batch);
	strcpy(d.variant, f->args.op->variants[0].name);
	if (f->args.gang.parts)
		d.verdict.residual = 1 + f->args.gang.part;
	return d;
}

static void add(struct fake *f, const struct done *d)
{
	struct err e = { 0 };

	if (answers_add(&f->answers, d, f->socket, &e))
		exit(1);
}

static void answer(struct fake *f, enum err_code code)
{
	const struct done d = done_of(f, code);

	if (!code && matrix_elements(&f->args.out[0]))
		matrix_set(&f->args.out[0], part_of(f), 42);
	add(f, &d);
}

static void lie(struct fake *f, enum fake_lie lie)
{
	static const char long_message[CALL_ANSWERS + 1];
	struct done d = done_of(f, ERR_NONE);
	struct err e = { 0 };

	switch (lie) {
	case LIE_SERIAL:  d.serial++; break;
	case LIE_VARIANT: strcpy(d.variant, "no-such"); break;
	case LIE_PRESENT: d.present = 1u << 5; break;
	case LIE_REAL:    d.real = 1; break;
	case LIE_SHORTER: d.shorter = 1; break;
	case LIE_FAILURES: d.failures = 1; break;
	case LIE_TIME:    d.timing.compute_ns = -1; break;
	case LIE_NAME:    memset(d.timing.kernel[0].name, 'x', TIMING_NAME);
	                  break;
	case LIE_TWICE:   add(f, &d); break;
	case LIE_LENGTH:
		io_send(f->socket, long_message, sizeof long_message, NULL, 0,
		        &e);
		break;
	case LIE_DESCRIPTOR:
		io_send(f->socket, &d, sizeof d, &f->socket, 1, &e);
		break;
	default:
		break;
	}
	add(f, &d);
}

/* Waits until the call is cancelled, or for ever; ends with the front. */
static void hold(struct fake *f, bool for_ever)
{
	struct pollfd p = { .fd = f->socket };

	atomic_store(&f->control->progress, 50);
	while (for_ever || atomic_load(&f->control->cancel) != f->serial)
		if (poll(&p, 1, 1) > 0)
			exit(0);
	answer(f, ERR_DISMISSED);
}

/* Holds the call, and notes that, so that another process answers it after this
 * one was killed. */
static void hold_once(struct fake *f)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/%llu", getenv(FAKE_NOTES),
	         (unsigned long long)f->serial);
	fd = open(path, O_CREAT | O_EXCL | O_CLOEXEC | O_WRONLY, 0600);
	if (fd < 0) {
		answer(f, ERR_NONE);
		return;
	}
	close(fd);
	hold(f, false);
}

static void crash(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

/* Writes where it may not, as a faulty kernel might. */
static void stray(struct fake *f, void *to)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	signal(SIGSEGV, SIG_DFL);
	memset(to, 0xff, 8);
	answer(f, ERR_NONE);
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

/* Reports the compilation only after the answer, which the front must get
 * first. */
static void compile(struct fake *f)
{
	const struct compile_notice n = { .compiled = 1 };
	struct err e = { 0 };

	answer(f, ERR_NONE);
	f->compiled = true;
	if (answers_send(&f->answers, f->socket, &e) ||
	    io_send(f->socket, &n, sizeof n, NULL, 0, &e))
		exit(1);
}

static void act(struct fake *f, enum fake_deed deed)
{
	if (deed >= FAKE_LIE) {
		lie(f, (enum fake_lie)(deed - FAKE_LIE));
		return;
	}
	switch (deed) {
	case FAKE_ANSWER:    answer(f, ERR_NONE); break;
	case FAKE_FAIL:      answer(f, ERR_SINGULAR); break;
	case FAKE_HOLD:      hold(f, false); break;
	case FAKE_HANG:      hold(f, true); break;
	case FAKE_HOLD_ONCE: hold_once(f); break;
	case FAKE_CRASH:     crash(); break;
	case FAKE_LEAVE:     leave(f); break;
	case FAKE_BABBLE:    babble(f); break;
	case FAKE_COLD:      answer(f, f->compiled ? ERR_NONE :
	                            ERR_NOT_READY); break;
	case FAKE_COMPILE:   compile(f); break;
	case FAKE_STRAY:     stray(f, matrix_data(&f->args.in[0])); break;
	case FAKE_STRAY_FAR: stray(f, f->slab.data); break;
	default:             break;
	}
}

static void act_on(struct fake *f, struct call *c)
{
	f->serial = c->serial;
	f->args = c->args;
	atomic_store(&f->control->serial, f->serial);
	act(f, (enum fake_deed)matrix_get(&f->args.in[0], part_of(f)));
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
		if (calls[0].is_prefetch) {
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
	f.slab.results = f.control->results;
	f.slab.results_bytes = sizeof f.control->results;
	if (beat_start(f.control, &e))
		return 2;
	return serve(&f);
}
