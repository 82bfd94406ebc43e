/* launch.c - kernels, fills, copies, and reads between launches. */
#include "base/clock.h"
#include "base/size.h"
#include "device/fill.h"
#include "device/programs.h"
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

bool seq_is_cancelled(const struct seq *s)
{
	return s->cancelled && s->cancelled(s->cancelled_arg);
}

/* A cancelled call ends here: its next command is not enqueued. */
bool seq_goes_on(struct seq *s)
{
	if (seq_failed(s))
		return false;
	if (seq_is_cancelled(s))
		err_set(s->err, ERR_DISMISSED, "the call was given up");
	return !seq_failed(s);
}

static cl_int set_arg(const struct seq *s, cl_kernel k, cl_uint i,
                      const struct arg *a)
{
	cl_mem none = NULL;

	if (a->buf < 0)
		return CL_SUCCESS;	/* set by slice() */
	if (a->buf == 0)
		return clSetKernelArg(k, i, a->size, a->value);
	return clSetKernelArg(k, i, sizeof none, a->buf == 1
	    ? &none : &buffer_get(s, a->buf - 1)->mem);
}

static bool is_empty(const struct grid *g)
{
	return !g->global[0] || !g->global[1] || !g->global[2];
}

/* Is this launch of a kernel timed, on a device where events are expensive?
 * `call` counts the kernel's launches from 1 on. */
static bool is_sample(uint64_t call)
{
	enum { FIRST = 4, FEW = 256, EACH_OF_FEW = 8, EACH = 64 };

	return call <= FIRST || call % (call < FEW ? EACH_OF_FEW : EACH) == 0;
}

/* Counts the kernel's next launch, and returns whether that launch is timed. */
static bool row_begin(struct seq *s, int row)
{
	struct kernel_time *k = &s->timing.kernel[row];

	k->calls++;
	k->flops += s->flops;
	k->bytes += s->bytes;
	return s->trace || seq_shares_memory(s) || is_sample(k->calls);
}

/* Does the launch's machine code exist, or may this process make it now? If
 * not, the sequence fails with ERR_NOT_READY. */
static bool may_launch(struct seq *s, const struct launch *l)
{
	struct device *const d = s->device;
	const int64_t now = clock_ns();
	enum elsewhere answer;

	if (!d->elsewhere || launch_is_there(d, l))
		return true;
	answer = d->elsewhere(d->elsewhere_arg, d, l, now - s->begun_ns -
	                      (d->compile_ns - s->compile_ns));
	d->compile_ns += clock_ns() - now;
	if (answer == ELSEWHERE_LATER)
		err_set(s->err, ERR_NOT_READY, "%s is being compiled",
		        program_name(l->kernel));
	return answer != ELSEWHERE_LATER;
}

/* Enqueues the kernel. If the platform compiles it at this launch, waits for
 * the launch and counts the time of the compilation. */
static void launch(struct seq *s, cl_kernel k, const struct grid *g,
                   const struct launch *l, int row, bool wanted)
{
	const char *const kernel = program_name(l->kernel);
	cl_event event = NULL, *want;
	struct first f;
	const bool first = launch_is_first(s->device, l, &f);

	want = command_begin(s, &event, wanted || first || pace_wants(s));
	SEQ_TRY(s, kernel, clEnqueueNDRangeKernel(s->queue, k, 3, NULL,
	    g->global, g->local, 0, NULL, want));
	if (first)
		s->device->compile_ns += launch_was_first(s->device, &f,
		                                          event, s->err);
	if (s->launches++ == 0)
		s->host_before_ns = s->host_since_ns;
	s->host_since_ns = 0;
	steps_launched(s);
	command_end(s, event, row);
}

/* Returns the index of the argument ARG_FIRST(), or n. */
static size_t first_of(const struct arg *args, size_t n)
{
	size_t i = 0;

	while (i < n && args[i].buf >= 0)
		i++;
	return i;
}

/* A launch, and what all of its slices share. */
struct whole {
	const char *kernel;
	struct grid grid;
	const struct arg *args;
	size_t n_args, first;		/* its arguments; the index of
					 * ARG_FIRST(), or n_args */
	cl_kernel k;			/* NULL before the first slice */
	int row;
	bool wanted;			/* is an event? */
};

/* Creates the kernel, whose machine code is there, and sets its arguments. */
static void prepare(struct seq *s, struct whole *w)
{
	w->k = program_kernel(s->device, w->kernel, s->dtype, s->err);
	for (size_t i = 0; i < w->n_args; i++)
		SEQ_TRY(s, w->kernel, set_arg(s, w->k, (cl_uint)i,
		                              &w->args[i]));
	if (timing_has_kernels(s->level) && !seq_failed(s))
		w->wanted |= row_begin(s, w->row = times_row(s, w->kernel));
}

/* Enqueues `count` work-groups from number `from` on. A launch that cannot be
 * divided is one slice, whatever its numbers. */
static bool slice(struct seq *s, struct whole *w, const struct slicing *c,
                  size_t from, size_t count)
{
	const cl_int first = (cl_int)from;
	struct grid g = w->grid;
	struct launch l;

	if (c->dim >= 0)
		g.global[c->dim] = count * g.local[c->dim];
	if (!launch_describe(&l, w->kernel, s->dtype, &g, w->args, w->n_args,
	                     s->err) || !may_launch(s, &l))
		return false;
	if (!w->k)
		prepare(s, w);
	if (c->dim >= 0)
		SEQ_TRY(s, w->kernel, clSetKernelArg(w->k, (cl_uint)w->first,
		    sizeof first, &first));
	if (!seq_failed(s))
		launch(s, w->k, &g, &l, w->row, w->wanted);
	return seq_goes_on(s);
}

static void slices(struct seq *s, struct whole *w, const struct launch *l)
{
	const struct slicing c = pace_cut(s, l, &w->grid, w->first < w->n_args ?
	                              -1 - w->args[w->first].buf : -1);
	size_t from = 0, n;

	do {
		n = pace_next(s, &c, c.groups - from);
	} while (slice(s, w, &c, from, n) && (from += n) < c.groups);
	if (from < c.groups)
		counters_drop(s->device);
	s->flops = s->bytes = 0;
}

void seq_launch_args(struct seq *s, const char *kernel, struct grid g,
                     const struct arg *args, size_t n_args)
{
	struct whole w = {
		kernel, g, args, n_args, first_of(args, n_args), NULL,
		ACCOUNT_KERNELS, s->launches == 0
	};
	const int64_t compiled_ns = s->device->compile_ns;
	const int64_t begun = s->trace ? clock_ns() : 0;
	struct launch l;

	if (!seq_goes_on(s) || is_empty(&g) ||
	    !launch_describe(&l, kernel, s->dtype, &g, args, n_args, s->err))
		return;
	slices(s, &w, &l);
	if (s->device->compile_ns > compiled_ns)
		trace_host(s, TRACE_COMPILE, begun);
}

static bool compiles(struct seq *s, const char *kernel)
{
	const struct launch l = { .kernel = program_place(kernel),
	                          .dtype = s->dtype };
	struct err refused = { 0 };

	/* Where machine code is made at launch, probe() itself checks this. */
	if (!device_compiles_at_launch(s->device) && !may_launch(s, &l))
		return false;
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

	for (size_t n; bytes > 0 && seq_goes_on(s); offset += n, bytes -= n) {
		n = pace_bytes(s, bytes);
		want = command_begin(s, &event, pace_wants(s));
		SEQ_TRY(s, "fill", device_fill(s->queue,
		    buffer_get(s, b.id)->mem, pattern, pattern_bytes, offset,
		    n, want));
		command_end(s, event, ACCOUNT_FILL);
	}
}

void seq_copy(struct seq *s, struct buf from, size_t from_offset,
              struct buf to, size_t to_offset, size_t bytes)
{
	cl_event event, *want;

	for (size_t at = 0, n; at < bytes && seq_goes_on(s); at += n) {
		n = pace_bytes(s, bytes - at);
		want = command_begin(s, &event, pace_wants(s));
		SEQ_TRY(s, "copy", clEnqueueCopyBuffer(s->queue,
		    buffer_get(s, from.id)->mem, buffer_get(s, to.id)->mem,
		    from_offset + at, to_offset + at, n, 0, NULL, want));
		command_end(s, event, ACCOUNT_COPY);
	}
}

/* Returns the event pointer for a blocking command, which only a trace
 * needs. */
static cl_event *traced_begin(struct seq *s, cl_event *event)
{
	*event = NULL;
	return s->trace ? command_begin(s, event, true) : NULL;
}

static void traced_end(struct seq *s, cl_event event, int account)
{
	if (event)
		command_end(s, event, account);
}

void seq_read(struct seq *s, struct buf b, size_t offset, void *host,
              size_t bytes)
{
	cl_event event, *want;

	if (!seq_goes_on(s) || bytes == 0)
		return;
	if (s->n_beside > 0)
		command_mark_end(s);	/* the read waits for downloads */
	if (!seq_shares_memory(s))
		times_harvest(s, 0);	/* while the device computes */
	want = traced_begin(s, &event);
	SEQ_TRY(s, "read", clEnqueueReadBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_TRUE, offset, bytes, host, 0, NULL,
	    want));
	traced_end(s, event, ACCOUNT_READ);
}

void seq_write(struct seq *s, struct buf b, size_t offset, const void *host,
               size_t bytes)
{
	cl_event event, *want;

	if (!seq_goes_on(s) || bytes == 0)
		return;
	want = traced_begin(s, &event);
	SEQ_TRY(s, "write", clEnqueueWriteBuffer(s->queue,
	    buffer_get(s, b.id)->mem, CL_TRUE, offset, bytes, host, 0, NULL,
	    want));
	traced_end(s, event, ACCOUNT_WRITE);
}
