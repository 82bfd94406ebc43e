/* call.c - unpacks a message of calls in the worker: for each call a head and
 * its matrices, and the descriptors of the large ones. Everything is checked
 * before use: the worker answers a malformed message with an error. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "matrix/mappings.h"
#include "ops/failure.h"
#include "wire/call_wire.h"

/* Copies the next n bytes of the message; false if it has fewer. */
static bool take(const struct wire *w, size_t *at, void *bytes, size_t n)
{
	if (w->used - *at < n)
		return false;
	memcpy(bytes, w->bytes + *at, n);
	*at += n;
	return true;
}

static int wrong(struct err *e, const char *what)
{
	return err_set(e, ERR_INTERNAL, "a call came with a wrong %s", what);
}

static bool is_part(const struct wire_memory *w)
{
	return w->offset != 0 || w->bytes != w->all;
}

/* Returns whether an allocation that was mapped for one matrix can be used for
 * another one, too. */
static bool suits(const struct memory *m, size_t bytes, bool output)
{
	return m->bytes >= bytes && (m->writable || !output);
}

static struct memory *find_part(const struct wire_memory *w,
                                const struct bundle *b,
                                const struct slab *slab, struct err *e)
{
	struct memory *whole = b->mapped[w->place];

	if (w->all < w->bytes || w->offset > w->all - w->bytes ||
	    w->offset % MEMORY_ALIGN ||
	    (whole && !suits(whole, w->all, b->output))) {
		wrong(e, "size");
		return NULL;
	}
	return whole ? memory_part(whole, w->offset, w->bytes, e) :
	       mappings_part(slab->mappings, b->fd[w->place], w->all, w->offset,
	                     w->bytes, b->output, e);
}

/* Returns a reference to the memory of a pipeline's intermediate, whose slot w
 * names: new memory if the matrix is the output of a step, else the memory that
 * keep_slot() has noted for that output. */
static struct memory *find_slot(const struct wire_memory *w, struct bundle *b,
                                struct err *e)
{
	struct memory **m = b->step && w->offset < SLOTS ?
	                    &b->slot[w->offset] : NULL;

	if (m && b->output && !*m)
		return received_new(w->bytes, e);
	if (m && !b->output && *m)
		return memory_ref(*m);
	wrong(e, "intermediate");
	return NULL;
}

/* Returns a new reference to the memory that w names; NULL with *e. */
static struct memory *find_memory(const struct wire_memory *w,
                                  struct bundle *b, const struct slab *slab,
                                  struct err *e)
{
	struct memory **m;
	int fd;

	if (w->place == IN_SLAB && !b->output)
		return slab_operand(slab, w->offset, w->bytes, e);
	if (w->place == IN_WORKER)
		return find_slot(w, b, e);
	if (w->place == IN_RESULTS && b->output)
		return slab_result(slab, w->offset, w->bytes, e);
	if (w->place < 0 || w->place >= b->n) {
		wrong(e, "descriptor");
		return NULL;
	}
	if (is_part(w))
		return find_part(w, b, slab, e);
	m = &b->mapped[w->place];
	if (*m && !suits(*m, w->bytes, b->output)) {
		wrong(e, "size");
		return NULL;
	}
	if (*m)
		return memory_ref(*m);
	fd = b->fd[w->place];
	b->fd[w->place] = -1;
	*m = fd < 0 ? NULL
	    : mappings_get(slab->mappings, fd, w->bytes, b->output, e);
	return memory_ref(*m);
}

static bool is_possible(const struct wire_matrix *w)
{
	const bool sparse = w->layout == CSR;

	return w->dtype >= 0 && w->dtype < DTYPE_COUNT &&
	       w->ndim >= MATRIX_ABSENT && w->ndim <= MATRIX_DIMS &&
	       (w->layout == DENSE || sparse) &&
	       (!sparse || w->ndim == 2 || w->ndim == MATRIX_ABSENT) &&
	       (w->ndim != MATRIX_ABSENT || w->memory.place == NO_MEMORY) &&
	       (w->memory.place != NO_MEMORY) >= (w->index.place != NO_MEMORY);
}

/* Checks that the list of failures, if any, has room for every matrix of the
 * stack. */
static int check_failed(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->failed;

	if (m->ndim == MATRIX_ABSENT)
		return 0;
	return m->memory && m->dtype == INT64 && m->ndim == 1 &&
	       a->stack <= m->dim[0] &&
	       m->dim[0] == failures_shape(a->stack).dim[0] ?
	       0 : wrong(e, "list of failures");
}

/* Checks a call's place in a gang, whose parts need shared memory. */
static int check_gang(const struct args *a, struct err *e)
{
	const struct gang *g = &a->gang;

	if (g->parts == 0 && g->board.ndim == MATRIX_ABSENT)
		return 0;
	return g->parts > 1 && g->parts <= SHEETS && g->part >= 0 &&
	       g->part < g->parts && g->width > 0 && a->op->gang &&
	       g->board.memory && g->board.memory->fd >= 0 ?
	       0 : wrong(e, "gang");
}

/* Sets *m to a reference to the memory that w names, which must hold at least
 * `bytes` bytes. */
static int map(struct memory **m, size_t bytes, const struct wire_memory *w,
               struct bundle *b, const struct slab *slab, struct err *e)
{
	if (w->place == NO_MEMORY || bytes > w->bytes)
		return wrong(e, "size");
	*m = find_memory(w, b, slab, e);
	if (!*m)
		return -1;
	if (w->place == IN_WORKER)
		return 0;
	(*m)->stored = w->stored;
	(*m)->upload_id = w->upload_id;
	return 0;
}

static int unpack(struct matrix *m, const struct wire_matrix *w,
                  struct bundle *b, const struct slab *slab, struct err *e)
{
	size_t bytes, index;

	if (!is_possible(w))
		return wrong(e, "matrix");
	*m = (struct matrix){ .dtype = (enum dtype)w->dtype, .ndim = w->ndim,
	                      .layout = (enum layout)w->layout,
	                      .nnz = w->nnz };
	for (int i = 0; i < w->ndim; i++)
		m->dim[i] = w->dim[i];
	if (w->memory.place == NO_MEMORY)
		return 0;
	if (matrix_bytes(m, &bytes, e) < 0 ||
	    matrix_index_bytes(m, &index, e) < 0 ||
	    map(&m->memory, bytes, &w->memory, b, slab, e) < 0)
		return -1;
	return m->layout == DENSE ? 0 :
	       map(&m->index, index, &w->index, b, slab, e);
}

static void set_slot(struct bundle *b, size_t i, struct memory *m)
{
	memory_unref(b->slot[i]);
	b->slot[i] = memory_ref(m);
}

/* Drops what came with a message, but for the descriptors and the memory that
 * matrices have taken over. */
static void bundle_fini(struct bundle *b)
{
	for (int i = 0; i < b->n; i++) {
		if (b->fd[i] >= 0)
			close(b->fd[i]);
		memory_unref(b->mapped[i]);
	}
	for (size_t i = 0; i < SLOTS; i++)
		memory_unref(b->slot[i]);
}

/* Notes the memory of a step's output, for the later steps that take it. */
static void keep_slot(struct bundle *b, int step, int output,
                      const struct matrix *m)
{
	if (output < 0 || output >= OP_OUTPUTS)
		return;
	set_slot(b, slot_of(step, output, false), m->memory);
	set_slot(b, slot_of(step, output, true), m->index);
}

static int unpack_all(struct args *a, const struct wire *w, size_t *at,
                      unsigned matrices, int step, struct bundle *b,
                      const struct slab *slab, struct err *e)
{
	struct wire_matrix x;

	for (int i = 0; i < MATRICES; i++) {
		if (!(matrices >> i & 1))
			continue;
		if (!take(w, at, &x, sizeof x))
			return wrong(e, "length");
		b->output = i >= OP_INPUTS;
		if (unpack((struct matrix *)matrix_of(a, i), &x, b, slab,
		           e) < 0)
			return -1;
		keep_slot(b, step, i - OP_INPUTS, matrix_of(a, i));
	}
	return check_failed(a, e) < 0 ? -1 : check_gang(a, e);
}

/* Unpacks all of a call but its matrices. */
static int unpack_head(struct args *a, const struct wire_call *w,
                       struct err *e)
{
	const struct op *o = memchr(w->op, 0, sizeof w->op)
	    ? op_find(w->op) : NULL;

	if (!o || !memchr(w->variant, 0, sizeof w->variant))
		return wrong(e, "operation");
	if (w->dtype < 0 || w->dtype >= DTYPE_COUNT)
		return wrong(e, "dtype");
	if (w->quality < 0 || w->quality > QUALITY_NONE || w->level < 0 ||
	    w->level >= TIMING_LEVELS || w->want >> OP_OUTPUTS ||
	    w->steps < 0 || w->steps > PIPELINE_STEPS || w->step < 0 ||
	    (w->step > 0 && w->step >= w->steps) ||
	    w->matrices >> MATRICES)
		return wrong(e, "choice");
	args_init(a, o);
	a->dtype = (enum dtype)w->dtype;
	a->quality = (enum quality)w->quality;
	a->want = w->want;
	a->stack = w->stack;
	a->gang.part = w->part;
	a->gang.parts = w->parts;
	a->gang.width = w->width;
	memcpy(a->param, w->param, sizeof a->param);
	a->variant = w->variant[0] ? op_variant(o, w->variant) : NULL;
	return w->variant[0] && !a->variant ? wrong(e, "variant") : 0;
}

/* Unpacks the next call. Returns false if its end cannot be found, so that the
 * calls after it are lost. A wrong call has c->err set. */
static bool receive(struct call *c, const struct wire *w, size_t *at,
                    struct bundle *b, const struct slab *slab)
{
	const size_t start = *at;
	struct wire_call x;

	*c = (struct call){ .args = { .op = NULL } };
	if (!take(w, at, &x, sizeof x)) {
		wrong(&c->err, "length");
		return false;
	}
	c->serial = x.serial;
	c->tenant = x.tenant;
	c->level = (enum timing_level)x.level;
	c->steps = x.steps;
	b->step = x.steps > 0;
	if (unpack_head(&c->args, &x, &c->err) < 0 ||
	    unpack_all(&c->args, w, at, x.matrices, x.step, b, slab,
	               &c->err) < 0)
		args_fini(&c->args);
	*at = start + sizeof x + sizeof(struct wire_matrix) *
	      (size_t)__builtin_popcount(x.matrices);
	return *at <= w->used;
}

static void receive_arrival(struct call *c, const struct wire *w,
                            struct bundle *b, const struct slab *slab)
{
	struct wire_arrival x;
	struct err e = { 0 };

	memcpy(&x, w->bytes, sizeof x);
	*c = (struct call){ .args = { .op = NULL }, .is_prefetch = true,
	                    .arrived = x.arrived };
	if (map(&c->memory, x.arrived, &x.memory, b, slab, &e) < 0)
		c->memory = NULL;
}

int call_receive(int socket, const struct slab *slab,
                 struct call calls[CALL_BATCH], struct err *e)
{
	struct bundle b = { .n = 0 };
	struct wire w;
	const ssize_t got = io_receive(socket, w.bytes, sizeof w.bytes, b.fd,
	                               &b.n);
	size_t at = 0;
	int n = 0;

	if (got == 0 || (got < 0 && errno == ECONNRESET))
		return 0;
	if (got < 0)
		return err_set(e, ERR_INTERNAL, "receiving a call: %s",
		               strerror(errno));
	w.used = (size_t)got;
	if (w.used == sizeof(struct wire_arrival)) {
		receive_arrival(&calls[n++], &w, &b, slab);
		at = w.used;
	}
	while (n < CALL_BATCH && at < w.used)
		if (!receive(&calls[n++], &w, &at, &b, slab))
			break;
	bundle_fini(&b);
	return n;
}
