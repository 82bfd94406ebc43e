/* seq.h - a launch sequence: the kernels of one call, in order, timed.
 *
 * Sticky: after a failure (or a cancellation) every call is a no-op, so that
 * an operation reads like its algorithm and checks for failure once, by
 * returning seq_finish(). The sequence owns every buffer it hands out and
 * records every launch under its kernel's name.
 *
 *     struct buf a = seq_input(s, &args->in[0]);
 *     struct buf c = seq_output(s, &args->out[0]);
 *
 *     // C = A B
 *     seq_work(s, 2.0 * m * n * k, bytes);
 *     seq_launch(s, "matmul_tile", GRID2(n, m, TILE, TILE),
 *                ARG_BUF(a), ARG_BUF(b), ARG_BUF(c), ARG_INT(m), …);
 *     return seq_finish(s);
 *
 * Kernel names are unique in kernels/; a kernel is compiled for the
 * sequence's dtype (see kernels/lib/real.h) when it is first launched.
 */
#ifndef DEVICE_SEQ_H
#define DEVICE_SEQ_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "matrix/matrix.h"
#include "wire/sheet.h"
#include "wire/timing.h"

struct device;
struct seq;

struct buf { int id; };			/* { 0 }: none */

struct grid {
	size_t global[3], local[3];
};

/* Work-items (rounded up to whole work-groups) by work-group size. */
#define GRID1(n, ln) seq_grid(n, 1, 1, ln, 1, 1)
#define GRID2(n, m, ln, lm) seq_grid(n, m, 1, ln, lm, 1)
#define GRID3(n, m, k, ln, lm, lk) seq_grid(n, m, k, ln, lm, lk)
struct grid seq_grid(size_t n, size_t m, size_t k,
                     size_t ln, size_t lm, size_t lk);

struct arg {
	size_t size;
	const void *value;		/* NULL: that much local memory */
	int buf;			/* > 0: a buffer's id plus 1; < 0: see
					 * ARG_FIRST() */
};

#define ARG_BUF(b)   { sizeof(void *), NULL, (b).id + 1 }
#define ARG_INT(x)   { sizeof(int32_t), &(int32_t){ (int32_t)(x) }, 0 }
#define ARG_LONG(x)  { sizeof(int64_t), &(int64_t){ (int64_t)(x) }, 0 }
#define ARG_FLOAT(x) { sizeof(float), &(float){ (float)(x) }, 0 }
#define ARG_DOUBLE(x) { sizeof(double), &(double){ (double)(x) }, 0 }
#define ARG_LOCAL(n) { (n), NULL, 0 }

/* An int that the sequence sets, which the kernel adds to get_group_id(dim).
 * With this argument a launch is divisible along that dimension: if it would
 * take long, it becomes several, each of some of the work-groups, between which
 * the call can be cancelled. The kernel must not use get_num_groups(dim) or
 * get_global_size(dim), a work-group must not wait for another one, and
 * seq_work() must have told the launch's work. */
#define ARG_FIRST(dim) { sizeof(int32_t), NULL, -1 - (dim) }

#define seq_launch(s, kernel, grid, ...)                                     \
	seq_launch_args((s), (kernel), (grid), (struct arg[]){ __VA_ARGS__ }, \
	    sizeof((struct arg[]){ __VA_ARGS__ }) / sizeof(struct arg))

/* Returns NULL with *e if there is no memory. e belongs to the caller and must
 * outlive the sequence. */
struct seq *seq_new(struct device *d, enum dtype dtype,
                    enum timing_level level, struct err *e);
void seq_free(struct seq *s);		/* waits for the device first */

enum dtype seq_dtype(const struct seq *s);
const struct sheet *seq_sheet(const struct seq *s);
struct err *seq_err(struct seq *s);
bool seq_failed(const struct seq *s);

/* From the next launch on, kernels are compiled for that element type (not BOOL
 * and the like) instead of the sequence's. */
void seq_set_dtype(struct seq *s, enum dtype dtype);

/* Calls fn(arg) between launches; true ends the sequence with ERR_DISMISSED.
 * seq_progress() reports how far the call is, from 0 to 1. */
void seq_on_cancel(struct seq *s, bool (*fn)(void *arg), void *arg);
void seq_on_progress(struct seq *s, void (*fn)(void *arg, double done),
                     void *arg);
void seq_progress(struct seq *s, double done);

/* Until the next call of this function, 0 to 1 of seq_progress() stand for
 * `from` to `to`: for an algorithm that is a step of another one. */
void seq_progress_within(struct seq *s, double from, double to);

/* The call has that many floating-point operations. Until the first call of
 * seq_progress(), long launches report the share that they had of them. */
void seq_expect(struct seq *s, double flops);

/* May the call go on: has it neither failed nor been cancelled? For long work
 * on the host, during which no launch checks for a cancellation. */
bool seq_goes_on(struct seq *s);

/* Has the call been cancelled? Unlike seq_goes_on(), this changes nothing, and
 * any thread may call it. */
bool seq_is_cancelled(const struct seq *s);

/* A region of a matrix: rows of `cols` elements, the first at element `at`,
 * each `ld` elements after the one before. Its buffer has no gaps. */
struct region { size_t at, rows, cols, ld; };

/* Buffers, which belong to the sequence. On devices that share the host's
 * memory, inputs and outputs are used in place; on others seq_input() uploads
 * the matrix, and seq_finish() downloads the output. An absent matrix gives
 * { 0 }, and a matrix that already has a buffer gives that buffer. Kernels see
 * the elements of float16 and bfloat16 matrices as float32: seq_input()
 * converts the elements, and seq_finish() rounds them. seq_constant() copies
 * `bytes` bytes of the host. */
struct buf seq_input(struct seq *s, const struct matrix *m);
struct buf seq_output(struct seq *s, const struct matrix *m);
struct buf seq_input_region(struct seq *s, const struct matrix *m,
                            const struct region *r);
struct buf seq_output_region(struct seq *s, const struct matrix *m,
                             const struct region *r);
struct buf seq_scratch(struct seq *s, size_t bytes);	/* undefined bytes */

/* Returns a buffer for what follows from the elements of m, such as a factor of
 * it, under a number of the caller's (ops/derived.h). If m is stored, the
 * buffer stays on the device when the sequence ends without a failure. Sets
 * *known to whether an earlier sequence has filled it; otherwise this one
 * must. */
struct buf seq_derived(struct seq *s, const struct matrix *m, int number,
                       size_t bytes, bool *known);

/* Returns the buffer, of undefined elements, of a matrix that exists on the
 * device alone: seq_input() and seq_output() of the whole matrix, whose memory
 * the caller keeps until the sequence has finished and whose data is NULL,
 * return it, too. */
struct buf seq_temporary(struct seq *s, const struct matrix *m);
struct buf seq_constant(struct seq *s, const void *host, size_t bytes);

/* seq_drop() gives back the buffers that were made since seq_mark() returned
 * that mark. Commands that use them may still run, unless they are in lane 1:
 * the next user's commands follow them in lane 0. Outputs must have been
 * downloaded by seq_finish(). */
int seq_mark(const struct seq *s);
void seq_drop(struct seq *s, int mark);

/* Declares that the output b holds lower triangular n x n matrices of the
 * sequence's element type, n > 0, with zeros above their diagonals. If b is
 * large, these zeros are not downloaded, but written by the host. */
void seq_output_lower(struct seq *s, struct buf b, size_t n);

/* seq_output_done() says that the commands so far of the present lane complete
 * bytes begin to end - 1 of the output b, which are adjacent to what earlier
 * calls named. Where the driver has pinned the output's memory on the host,
 * these bytes are then downloaded beside later launches. seq_downloads_beside()
 * returns whether that is so: whether it pays to complete a large output in
 * parts. Neither does anything for other buffers. seq_outputs_done() says that
 * all outputs are complete: later launches only read them. */
void seq_output_done(struct seq *s, struct buf b, size_t begin, size_t end);
void seq_outputs_done(struct seq *s);
bool seq_downloads_beside(const struct seq *s, struct buf b);

/* SEQ_COUNTERS 32-bit integers that belong to the device and are shared by all
 * its kernels. They are 0 between kernels: a kernel that uses one must reset it
 * to 0 before it ends. A launch that is given up between two slices ends their
 * use: the device's next sequence gets others. */
enum { SEQ_COUNTERS = 4096 };
struct buf seq_counters(struct seq *s);

/* Returns whether kernels work directly in the host's memory. */
bool seq_shares_memory(const struct seq *s);

/* Returns pinned host memory for small matrices, between which and the device
 * copies run at the bus's rate. The memory is valid until the sequence ends.
 * NULL if there is none, or less than `bytes`. */
void *seq_pinned(struct seq *s, size_t bytes);

/* Returns the bytes of device memory of all buffers made so far, which they
 * occupy until the sequence ends, and the bytes of the largest buffer. */
void seq_memory(const struct seq *s, size_t *all, size_t *largest);

/* Sets the floating-point operations and the bytes moved of the next launch,
 * which are reported as gflops and gbytes_per_s. */
void seq_work(struct seq *s, double flops, double bytes);

/* Launches a kernel. Arguments are copied at once. */
void seq_launch_args(struct seq *s, const char *kernel, struct grid g,
                     const struct arg *args, size_t n_args);

/* Selects the lane, 0 or 1, of the following commands. Launches of a lane run
 * in order; those of different lanes may run at the same time, on devices that
 * can do so and have memory of their own. A sequence begins and ends in lane 0:
 * before it reads or finishes, lane 0 must follow lane 1. */
void seq_lane(struct seq *s, int lane);

/* Makes the following commands of the current lane wait for all earlier
 * commands of `lane`. */
void seq_follow(struct seq *s, int lane);

/* Does the device's compiler accept the kernel, and does the kernel compute
 * what it should? The first call for a device runs `probe`, which launches the
 * kernel and checks its result; the probe's buffers end with it. */
bool seq_trusts(struct seq *s, const char *kernel,
                bool (*probe)(struct seq *s, const char *kernel));

void seq_fill(struct seq *s, struct buf b, size_t offset, size_t bytes,
              const void *pattern, size_t pattern_bytes);
void seq_copy(struct seq *s, struct buf from, size_t from_offset,
              struct buf to, size_t to_offset, size_t bytes);

/* seq_read() waits for all launches and then reads `bytes` bytes: for values
 * that control the host's loop, such as a flag or a bracket. seq_write()
 * writes, and returns when the host's bytes may be changed. */
void seq_read(struct seq *s, struct buf b, size_t offset, void *host,
              size_t bytes);
void seq_write(struct seq *s, struct buf b, size_t offset, const void *host,
               size_t bytes);

/* Do the same by the present lane, without waiting for the other one, and
 * return when the bytes have arrived. */
void seq_lane_read(struct seq *s, struct buf b, size_t offset, void *host,
                   size_t bytes);
void seq_lane_write(struct seq *s, struct buf b, size_t offset,
                    const void *host, size_t bytes);

/* Copy a region between a matrix in the host's memory and the start of a buffer
 * that the sequence already has, by the present lane. The elements are copied
 * as they are stored, so the matrix must be of the sequence's type. The host
 * may use its side only after seq_finish(), but copies of one lane follow each
 * other. For matrices that stay in the host's memory, of which the device holds
 * a part at a time. */
void seq_load(struct seq *s, const struct matrix *m, const struct region *r,
              struct buf b);
void seq_store(struct seq *s, struct buf b, const struct matrix *m,
               const struct region *r);

/* Waits for all launches and downloads every output that was requested since
 * the last call. Returns -1 if the sequence has failed. More launches may
 * follow, and another call of seq_finish(). */
int seq_finish(struct seq *s);

/* Waits for all launches after a failure, too: the device then writes no more
 * to memory that it shares with the host. */
void seq_wait(struct seq *s);

/* A sequence may run several calls, the steps of a pipeline. seq_steps() sets
 * the number of steps. seq_step() begins the next step, with the element type
 * dtype; its kernels get rows of their own in the timing. seq_end_step() drops
 * the buffers of the present step, except those of memory for which stays()
 * returns true. seq_keep_up() waits until the device has begun the present
 * step: this bounds the steps that are enqueued, and so the delay of a
 * cancellation. seq_step_ns() returns the compute_ns of a step, and may be
 * called after seq_finish(). */
void seq_steps(struct seq *s, int n);
void seq_step(struct seq *s, enum dtype dtype);
void seq_end_step(struct seq *s, bool (*stays)(void *arg,
                  const struct memory *m), void *arg);
void seq_keep_up(struct seq *s);
int64_t seq_step_ns(const struct seq *s, int step);

/* While a sequence is deferred, seq_finish() leaves those outputs on the device
 * that the host has not looked at: memory.look is set, and memory.looked is
 * not. It downloads all other outputs, and waits only if there are any.
 * seq_fetch() downloads an output that seq_finish() has left on the device. */
void seq_defer(struct seq *s, bool deferred);
void seq_fetch(struct seq *s, const struct memory *m);

/* While a sequence is held, seq_finish() neither waits nor downloads, because
 * more launches follow. */
void seq_hold(struct seq *s, bool held);

/* The time between these two calls, in which the host computes (with LAPACK,
 * for example), is reported as the stage `host`. The host computes with what
 * kernels have written, so the caller has waited for them before. */
void seq_host_begin(struct seq *s);
void seq_host_end(struct seq *s);

/* Records every command and transfer from now on in t, which must outlive the
 * sequence and whose times are complete after seq_timing(). */
void seq_trace(struct seq *s, struct trace_page *t);

/* Returns the times of every kernel so far in *t, after seq_finish(). A
 * sequence that failed may not have read all its events: a kernel without a
 * timed launch is left out. */
void seq_timing(struct seq *s, struct timing *t);

#endif
