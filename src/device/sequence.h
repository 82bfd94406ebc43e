/* sequence.h - the inside of a launch sequence (seq.h), shared by its files:
 * seq.c (life), steps.c (several calls), buffer.c (memory), halves.c (16-bit
 * elements), launch.c (commands), pace.c (how far they may be ahead), times.c
 * (events), trace.c (their trace), download.c and beside.c (outputs).
 *
 * Commands have ascending numbers. Some have an event, which is kept in a ring
 * in that order until its times are harvested:
 *
 *     by default: the first launch, one in every stride, a marker at the end
 *     timing full: every launch; but of a kernel that is launched often, on a
 *     device with memory of its own, the first few, then fewer and fewer
 *     timing trace: every command, which trace.c then keeps
 *
 * (On an H200 an event costs 7 us and a launch 4.) The time of a launch without
 * an event is estimated from the timed launches before and after it.
 *
 * A launch first harvests events that are four strides old, so that memory does
 * not grow with the number of launches. Strides are longer while launches are
 * short. pace.c bounds the time that all queued commands take.
 */
#ifndef DEVICE_SEQUENCE_H
#define DEVICE_SEQUENCE_H

#include "device/kept.h"
#include "device/seq.h"
#include "device/state.h"

enum { AHEAD = 64, STRIDE = 16, STRIDE_LONG = 64, BESIDE = 32 };

/* What an event's time counts for. A value from 0 on is an index into the
 * kernels' rows. */
enum account { ACCOUNT_KERNELS = -1, ACCOUNT_UPLOAD = -2,
	       ACCOUNT_DOWNLOAD = -3,
	       /* Times of these commands appear only in a trace. */
	       ACCOUNT_FILL = -4, ACCOUNT_COPY = -5, ACCOUNT_CONSTANT = -6,
	       ACCOUNT_WRITE = -7, ACCOUNT_READ = -8 };

/* What a command was expected to take. { 0 }: nothing is known. */
struct paced {
	struct pace *pace;		/* its kernel's; NULL: no kernel */
	double ns;			/* by the kernel's pace */
	double nominal_ns;		/* by the sheet; 0: its work is not
					 * known */
};

struct pending {
	cl_event event;
	int id;				/* the command's number */
	int account;
	uint64_t calls;			/* launches in its row, including this
					 * one */
	bool more;			/* slices of this launch follow */
	struct paced paced;		/* of a kernel; see pace.c */
	double foreseen_ns;		/* the sequence's, with this command */
	/* For a trace. */
	int lane;
	int step;
	int64_t from_ns, to_ns;		/* clock_ns() before and after it was
					 * queued; from_ns 0: unknown */
};

/* Bounds of clock_ns() minus the device's clock; see trace.c. */
struct clock_bounds {
	int64_t low, high;		/* from the times of queueing */
	int64_t earliest, latest;	/* from the times of starts and ends */
};

/* The times of one step of a pipeline. */
struct lap {
	uint64_t begin_ns, end_ns;	/* first and last time of its kernels,
					 * by the device's clock */
	int64_t host_before_ns, host_since_ns;	/* time in which the host
					 * computes before the step's first
					 * kernel; after its last one */
	bool launched;
	int last_id;			/* the last command before the step */
};

/* The last timed call of a row of kernels. */
struct known {
	uint64_t calls;			/* launches in the row, up to that
					 * one */
	uint64_t ns;			/* its time */
};

/* Who owns a buffer's memory. All but OWNER_HOST and OWNER_DEVICE counts in the
 * device's account. */
enum owner {
	OWNER_HOST,			/* the matrix's own memory, mapped */
	OWNER_SPARES,			/* returns to the device's spares */
	OWNER_SEQUENCE,			/* released with the sequence */
	OWNER_RESIDENTS,
	OWNER_DEVICE			/* released with the device */
};

/* Some bytes of a buffer. */
struct extent { size_t begin, end; };

struct buffer {
	cl_mem mem;
	size_t bytes;
	enum owner owner;
	struct memory *memory;		/* of a matrix, until seq_finish();
					 * NULL: scratch */
	uint64_t stored;		/* the number of a stored matrix's
					 * contents, or 0; see memory.h */
	void *sent;			/* the copy that is uploaded to the
					 * buffer, owned; or NULL */
	struct span at;			/* its part of that memory */
	int wide;			/* halves.c: the buffer of 16-bit
					 * elements as float32; or 0 */
	enum dtype dtype;		/* of the elements, if `wide` is set */
	struct lower lower;		/* set by seq_output_lower() */
	struct extent complete;		/* by seq_output_done() */
	struct extent downloading;	/* the part of it whose download is
					 * enqueued */
	bool output;
	bool awaited;			/* seq_finish() downloads it */
	bool fresh;			/* an output of the present step */
	bool stays;			/* seq_end_step() keeps the buffer */
};

/* The address of the buffer's first row in its matrix's memory. */
static inline char *buffer_host(const struct buffer *b)
{
	return (char *)b->memory->data + b->at.at;
}

struct seq {
	struct device *device;
	enum dtype dtype;
	enum timing_level level;
	struct err *err;

	bool (*cancelled)(void *arg);
	void *cancelled_arg;
	void (*progress)(void *arg, double done);
	void *progress_arg;
	double progress_from, progress_to;	/* see seq_progress_within() */

	struct buffer *buffer;		/* buffer[id - 1] */
	int n_buffers, room;

	cl_command_queue queue;		/* of the lane that the following
					 * commands are for */
	cl_command_queue lanes[DEVICE_LANES];	/* NULL: not used yet */
	unsigned kernels;		/* the device's number, at the start */
	int64_t compile_ns;		/* the device's time, at the start */
	bool busy;			/* commands may be running */
	bool held;			/* seq_finish() does nothing */
	bool deferred;			/* see seq_defer() */
	struct lap *laps;		/* one per step; NULL: the sequence is
					 * of one call */
	int n_laps, step;		/* number of steps; the present step,
					 * -1 before the first */
	size_t most_bytes;		/* the most that all buffers had at the
					 * end of a step, or at a seq_drop() */
	size_t largest;			/* bytes of the largest buffer that
					 * seq_drop() has given back */
	double flops, bytes;		/* of the next launch */
	double flops_expected;		/* of the call; 0: unknown */
	double flops_launched;		/* so far */
	bool reports;			/* seq_progress() was called */

	/* pace.c: the time that all commands so far should take; those that
	 * have ended; those up to the last event. */
	double foreseen_ns, ended_ns, marked_ns;
	struct paced paced;		/* the next command's */
	bool more;			/* the next command is a slice, and not
					 * its launch's last one */
	uint64_t slices_ns;		/* time of the slices harvested so far
					 * of a launch */

	cl_event beside[BESIDE];	/* downloads by beside.c, owned */
	int n_beside;

	struct pending ring[AHEAD];
	int oldest, n_pending;
	int last_id;			/* of the last command */
	int last_event;			/* of the last command with an event */
	int stride;
	int launches;
	int64_t begun_ns;		/* clock_ns() at the start */
	int64_t host_begun_ns;		/* of seq_host_begin() */
	int64_t host_before_ns;		/* host time before the first kernel */
	int64_t host_since_ns;		/* host time since the last launch */
	uint64_t begin_ns, end_ns;	/* of all kernels, device's clock */
	struct timing timing;
	struct known known[TIMING_ROWS];

	struct trace_page *trace;	/* borrowed; NULL: no trace */
	int64_t from_ns;		/* of the next command */
	struct clock_bounds clock;
};

/* CL_TRY with this sequence's device and error. */
#define SEQ_TRY(s, what, call) CL_TRY((s)->device, (s)->err, (what), (call))

/* A command is enqueued between these two calls, with the event pointer that
 * command_begin() returns. The pointer is NULL if no event is needed, which is
 * never the case if `wanted` is set. */
cl_event *command_begin(struct seq *s, cl_event *event, bool wanted);
void command_end(struct seq *s, cl_event event, int account);
void command_wait_all(struct seq *s);
void command_mark_end(struct seq *s);

/* pace.c: how the work-groups of a launch are divided into slices. pace_cut()
 * begins a launch of `groups` work-groups along dimension dim, or -1 if it
 * cannot be divided. pace_next() returns the number of work-groups of the next
 * slice, of `left` ones, and prepares the sequence for it. pace_wants(): does
 * the next command need an event? pace_bytes() prepares for a fill or copy and
 * returns its bytes, at most `left`. */
struct slicing {
	const struct launch *launch;
	int dim;
	size_t groups, most;
	double nominal_ns;		/* of all work-groups; 0: unknown */
	double flops;
};
struct slicing pace_cut(struct seq *s, const struct launch *l,
                    const struct grid *g, int dim);
size_t pace_next(struct seq *s, const struct slicing *c, size_t left);
bool pace_wants(const struct seq *s);
size_t pace_bytes(struct seq *s, size_t left);
void pace_learn(const struct paced *p, double ns);

/* lane.c: lane_mark() returns a marker behind the queue's commands, to be
 * released by the caller, or NULL on failure. It flushes the queue, because
 * another queue does not wait for commands that have not been submitted.
 * lanes_flush() submits what all lanes have queued. */
cl_event lane_mark(struct seq *s, cl_command_queue q);
void lanes_flush(struct seq *s);
void lanes_finish(struct seq *s);

/* times.c: times_add() keeps the event of the last command; times_harvest()
 * waits for all but the last `keep` commands and takes their times. */
void times_add(struct seq *s, cl_event event, int account);
void times_harvest(struct seq *s, int keep);
int times_row(struct seq *s, const char *kernel);

/* trace.c: trace_command() adds a command that has ended, with its times on the
 * device's clock. trace_host() adds, if there is a trace, work of the host from
 * begun_ns until now. trace_settle() converts all times to clock_ns() and a
 * kernel's row r to row[r]. */
void trace_command(struct seq *s, const struct pending *p, cl_ulong begin,
                   cl_ulong end);
void trace_host(struct seq *s, int kind, int64_t begun_ns);
void trace_settle(struct seq *s, const int row[TIMING_ROWS]);

/* steps.c: steps_lap() returns a step's times, or NULL if there is no such
 * step. steps_launched() notes a launch of the present step. */
struct lap *steps_lap(struct seq *s, int step);
void steps_launched(struct seq *s);

/* halves.c: halves_input() and halves_output() return, for the buffer of a
 * matrix of that dtype, the buffer that kernels see. halves_round() enqueues
 * the rounding of the outputs that seq_finish() downloads. */
struct buf halves_input(struct seq *s, struct buf b, enum dtype t);
struct buf halves_output(struct seq *s, struct buf b, enum dtype t);
void halves_round(struct seq *s);

/* buffer.c */
struct buffer *buffer_get(const struct seq *s, int id);
/* Makes a buffer of undefined bytes, described by b. */
struct buf buffer_scratch(struct seq *s, struct buffer b);
/* Describes the buffer of a region of a matrix, without memory on the
 * device. */
struct buffer buffer_like(const struct matrix *m, const struct region *r);
/* Copy all of a buffer but its first `sent` bytes from the host, and all of it
 * to the host. */
void buffer_upload(struct seq *s, const struct buffer *b, size_t sent);
void buffer_download(struct seq *s, struct buffer *b);
/* Returns the resident buffer of the stored contents and the part of them that
 * b describes; { 0 } if there is none. */
struct buf buffer_resident(struct seq *s, struct buffer b);
void buffers_download(struct seq *s);
/* Returns whether seq_finish() must download any output. */
bool buffers_wait(const struct seq *s);

/* beside.c: beside_rest() enqueues the download of what is left of an output,
 * and returns false if none of it has been downloaded yet. beside_settle()
 * counts the time of these downloads, after the lanes have ended. */
bool beside_rest(struct seq *s, struct buffer *b);
void beside_settle(struct seq *s);
/* Drops the buffers from index `first` on. */
void buffers_drop(struct seq *s, int first);
void buffer_let_go(struct seq *s, struct buffer *b);
size_t buffers_bytes(const struct seq *s);
void buffers_free(struct seq *s);

#endif
