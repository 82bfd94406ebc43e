/* peer.c - see peer.h. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/size.h"
#include "bench/peer.h"
#include "bench/process.h"

struct peer {
	pid_t pid;
	int to, from;
	struct peer_hello hello;
	struct peer_offer offer[PEER_OFFERS];
};

static int start(struct peer *p, const char *program, struct err *e)
{
	char *argv[] = { (char *)program, NULL };
	int to[2], from[2];
	int rc;

	if (pipe2(to, O_CLOEXEC) < 0)
		return err_set(e, ERR_INTERNAL, "bench: no pipe");
	if (pipe2(from, O_CLOEXEC) < 0) {
		close(to[0]);
		close(to[1]);
		return err_set(e, ERR_INTERNAL, "bench: no pipe");
	}
	rc = process_start(&p->pid, argv, (int[]){ to[0], from[1],
	                                           STDERR_FILENO }, e);
	close(to[0]);
	close(from[1]);
	p->to = to[1];
	p->from = from[0];
	return rc;
}

static bool greets(struct peer *p)
{
	return io_read_all(p->from, &p->hello, sizeof p->hello) == 0 &&
	       p->hello.offers <= PEER_OFFERS &&
	       io_read_all(p->from, p->offer, p->hello.offers *
	                                      sizeof p->offer[0]) == 0;
}

struct peer *peer_open(const char *program, struct err *e)
{
	struct peer *p = calloc(1, sizeof *p);

	if (!p) {
		err_set(e, ERR_MEMORY, "bench: out of memory");
		return NULL;
	}
	p->to = p->from = -1;
	if (start(p, program, e) == 0 && greets(p))
		return p;
	err_set(e, ERR_NOT_FOUND, "bench: peer %.200s does not start", program);
	peer_close(p);
	return NULL;
}

void peer_close(struct peer *p)
{
	if (!p)
		return;
	if (p->to >= 0)
		close(p->to);
	if (p->from >= 0)
		close(p->from);
	if (p->pid > 0)
		waitpid(p->pid, NULL, 0);
	free(p);
}

const char *peer_offers(const struct peer *p, const char *call)
{
	for (uint64_t i = 0; i < p->hello.offers; i++)
		if (strncmp(p->offer[i].call, call, PEER_CALL) == 0)
			return p->offer[i].by;
	return NULL;
}

const char *peer_name(const struct peer *p)
{
	return p->hello.name;
}

/* Sends the elements and, of a sparse matrix, its index. */
static int send_matrix(const struct peer *p, const struct matrix *m)
{
	if (io_write_all(p->to, matrix_data(m), matrix_size(m)) < 0)
		return -1;
	return m->layout == CSR ? io_write_all(p->to, m->index->data,
	                                       matrix_index_size(m)) : 0;
}

static uint64_t ask(struct peer *p, const struct peer_request *r,
                    const struct matrix *in, int n_in)
{
	struct peer_reply reply;

	if (io_write_all(p->to, r, sizeof *r) < 0)
		return 0;
	for (int i = 0; i < n_in; i++)
		if (send_matrix(p, &in[i]) < 0)
			return 0;
	if (io_read_all(p->from, &reply, sizeof reply) < 0)
		return 0;
	return reply.value;
}

bool peer_load(struct peer *p, const char *call, const size_t dim[3],
               const struct matrix *in, int n_in)
{
	struct peer_request r = {
		.what = PEER_LOAD,
		.element = (uint32_t)dtype_bytes(dtype_part(in[0].dtype)),
		.dim = { dim[0], dim[1], dim[2] },
	};

	snprintf(r.call, sizeof r.call, "%s", call);
	for (int i = 0; i < n_in; i++)
		r.bytes += matrix_size(&in[i]) + matrix_index_size(&in[i]);
	return ask(p, &r, in, n_in) == 1;
}

uint64_t peer_run(struct peer *p, bool whole, uint64_t times)
{
	const struct peer_request r = {
		.what = whole ? PEER_WHOLE : PEER_RUN, .times = times,
	};

	return ask(p, &r, NULL, 0);
}

/* Discards results whose sizes differ from those expected. */
static void drain(struct peer *p, uint64_t bytes)
{
	char sink[4096];

	for (size_t n; bytes > 0; bytes -= n) {
		n = size_min(bytes, sizeof sink);
		if (io_read_all(p->from, sink, n) < 0)
			return;
	}
}

bool peer_fetch(struct peer *p, struct matrix *out, int n_out)
{
	const struct peer_request r = { .what = PEER_FETCH };
	uint64_t bytes = 0, sent = ask(p, &r, NULL, 0);

	for (int i = 0; i < n_out; i++)
		bytes += matrix_size(&out[i]);
	if (sent != bytes) {
		drain(p, sent);
		return false;
	}
	for (int i = 0; i < n_out; i++)
		if (io_read_all(p->from, matrix_data(&out[i]),
		                matrix_size(&out[i])) < 0)
			return false;
	return true;
}
