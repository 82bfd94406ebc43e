/* fuzz_answers.c - arbitrary messages from a worker: the front accepts or
 * refuses each, and nothing that a worker sends gets past its checks.
 *
 * The first byte is the number of the worker's jobs, or says that it starts. */
#include <math.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "patch.h"
#include "queue/dispatch.h"
#include "queue/engine.h"

enum { JOBS = 4 };

static struct loop *loop;
static struct memory_pool *pool;
static struct err e;

/* A device that uses the host's memory. */
static const struct sheet sheet = {
	.type = DEVICE_CPU, .name = "Fake Processor", .float64 = true,
	.unified_memory = true, .global_memory_bytes = 1 << 30,
	.max_allocation_bytes = 1 << 28, .compute_units = 1,
	.max_work_group_size = 64,
};

/* The state after engine_new() and the start of a worker, without a process. */
static struct engine *make_engine(int *far)
{
	struct engine *g = calloc(1, sizeof *g);
	struct worker *const w = &g->worker[0];
	int pair[2], slab;

	g->loop = loop;
	g->memory = pool;
	fuzz_want(tally_init(&g->tally, &e) == 0);
	g->queue_limit = g->records.limit = JOBS;
	g->workers_have = (struct worker_options){
		.loop = loop, .ready = dispatch_on_ready,
		.done = dispatch_on_done, .on_compiled = dispatch_on_compiled,
		.lost = dispatch_on_lost, .arg = g,
	};
	g->n_workers = 1;
	worker_init(w, &g->workers_have, &sheet);
	fuzz_want(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
	w->socket = pair[0];
	*far = pair[1];
	w->control = mmap(NULL, sizeof *w->control, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	fuzz_want(w->control != MAP_FAILED);
	slab = small_open(&w->small, &e);
	fuzz_want(slab >= 0);
	close(slab);
	return g;
}

static struct job *submit(struct engine *g, size_t n)
{
	struct job *j = job_new(op_find("transpose"), &e);

	j->args.in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                                 .dim = { 1, n } };
	fuzz_want(matrix_alloc(&j->args.in[0], pool, &e) == 0);
	fuzz_want(args_settle_dtype(&j->args, -1, &e) == 0);
	fuzz_want(args_check(&j->args, &e) == 0);
	fuzz_want(args_alloc(&j->args, pool, &e) == 0);
	j->devices = 1;
	fuzz_want(engine_submit(g, j, &e) == 0);
	return j;
}

/* The answers of a correct worker to all its jobs. */
static size_t sound_answers(const struct worker *w, union message *m)
{
	m->answers.used = 0;
	for (int i = 0; i < w->n_running; i++) {
		struct done d = { .serial = (uint64_t)i + 1, .present = 1,
		                  .verdict = verdict_none() };

		strcpy(d.variant, op_find("transpose")->variants[0].name);
		d.timing.n_kernels = i;
		for (int k = 0; k < i; k++)
			strcpy(d.timing.kernel[k].name, "kernel");
		fuzz_want(answers_add(&m->answers, &d, -1, &e) == 0);
	}
	return m->answers.used;
}

static void check_job(const struct job *j)
{
	if (j->state != JOB_SUCCESSFUL)
		return;
	fuzz_want(op_variant(j->args.op, j->variant) != NULL);
	fuzz_want(isnan(j->args.verdict.residual) ||
	          j->args.verdict.residual >= 0);
	fuzz_want(j->args.failures < j->args.stack);
	fuzz_want(j->timing->compute_ns >= 0 && j->timing->n_kernels >= 0);
	for (int i = 0; i < j->timing->n_kernels; i++)
		fuzz_want(strlen(j->timing->kernel[i].name) < TIMING_NAME);
}

/* Has the worker answered the job? A job that it puts off while it compiles
 * kernels waits again. */
static bool is_answered(const struct job *j)
{
	return job_state_is_end(j->state) ||
	       (j->state == JOB_ACCEPTED && j->cold);
}

/* Handles messages from a worker that has jobs, and checks these afterwards. */
static void try_answers(struct engine *g, int n, const uint8_t *data,
                        size_t size)
{
	static union message m;
	struct worker *const w = &g->worker[0];
	struct job *job[JOBS];
	struct err why = { 0 };
	int rc;

	w->state = WORKER_READY;
	for (int i = 0; i < n; i++)
		job[i] = submit(g, (size_t)i + 1);
	dispatch_on_ready(g, w);
	fuzz_want(w->n_running == n);
	m.answers.used = fuzz_patch(m.answers.bytes, sound_answers(w, &m),
	                            sizeof m.answers.bytes, data, size);
	rc = worker_take_message(w, &m, m.answers.used, &why);
	fuzz_want((rc < 0) == (why.code != ERR_NONE));
	fuzz_want(rc == 0 || w->n_running == n);
	for (int i = 0; i < n; i++) {
		fuzz_want(is_answered(job[i]) == (i < n - w->n_running));
		check_job(job[i]);
		job_unref(job[i]);
	}
}

static void try_ready(struct engine *g, const uint8_t *data, size_t size)
{
	static union message m;
	struct worker *const w = &g->worker[0];
	struct err why = { 0 };
	size_t n;

	w->state = WORKER_STARTING;
	m.ready = (struct ready){ .sheet = sheet };
	n = fuzz_patch(&m.ready, sizeof m.ready, sizeof m, data, size);
	if (worker_take_message(w, &m, n, &why) < 0) {
		fuzz_want(w->state == WORKER_STARTING && why.text[0]);
		return;
	}
	fuzz_want(w->state == WORKER_READY && w->sheet.index == sheet.index);
	fuzz_want(sheet_check(&w->sheet, &why) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct engine *g;
	int far;

	if (n < 1)
		return 0;
	if (!pool) {
		loop = loop_new(&e);
		pool = memory_pool_new(1 << 24, &e);
		fuzz_want(loop && pool);
	}
	g = make_engine(&far);
	if (data[0] % (JOBS + 1) == 0)
		try_ready(g, data + 1, n - 1);
	else
		try_answers(g, data[0] % (JOBS + 1), data + 1, n - 1);
	engine_free(g);
	close(far);
	fuzz_want(memory_pool_used(pool) == 0 && e.code == ERR_NONE);
	return 0;
}
