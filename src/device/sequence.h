/* sequence.h - the inside of a launch sequence (seq.h), shared by its files:
 * seq.c (life), buffer.c (memory), launch.c (commands), times.c (events).
 *
 * Commands carry ascending numbers. Those whose end matters have an event,
 * kept in a ring in that order until it is harvested for its times:
 *
 *     the first launch, one in every stride, a marker at the end
 *     timing full: every launch; but of a kernel that is launched often, on a
 *     device with memory of its own, the first few, then fewer and fewer
 *
 * (An event takes 7 us on an H200, a launch 4.) The time of a launch without
 * one is taken to lie between those of the timed ones before and after it.
 *
 * A launch first harvests what is four strides old, so that neither memory nor
 * the time until a cancellation is seen grows with the launches. Strides are
 * longer while launches are short.
 */
#ifndef DEVICE_SEQUENCE_H
#define DEVICE_SEQUENCE_H

#include "device/cl.h"
#include "device/seq.h"

enum { AHEAD = 64, STRIDE = 16, STRIDE_LONG = 64 };

/* What an event's time counts for; from 0 on: that row of kernels. */
enum account { ACCOUNT_KERNELS = -1, ACCOUNT_UPLOAD = -2,
	       ACCOUNT_DOWNLOAD = -3, ACCOUNT_NONE = -4 };

struct pending {
	cl_event event;
	int id;				/* the command's number */
	int account;
	uint64_t calls;			/* of its row, up to and with it */
};

/* What is known of a row of kernels so far. */
struct known {
	uint64_t calls;			/* up to the last that was harvested */
	uint64_t ns;			/* that one took */
};

/* Whose memory a buffer is; all but the host's and the device's own is in the
 * device's account. */
enum owner {
	OWNER_HOST,			/* the matrix's own, mapped */
	OWNER_SPARES,			/* goes back to the device's spares */
	OWNER_SEQUENCE,			/* ends with it */
	OWNER_RESIDENTS,
	OWNER_DEVICE			/* stays until that is closed */
};

struct buffer {
	cl_mem mem;
	size_t bytes;
	enum owner owner;
	const struct memory *memory;	/* of a matrix, until seq_finish();
					 * NULL: scratch */
	uint64_t stored;		/* its name then; see memory.h */
	struct span at;			/* what of that memory */
	bool output;
	bool awaited;			/* seq_finish() brings it to memory */
};

struct seq {
	struct device *device;
	enum dtype dtype;
	enum timing_level level;
	struct err *err;

	bool (*cancelled)(void *arg);
	void *cancelled_arg;
	void (*progress)(void *arg, double done);
	void *progress_arg;

	struct buffer *buffer;		/* buffer[id - 1] */
	int n_buffers, room;

	cl_command_queue queue;		/* the device's, of the lane that what
					 * follows is for */
	cl_command_queue lanes[2];	/* NULL: not used yet */
	unsigned kernels;		/* which that had at the start */
	int64_t compile_ns;		/* the device's, at the start */
	bool busy;			/* something runs, maybe */
	bool held;			/* seq_finish() does nothing */
	double flops, bytes;		/* of the next launch */

	struct pending ring[AHEAD];
	int oldest, n_pending;
	int last_id;			/* of all commands */
	int last_event;			/* the command that had one */
	int stride;
	int launches;
	int64_t begun_ns;		/* clock_ns() */
	int64_t host_begun_ns;		/* seq_host_begin() */
	uint64_t begin_ns, end_ns;	/* device's clock; of all kernels */
	struct timing timing;
	struct known known[TIMING_ROWS];
};

/* CL_TRY with this sequence's device and error. */
#define SEQ_TRY(s, what, call) CL_TRY((s)->device, (s)->err, (what), (call))

/* A command: enqueue it with the pointer that command_begin() gave (NULL: no
 * event needed; never if it is wanted), then end it. */
cl_event *command_begin(struct seq *s, cl_event *event, bool wanted);
void command_end(struct seq *s, cl_event event, int account);
void command_wait_all(struct seq *s);
void command_mark_end(struct seq *s);

/* there.c: fills in *l; false, with *e, when there is no such kernel or it has
 * too many arguments. */
bool launch_describe(struct launch *l, const char *kernel, enum dtype t,
                     const struct grid *g, const struct arg *args,
                     size_t n_args, struct err *e);

/* lane.c */
void lanes_finish(struct seq *s);

/* times.c: keeps the event of the last command; takes the times of all but
 * the last `keep` commands, waiting for them. */
void times_add(struct seq *s, cl_event event, int account);
void times_harvest(struct seq *s, int keep);
int times_row(struct seq *s, const char *kernel);

/* staging.c: large matrices on their way through pinned memory; returns when
 * they have arrived, and counts that time. To the buffer from `begin` on. */
bool staging_suits(const struct seq *s, const char *host,
                   const struct span *at);
void staging_upload(struct seq *s, cl_mem to, size_t begin, char *from,
                    const struct span *at);
void staging_download(struct seq *s, cl_mem from, char *to,
                      const struct span *at);

/* buffer.c */
struct buffer *buffer_get(const struct seq *s, int id);
void buffers_download(struct seq *s);
void buffers_drop(struct seq *s, int first);	/* from that index on */
void buffers_free(struct seq *s);

#endif
