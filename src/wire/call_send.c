/* call_send.c - packs calls into a message to a worker; the descriptors of
 * large matrices travel with it. */
#include <string.h>

#include "wire/call_wire.h"

static int place_of(struct bundle *b, int fd)
{
	int i = 0;

	while (i < b->n && b->fd[i] != fd)
		i++;
	if (i == b->n)
		b->fd[b->n++] = fd;
	return i;
}

/* Describes the memory of an intermediate: the values (or, if index is set, the
 * index) of matrix i of a pipeline's step, which is an operand from an earlier
 * step or an output that stays in the worker. Returns false if the matrix is no
 * intermediate; pack_memory() describes its memory. */
static bool pack_slot(struct wire_memory *w, const struct call_out *c, int i,
                      const struct matrix *m, bool index)
{
	const size_t bytes = index ? matrix_index_size(m) : matrix_size(m);
	const struct step *s = c->pipeline ? &c->pipeline->step[c->step] :
	                                     NULL;
	const int o = i - OP_INPUTS;

	if (!s || (index && m->layout == DENSE) || i >= FAILED)
		return false;
	if (o >= 0 && m->memory)
		return false;
	if (o < 0 && !step_is_fed(s, i))
		return false;
	*w = (struct wire_memory){ IN_WORKER, bytes, o >= 0 ?
	    slot_of(c->step, o, index) :
	    slot_of(s->from[i].step, s->from[i].output, index), bytes, 0, 0 };
	return true;
}

/* Describes where m lies. A small operand is copied to the memory that this
 * worker reads. A small output gets a place in struct control's
 * results, where the worker may write; call_fetch_results() copies it. */
static struct wire_memory pack_memory(struct memory *m, bool output,
                                      struct bundle *b)
{
	const size_t at = b->results;

	if (!m)
		return (struct wire_memory){ .place = NO_MEMORY };
	if (m->fd < 0 && output) {
		b->results = call_result_end(m, at);
		return (struct wire_memory){ IN_RESULTS, m->bytes, at,
		                             m->bytes, 0, 0 };
	}
	if (m->fd < 0)
		return (struct wire_memory){ IN_SLAB, m->bytes,
		                             small_put(b->small, m),
		                             m->bytes, m->stored,
		                             m->upload_id };
	return (struct wire_memory){ place_of(b, memory_descriptor(m, output)),
	                             m->bytes, m->offset,
	                             m->whole ? m->whole->bytes : m->bytes,
	                             m->stored, m->upload_id };
}

static void put(struct wire *w, const void *bytes, size_t n)
{
	memcpy(w->bytes + w->used, bytes, n);
	w->used += n;
}

static void pack_matrix(struct wire *w, const struct call_out *c, int i,
                        struct bundle *b)
{
	const struct matrix *m = matrix_of(c->args, i);
	const bool output = i >= OP_INPUTS;
	struct wire_matrix x = {
		.dtype = (int32_t)m->dtype, .ndim = m->ndim,
		.layout = (int32_t)m->layout, .nnz = m->nnz,
	};

	if (!pack_slot(&x.memory, c, i, m, false))
		x.memory = pack_memory(m->memory, output, b);
	if (!pack_slot(&x.index, c, i, m, true))
		x.index = pack_memory(m->index, output, b);
	for (int k = 0; k < m->ndim; k++)
		x.dim[k] = m->dim[k];
	put(w, &x, sizeof x);
}

static void pack(struct wire *w, const struct call_out *c, struct bundle *b)
{
	const struct args *a = c->args;
	struct wire_call x = {
		.serial = c->serial, .dtype = (int32_t)a->dtype,
		.quality = (int32_t)a->quality, .level = (int32_t)c->level,
		.want = a->want, .stack = a->stack, .step = c->step,
		.part = a->gang.part, .parts = a->gang.parts,
		.width = a->gang.width,
		.tenant = c->tenant,
		.steps = c->pipeline ? c->pipeline->n : 0,
	};

	strcpy(x.op, a->op->name);
	if (a->variant)
		strcpy(x.variant, a->variant->name);
	memcpy(x.param, a->param, sizeof x.param);
	for (int i = 0; i < MATRICES; i++)
		x.matrices |= (unsigned)(matrix_of(a, i)->ndim !=
		                         MATRIX_ABSENT) << i;
	put(w, &x, sizeof x);
	b->results = c->results;
	for (int i = 0; i < MATRICES; i++)
		if (x.matrices >> i & 1)
			pack_matrix(w, c, i, b);
}

int call_send(int socket, struct small *small, const struct call_out *calls,
              int n, struct err *e)
{
	struct bundle b = { .n = 0, .small = small };
	struct wire w;

	w.used = 0;
	small_begin(small, calls[0].tenant);
	for (int i = 0; i < n; i++)
		pack(&w, &calls[i], &b);
	return io_send(socket, w.bytes, w.used, b.fd, b.n, e);
}

int call_send_arrival(int socket, struct memory *m, size_t arrived,
                      struct err *e)
{
	struct bundle b = { .n = 0 };
	const struct wire_arrival w = { pack_memory(m, false, &b), arrived };

	return io_send(socket, &w, sizeof w, b.fd, b.n, e);
}
