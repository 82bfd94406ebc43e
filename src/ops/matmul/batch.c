/* batch.c - computes many small products of one shape, one per call, in a
 * single launch. If the device shares the host's memory, the kernel reads each
 * operand in place. For a device with memory of its own the operands are
 * gathered into a stack, which takes no more transfers than a single
 * product. */
#include <string.h>

#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/variant.h"
#include "shared/matmul_tile.h"

/* The index of the first element of A and of B in the operands' allocation, and
 * of C in that of the results. The kernel reads a place as an int4, hence the
 * unused field. */
struct place {
	int32_t a, b, c, unused;
};

/* One allocation that holds the operands of all calls, or their results.
 * memory.bytes reaches to the end of the last matrix of any call. */
struct span {
	struct memory memory;
	struct matrix matrix;
};

static void *base_of(const struct matrix *m)
{
	return (char *)m->memory->data - m->memory->offset;
}

/* Are these products of two matrices that suit the kernel? */
static bool is_fit(const struct args *a, const struct product *p)
{
	return a->in[0].ndim == 2 && a->in[1].ndim == 2 && gemm_suits_batch(p);
}

static int32_t place_of(struct span *s, const struct matrix *m)
{
	const size_t size = dtype_bytes(m->dtype);
	const size_t end = m->memory->offset + matrix_size(m);

	if (base_of(m) != s->memory.data)
		return -1;
	s->memory.bytes = size_max(s->memory.bytes, end);
	return (int32_t)(m->memory->offset / size);
}

/* Writes the places of all calls' matrices. Returns false if the operands, or
 * the results, are not all in one allocation. */
static bool find_places(struct span *in, struct span *out,
                        struct args *const calls[], int n,
                        struct place places[])
{
	for (int i = 0; i < n; i++) {
		const struct args *a = calls[i];
		const struct place p = {
			place_of(in, &a->in[0]), place_of(in, &a->in[1]),
			place_of(out, &a->out[0]), 0,
		};

		if (p.a < 0 || p.b < 0 || p.c < 0)
			return false;
		places[i] = p;
	}
	return true;
}

static struct span span_from(const struct matrix *m)
{
	return (struct span){ .memory = { .data = base_of(m), .fd = -1 } };
}

/* The whole span as one vector. */
static const struct matrix *span_all(struct span *s, enum dtype t)
{
	s->matrix = (struct matrix){
		.dtype = t, .ndim = 1,
		.dim = { s->memory.bytes / dtype_bytes(t) },
		.memory = &s->memory,
	};
	return &s->matrix;
}

static int run_in_place(struct seq *s, struct args *const calls[], int n)
{
	const struct args *a = calls[0];
	const struct product p = product_of(a);
	struct span in = span_from(&a->in[0]), out = span_from(&a->out[0]);
	struct place places[OP_BATCH];
	struct buf operands, results;

	if (!is_fit(a, &p) || n > OP_BATCH ||
	    !find_places(&in, &out, calls, n, places))
		return 1;
	operands = seq_input(s, span_all(&in, a->dtype));
	results = seq_output(s, span_all(&out, a->dtype));

	/* C = A B, for each call */
	seq_work(s, n * product_flops(&p), n * product_bytes(&p, a->dtype));
	seq_launch(s, "matmul_batch", GRID1((size_t)n, 1),
	           ARG_BUF(operands), ARG_BUF(results),
	           ARG_BUF(seq_constant(s, places,
	                                (size_t)n * sizeof places[0])),
	           ARG_INT(p.m), ARG_INT(p.n), ARG_INT(p.k),
	           ARG_LONG(p.a_row), ARG_LONG(p.a_col), ARG_LONG(p.b_row),
	           ARG_LONG(p.b_col),
	           ARG_LOCAL(p.k * MATMUL_PANEL_BYTES));
	return seq_finish(s);
}

/* Describes a stack of n matrices like m, whose elements begin at `at`. */
static struct matrix stack_of(const struct matrix *m, int n, char *at,
                              struct memory *memory)
{
	struct matrix stack = *m;

	*memory = (struct memory){ .data = at, .fd = -1,
	                           .bytes = (size_t)n * matrix_size(m) };
	stack.memory = memory;
	stack.ndim = 3;
	stack.dim[0] = (size_t)n;
	stack.dim[1] = m->dim[0];
	stack.dim[2] = m->dim[1];
	return stack;
}

static void gather(const struct matrix *stack, struct args *const calls[],
                   int n, int operand)
{
	const size_t bytes = matrix_size(stack) / (size_t)n;

	for (int i = 0; i < n; i++)
		memcpy((char *)stack->memory->data + (size_t)i * bytes,
		       matrix_data(&calls[i]->in[operand]), bytes);
}

static void scatter(const struct matrix *stack, struct args *const calls[],
                    int n)
{
	const size_t bytes = matrix_size(stack) / (size_t)n;

	for (int i = 0; i < n; i++)
		memcpy(matrix_data(&calls[i]->out[0]),
		       (char *)stack->memory->data + (size_t)i * bytes, bytes);
}

/* Returns the bytes of a stack of n matrices like m, rounded up so that the
 * next stack is aligned for vector accesses. */
static size_t room_for(const struct matrix *m, int n)
{
	return size_round_up((size_t)n * matrix_size(m), MEMORY_ALIGN);
}

static int run_stack(struct seq *s, struct args *const calls[], int n)
{
	struct args *a = calls[0], all = *a;
	const size_t of_a = room_for(&a->in[0], n);
	const size_t of_b = room_for(&a->in[1], n);
	struct memory memory[3];
	char *at;

	if (a->in[0].ndim != 2 || a->in[1].ndim != 2 ||
	    matrix_elements(&a->out[0]) == 0 || matrix_elements(&a->in[0]) == 0)
		return 1;
	at = seq_pinned(s, of_a + of_b + room_for(&a->out[0], n));
	if (!at)
		return 1;
	all.in[0] = stack_of(&a->in[0], n, at, &memory[0]);
	all.in[1] = stack_of(&a->in[1], n, at + of_a, &memory[1]);
	all.out[0] = stack_of(&a->out[0], n, at + of_a + of_b, &memory[2]);
	gather(&all.in[0], calls, n, 0);
	gather(&all.in[1], calls, n, 1);
	if (a->variant->run(s, &all) < 0)
		return -1;
	scatter(&all.out[0], calls, n);
	return 0;
}

/* Only real products are batched: one of integers that overflows must not make
 * the other calls fail. */
int matmul_batch_run(struct seq *s, struct args *const calls[], int n)
{
	if (!(DTYPE_REALS & DTYPE_BIT(calls[0]->dtype)))
		return 1;
	for (int i = 0; i < n; i++)
		product_tell_bound(calls[i], product_bound(calls[i],
		                   product_of(calls[i]).k));
	return (seq_shares_memory(s) ? run_in_place : run_stack)(s, calls, n);
}
