/* fuzz_calls.c - arbitrary messages from the front: a worker accepts or refuses
 * each call, can reach every byte of the matrices that it accepted, and leaks
 * no descriptor.
 *
 * The first byte chooses the message and the number of descriptors sent with
 * it. */
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "matrix/mappings.h"
#include "matrix/sparse.h"
#include "ops/failure.h"
#include "patch.h"
#include "wire/call.h"

enum { MESSAGES = 4 };

static struct memory_pool *pool;
static struct slab slab;
static struct small small;
static struct mappings kept = { .most = 1 << 22 };
static struct control control;
static int pair[2];
static struct err e;

static struct matrix filled(struct matrix m)
{
	fuzz_want(matrix_alloc(&m, pool, &e) == 0);
	memset(matrix_data(&m), 0, m.memory->bytes);
	if (m.index)
		memset(m.index->data, 0, m.index->bytes);
	return m;
}

static struct matrix dense(size_t rows, size_t cols)
{
	return filled((struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                               .dim = { rows, cols } });
}

static struct matrix sparse(size_t n, size_t nnz)
{
	return filled((struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                               .dim = { n, n }, .layout = CSR,
	                               .nnz = nnz });
}

static void send_small(void)
{
	struct args args[2];
	struct call_out out[2];
	size_t at = 0;

	for (int i = 0; i < 2; i++) {
		args_init(&args[i], op_find("matmul"));
		args[i].in[0] = dense(3, 4);
		args[i].in[1] = dense(4, 5);
		args[i].out[0] = dense(3, 5);
		out[i] = (struct call_out){
			.serial = (uint64_t)i + 1, .level = TIMING_FULL,
			.args = &args[i], .results = at,
		};
		at = call_results_end(&args[i], at);
	}
	fuzz_want(call_send(pair[0], &small, out, 2, &e) == 0);
	for (int i = 0; i < 2; i++)
		args_fini(&args[i]);
}

/* A call whose matrices have memfds of their own; one is a part of another. */
static void send_large(void)
{
	struct args a;
	const struct call_out out = { .serial = 7, .level = TIMING_NONE,
		.args = &a };
	struct matrix whole = dense(200, 100);

	args_init(&a, op_find("permute"));
	a.in[0] = sparse(2000, 20000);
	a.in[1] = whole;
	a.in[2] = whole;
	a.in[2].memory = memory_part(whole.memory, 12800, 80000, &e);
	a.in[2].dim[0] = 100;
	a.out[0] = sparse(2000, 20000);
	fuzz_want(call_send(pair[0], &small, &out, 1, &e) == 0);
	args_fini(&a);
}

/* A call with a list of failures. */
static void send_stack(void)
{
	struct args a;
	const struct call_out out = { .serial = 9, .level = TIMING_FULL,
		.args = &a };

	args_init(&a, op_find("lu"));
	a.in[0] = filled((struct matrix){ .dtype = FLOAT64, .ndim = 3,
	                                  .dim = { 3, 4, 4 } });
	a.stack = 3;
	a.failed = filled(failures_shape(a.stack));
	fuzz_want(call_send(pair[0], &small, &out, 1, &e) == 0);
	args_fini(&a);
}

static void send_arrival(void)
{
	struct matrix m = dense(200, 100);

	fuzz_want(call_send_arrival(pair[0], m.memory, 5000, &e) == 0);
	matrix_fini(&m);
}

static void (*const messages[MESSAGES])(void) = {
	send_small, send_large, send_stack, send_arrival,
};

static int open_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 64; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void touch_byte(volatile char *at, bool output)
{
	const char c = *at;

	if (output)
		*at = c;
}

/* Accesses every page and the last byte; of outputs by writing. */
static void touch(const struct memory *m, bool output)
{
	if (!m || m->bytes == 0)
		return;
	for (size_t i = 0; i < m->bytes; i += 4096)
		touch_byte((char *)m->data + i, output);
	touch_byte((char *)m->data + m->bytes - 1, output);
}

static void touch_call(const struct args *a)
{
	for (int i = 0; i < OP_INPUTS && a->op; i++) {
		touch(a->in[i].memory, false);
		touch(a->in[i].index, false);
	}
	for (int i = 0; i < OP_OUTPUTS && a->op; i++) {
		touch(a->out[i].memory, true);
		touch(a->out[i].index, true);
	}
	if (a->op)
		touch(a->failed.memory, true);
}

static void take(void)
{
	static struct call calls[CALL_BATCH];
	struct err why = { 0 };
	const int n = call_receive(pair[1], &slab, calls, &why);

	fuzz_want(n > 0 || why.code != ERR_NONE);
	for (int i = 0; i < n; i++) {
		struct call *const c = &calls[i];

		fuzz_want(c->is_prefetch || c->args.op ||
		          c->err.code != ERR_NONE);
		fuzz_want(!c->is_prefetch || !c->memory ||
		          c->arrived <= c->memory->bytes);
		touch_call(&c->args);
		touch(c->memory, false);
		memory_unref(c->memory);
		args_fini(&c->args);
	}
	mappings_protect(&kept);
	mappings_trim(&kept, INT64_MAX);
}

static void open_all(void)
{
	int fd;

	if (pool)
		return;
	pool = memory_pool_new(1 << 24, &e);
	fuzz_want(pool && (fd = small_open(&small, &e)) >= 0 &&
	          slab_map(&slab, fd, &e) == 0);
	slab.results = control.results;
	slab.results_bytes = sizeof control.results;
	slab.mappings = &kept;
	fuzz_want(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static char message[1 << 16];
	int fds[IO_FDS], n_fds, before;
	ssize_t length;
	size_t all;

	if (n < 1)
		return 0;
	open_all();
	messages[data[0] % MESSAGES]();
	length = io_receive(pair[1], message, sizeof message, fds, &n_fds);
	fuzz_want(length > 0);
	all = fuzz_patch(message, (size_t)length, sizeof message, data + 1,
	                 n - 1);
	fuzz_want(io_send(pair[0], message, all ? all : 1, fds,
	                  n_fds - (data[0] / MESSAGES % 2 && n_fds ? 1 : 0),
	                  &e) == 0);
	while (n_fds > 0)
		close(fds[--n_fds]);
	memory_pool_trim(pool, INT64_MAX);
	while (memory_pool_taken(pool) > 0)
		;
	before = open_descriptors();
	take();
	fuzz_want(open_descriptors() == before);
	fuzz_want(memory_pool_used(pool) == 0 && e.code == ERR_NONE);
	return 0;
}
