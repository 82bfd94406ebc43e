/* state.h - an open device's state. Each group of fields is for the files that
 * its comment names. */
#ifndef DEVICE_STATE_H
#define DEVICE_STATE_H

#include <stdatomic.h>

#include "device/device.h"
#include "device/kept.h"
#include "device/there.h"

struct programs;
struct staging;

/* The lanes of seq_lane(), and the one for downloads beside their launches. */
enum { LANE_DOWN = 2, DEVICE_LANES };

struct device {
	/* device.c, direct.c: */
	struct sheet sheet;
	cl_device_id id;
	cl_context context;
	cl_command_queue lane[DEVICE_LANES];	/* in order; all but lane[0]
						 * are made when needed */
	char *cache;			/* directory for binaries, or NULL */
	bool lost;			/* cl.c: see device_lost() */
	uint32_t tenant;		/* see device_serve() */
	bool mixed;			/* it has served several tenants */

	/* program.c, compile.c, launch.c: */
	struct programs *programs;
	unsigned kernels;		/* created so far */
	int64_t compile_ns;		/* spent on building programs */

	/* there.c: */
	struct notes notes;
	elsewhere_fn *elsewhere;	/* NULL: this process compiles
					 * everything itself */
	void *elsewhere_arg;

	/* Of kept.h; spare.c: */
	struct spare spare[SPARE_BUFFERS];
	uint64_t live;			/* bytes of all buffers outside of the
					 * host's memory */
	atomic_uint_least64_t *meter;	/* see device_meter(); or NULL */
	uint64_t stamp;			/* the newest of all kept buffers */
	/* resident.c: */
	struct resident resident[RESIDENTS];
	/* early.c: */
	struct early early[EARLY];
	/* staging.c, buffer.c: */
	struct staging *staging;	/* made when needed */
	cl_mem counters;		/* made when needed; zeros */
};

/* Starts a device whose id and sheet are set; frees d on failure. */
struct device *device_start(struct device *d, const char *cache,
                            struct err *e);

/* Returns the queue of a lane, made when first asked for; NULL on failure. */
cl_command_queue device_lane(struct device *d, int lane, struct err *e);

/* Drops the counters of seq_counters(), which a launch that ended early may not
 * have set to 0 again. */
void counters_drop(struct device *d);

#endif
