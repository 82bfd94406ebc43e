/* seq.h - a launch sequence: the kernels of one call, in order, timed.
 *
 * Sticky: after a failure (or a cancellation) every call is a no-op, so that
 * an operation reads like its algorithm and asks "did it work?" once, by
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
	int buf;			/* > 0: a buffer's id, and 1 */
};

#define ARG_BUF(b)   { sizeof(void *), NULL, (b).id + 1 }
#define ARG_INT(x)   { sizeof(int32_t), &(int32_t){ (int32_t)(x) }, 0 }
#define ARG_LONG(x)  { sizeof(int64_t), &(int64_t){ (int64_t)(x) }, 0 }
#define ARG_FLOAT(x) { sizeof(float), &(float){ (float)(x) }, 0 }
#define ARG_DOUBLE(x) { sizeof(double), &(double){ (double)(x) }, 0 }
#define ARG_LOCAL(n) { (n), NULL, 0 }

#define seq_launch(s, kernel, grid, ...)                                     \
	seq_launch_args((s), (kernel), (grid), (struct arg[]){ __VA_ARGS__ }, \
	    sizeof((struct arg[]){ __VA_ARGS__ }) / sizeof(struct arg))

/* e: the caller's, kept for the sequence's life. */
struct seq *seq_new(struct device *d, enum dtype dtype,
                    enum timing_level level, struct err *e);
void seq_free(struct seq *s);		/* waits for the device first */

enum dtype seq_dtype(const struct seq *s);
const struct sheet *seq_sheet(const struct seq *s);
struct err *seq_err(struct seq *s);
bool seq_failed(const struct seq *s);

/* A kernel compiled for another element type than the sequence's, from the
 * next launch on (BOOL etc. are not for kernels). */
void seq_set_dtype(struct seq *s, enum dtype dtype);

/* Between launches fn(arg) is asked; true ends the sequence with
 * ERR_DISMISSED. seq_progress tells how far it is, 0 to 1. */
void seq_on_cancel(struct seq *s, bool (*fn)(void *arg), void *arg);
void seq_on_progress(struct seq *s, void (*fn)(void *arg, double done),
                     void *arg);
void seq_progress(struct seq *s, double done);

/* A region of a matrix: rows of `cols` elements, from element `at` on, each
 * `ld` elements after the one before. On the device it has no gaps. */
struct region { size_t at, rows, cols, ld; };

/* Buffers. An input's and an output's memory is used as it lies on devices
 * that share the host's memory, else uploaded here and downloaded by
 * seq_finish(). Absent matrices give { 0 }. The same matrix again gives the
 * same buffer. */
struct buf seq_input(struct seq *s, const struct matrix *m);
struct buf seq_output(struct seq *s, const struct matrix *m);
struct buf seq_input_region(struct seq *s, const struct matrix *m,
                            const struct region *r);
struct buf seq_output_region(struct seq *s, const struct matrix *m,
                             const struct region *r);
struct buf seq_scratch(struct seq *s, size_t bytes);	/* undefined bytes */
struct buf seq_constant(struct seq *s, const void *host, size_t bytes);

/* SEQ_COUNTERS integers of 32 bits that are 0 while no kernel runs: who counts
 * there leaves zeros. The device's own, the same for all. */
enum { SEQ_COUNTERS = 4096 };
struct buf seq_counters(struct seq *s);

/* Do kernels work on the host's memory itself? */
bool seq_shares_memory(const struct seq *s);

/* So many bytes of the host's memory for small matrices, which go to and fro
 * at the bus's rate without another copy; the sequence's own until it ends.
 * NULL: none, or not as much. */
void *seq_pinned(struct seq *s, size_t bytes);

/* The bytes of the device's memory that all buffers so far take, which they
 * do until the sequence ends, and those of the largest. */
void seq_memory(const struct seq *s, size_t *all, size_t *largest);

/* The next launch does that much work; it shows as gflops and gbytes_per_s. */
void seq_work(struct seq *s, double flops, double bytes);

/* Launches. Arguments are copied at once. */
void seq_launch_args(struct seq *s, const char *kernel, struct grid g,
                     const struct arg *args, size_t n_args);

/* Launches of two lanes, 0 and 1, run at the same time where the device can,
 * and has memory of its own; those of a lane follow each other. The following
 * commands are that lane's. All begins and ends in lane 0: what is in lane 1
 * must have been followed there before anything is read, or finished. */
void seq_lane(struct seq *s, int lane);

/* What follows in this lane waits for all that `lane` was given so far. */
void seq_follow(struct seq *s, int lane);

/* Does the device's compiler take the kernel, and does it compute what it
 * should? The first call of a device asks the probe, which launches it and
 * looks at the result; its buffers end with it. */
bool seq_trusts(struct seq *s, const char *kernel,
                bool (*probe)(struct seq *s, const char *kernel));

void seq_fill(struct seq *s, struct buf b, size_t offset, size_t bytes,
              const void *pattern, size_t pattern_bytes);
void seq_copy(struct seq *s, struct buf from, size_t from_offset,
              struct buf to, size_t to_offset, size_t bytes);

/* Waits, then reads: for what steers the host's loop (a flag, a bracket). */
void seq_read(struct seq *s, struct buf b, size_t offset, void *host,
              size_t bytes);
void seq_write(struct seq *s, struct buf b, size_t offset, const void *host,
               size_t bytes);

/* Waits for all launches and brings every output that was asked for since the
 * last time to its memory. May be called again after more launches. */
int seq_finish(struct seq *s);

/* More launches follow what ends with seq_finish(): until this is taken back,
 * that neither waits nor brings anything. */
void seq_hold(struct seq *s, bool held);

/* The time between these two calls, in which the host computes (with LAPACK,
 * for example), is reported as the stage `host`. */
void seq_host_begin(struct seq *s);
void seq_host_end(struct seq *s);

/* The times of every kernel so far, after seq_finish(). A sequence that failed
 * may not have read its events: a kernel without one timed call is left out. */
void seq_timing(struct seq *s, struct timing *t);

#endif
