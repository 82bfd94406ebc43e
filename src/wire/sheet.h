/* sheet.h - a device's properties. The struct has a fixed size and no pointers,
 * because a worker process sends it to the front. */
#ifndef WIRE_SHEET_H
#define WIRE_SHEET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { SHEET_NAME = 128, SHEET_SUBGROUPS = 8, SHEETS = 32 };

/* Bits, so that a table row can name several. A cluster is several processes,
 * joined by MPI, that compute one call together (wire/lane.h); the others are
 * OpenCL devices. */
enum device_type { DEVICE_CPU = 1, DEVICE_GPU = 2, DEVICE_OTHER = 4,
                   DEVICE_CLUSTER = 8 };

/* The peaks that `linalgd devices --measure` found; 0: not measured. */
struct peaks {
	double gflops_float32, gflops_float64, gbytes_per_s;
};

struct sheet {
	int index;			/* as in ?device=0; the same device has
					 * the same index at every start */
	enum device_type type;
	char name[SHEET_NAME], platform[SHEET_NAME], vendor[SHEET_NAME];
	char driver[SHEET_NAME], version[SHEET_NAME];
	uint32_t compute_units, clock_mhz, cache_line_bytes;
	uint64_t global_memory_bytes, local_memory_bytes, cache_bytes;
	uint64_t max_allocation_bytes, max_work_group_size;
	uint32_t subgroup_sizes[SHEET_SUBGROUPS];	/* 0-terminated */
	uint32_t nvidia_sm;		/* architecture, as 90; or 0 */
	bool float64;
	bool atomics64;			/* has atomics of 64-bit integers */
	bool unified_memory;		/* shares the host's memory */
	struct peaks peaks;
};

/* Checks a sheet that another process wrote: 0, or -1 with ERR_DEVICE, whose
 * message says what is wrong with it. */
int sheet_check(const struct sheet *s, struct err *e);

enum {
	SHEET_HEADROOM = 32,		/* 1/32 of the memory is left to the
					 * driver */
	SHEET_LOCAL_HEADROOM = 512,	/* bytes of local memory left to the
					 * driver: NVIDIA's reports 48 KiB, and
					 * takes about 0.1 KiB of these */
};

/* Bytes of the device's memory that calls may use. */
static inline uint64_t sheet_room(const struct sheet *s)
{
	return s->global_memory_bytes -
	       s->global_memory_bytes / SHEET_HEADROOM;
}

/* Returns the bytes of local memory that a work-group's arrays may take. */
static inline size_t sheet_local_room(const struct sheet *s)
{
	return s->local_memory_bytes < SHEET_LOCAL_HEADROOM ? 0 :
	       s->local_memory_bytes - SHEET_LOCAL_HEADROOM;
}

#endif
