/* timing.h - the time of a call, of its kernels and, in a trace, of each of its
 * commands. Plain data: it comes from a worker. */
#ifndef WIRE_TIMING_H
#define WIRE_TIMING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TIMING_ROWS = 64, TIMING_NAME = 40 };

/* The time of every launch of one kernel. */
struct kernel_time {
	char name[TIMING_NAME];
	uint64_t calls;
	uint64_t timed;			/* calls that had a timed event; the
					 * others' share of total_ns is an
					 * estimate */
	uint64_t total_ns, min_ns, max_ns;
	double flops, bytes;		/* of all calls; 0: unknown */
	int device;			/* index of the device; used for a job
					 * that was split into parts */
	int step;			/* index of the pipeline's step that ran
					 * the kernel; else 0 */
};

enum timing_level { TIMING_FULL, TIMING_SUMMARY, TIMING_NONE, TIMING_TRACE,
                    TIMING_LEVELS };

static inline bool timing_has_kernels(enum timing_level level)
{
	return level == TIMING_FULL || level == TIMING_TRACE;
}

struct timing {
	int64_t upload_ns, download_ns;
	int64_t compute_ns;	/* from the start of the first kernel or host
				 * computation to the end of the last */
	int64_t host_ns;	/* the part of compute_ns in LAPACK on the
				 * host */
	int64_t compile_ns;	/* waiting for kernels to be compiled */
	bool cold;		/* later calls are faster: kernels were
				 * compiled for this one, or another variant
				 * than the usual one ran */
	int n_kernels;
	struct kernel_time kernel[TIMING_ROWS];
};

/* What a trace's event is; from 0 on, a launch of that row of timing.kernel. */
enum trace_kind { TRACE_UPLOAD = -1, TRACE_DOWNLOAD = -2, TRACE_WRITE = -3,
                  TRACE_READ = -4, TRACE_FILL = -5, TRACE_COPY = -6,
                  TRACE_LAPACK = -7, TRACE_COMPILE = -8, TRACE_KINDS = -9 };

/* A command, or a piece of work of the host. */
struct trace_event {
	int64_t begin_ns, end_ns;	/* clock_ns(), of all processes */
	int32_t kind;
	int16_t lane;			/* 0 or 1: seq_lane() */
	int16_t device_clock;		/* only while the call runs: the times
					 * are the device's */
};

enum { TRACE_EVENTS = 16384 };

/* The trace of a worker's present call, in the memory that it shares with the
 * front. Calls without a trace do not touch it. */
struct trace_page {
	atomic_uint n;
	uint64_t left_out;		/* events, for want of room */
	struct trace_event event[TRACE_EVENTS];
};

#endif
