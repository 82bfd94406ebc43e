/* timing.h - the time of a call and of its kernels. Plain data: it crosses
 * the socket from a worker. */
#ifndef WIRE_TIMING_H
#define WIRE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

enum { TIMING_ROWS = 48, TIMING_NAME = 40 };

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
};

enum timing_level { TIMING_FULL, TIMING_SUMMARY, TIMING_NONE };

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

#endif
