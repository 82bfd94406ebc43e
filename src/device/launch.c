/* launch.c - kernels, fills, copies, and what the host reads in between. */
#include "base/size.h"
#include "device/sequence.h"

struct grid seq_grid(size_t n, size_t m, size_t k,
                     size_t ln, size_t lm, size_t lk)
{
	return (struct grid){
		{ size_round_up(n, ln), size_round_up(m, lm),
		  size_round_up(k, lk) },
		{ ln, lm, lk },
	};
}

/* May another command be enqueued? The place where a call is given up. */
static bool may_go_on(struct seq *s)
{
	if (seq_failed(s))
		return false;
	if (s->cancelled && s->cancelled(s->cancelled_arg))
		err_set(s->err, ERR_DISMISSED, "the call was given up");
	return !seq_failed(s);
}

static cl_int set_arg(const struct seq *s, cl_kernel k, cl_uint i,
                      const struct arg *a)
{
	cl_mem none = NULL;

	if (a->buf == 0)
		return clSetKernelArg(k, i, a->size, a->value);
	return clSetKernelArg(k, i, sizeof none, a->buf == 1
	    ? &none : &buffer_get(s, a->buf - 1)->mem);
}

static bool is_empty(const struct grid *g)
{
	return !g->global[0] || !g->global[1] || !g->global[2];
}

/* Is that call of a kernel one to be timed, where that is expensive? */
static bool is_sample(uint64_t call)
{
	enum { FIRST = 4, FEW = 256, EACH_OF_FEW = 8, EACH = 64 };

	return call <= FIRST || call % (call < FEW ? EACH_OF_FEW : EACH) == 0;
}

/* The kernel's next launch: is it one that is timed? */
static bool row_begin(struct seq *s, int row)
{
	struct kernel_time *k = &s->timing.kernel[row];

	k->calls++;
	k->flops += s->flops;
	k->bytes += s->bytes;
	return seq_shares_memory(s) || is_sample(k->calls);
}

void seq_launch_args(struct seq *s, const char *kernel, struct grid g,
                     const struct arg *args, size_t n_args)
{
	int row = ACCOUNT_KERNELS;
	bool wanted = s->launches == 0;
	cl_event event = NULL, *want;
	cl_kernel k;

	if (!may_go_on(s) || is_empty(&g))
		return;
	k = program_kernel(s->device, kernel, s->dtype, s->err);
	for (size_t i = 0; i < n_args; i++)
		SEQ_TRY(s, kernel, set_arg(s, k, (cl_uint)i, &args[i]));
	if (s->level == TIMING_FULL && !seq_failed(s))
		wanted |= row_begin(s, row = times_row(s, kernel));
	want = command_begin(s, &event, wanted);
	SEQ_TRY(s, kernel, clEnqueueNDRangeKernel(s->queue, k, 3, NULL,
	    g.global, g.local, 0, NULL, want));
	s->flops = s->bytes = 0;
	s->launches++;
	command_end(s, event, row);
}

static bool compiles(const struct seq *s, const char *kernel)
{
	struct err refused = { 0 };

	return program_kernel(s->device, kernel, s->dtype, &refused) != NULL;
}

bool seq_trusts(struct seq *s, const char *kernel,
                bool (*probe)(struct seq *s, const char *kernel))
{
	signed char *verdict = program_verdict(s->device, kernel, s->dtype);
	const int before = s->n_buffers;
	bool good;

	if (!verdict || seq_failed(s))
		return false;
	if (*verdict == 0) {
		good = compiles(s, kernel) && probe(s, kernel);
		if (seq_failed(s))
			return false;
		buffers_drop(s, before);
		*verdict = good ? 1 : -1;
	}
	return *verdict > 0;
}

void seq_fill(struct seq *s, struct buf b, size_t offset, size_t bytes,
              const void *pattern, size_t pattern_bytes)
{
	cl_event event, *want;

	if (!may_go_on(s) || bytes == 0)
		return;
	want = command_begin(s, &event, false);
	SEQ_TRY(s, "fill", clEnqueueFillBuffer(s->queue,
	    buffer_get(s, b.id)->mem, pattern, pattern_bytes, offset, bytes,
	    0, NULL, want));
	command_end(s, event, ACCOUNT_NONE);
}

void seq_copy(struct seq *s, struct buf from, size_t from_offset,
              struct buf to, size_t to_offset, size_t bytes)
{
	cl_event event, *want;

	if (!may_go_on(s) || bytes == 0)
		return;
	want = command_begin(s, &event, false);
	SEQ_TRY(s, "copy", clEnqueueCopyBuffer(s->queue,
	    buffer_get(s, from.id)->mem, buffer_get(s, to.id)->mem,
	    from_offset, to_offset, bytes, 0, NULL, want));
	command_end(s, event, ACCOUNT_NONE);
}

void seq_read(struct seq *s, struct buf b, size_t offset, void *host,
              size_t bytes)
{
	if (!may_go_on(s) || bytes == 0)
		return;
	SEQ_TRY(s, "read", clEnqueueReadBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_TRUE, offset, bytes, host, 0, NULL,
	    NULL));
}

void seq_write(struct seq *s, struct buf b, size_t offset, const void *host,
               size_t bytes)
{
	if (!may_go_on(s) || bytes == 0)
		return;
	SEQ_TRY(s, "write", clEnqueueWriteBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_TRUE, offset, bytes, host, 0, NULL,
	    NULL));
}
