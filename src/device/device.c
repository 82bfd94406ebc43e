/* device.c - opens and closes a device: its context and its queues. */
#include <stdlib.h>
#include <string.h>

#include "device/programs.h"
#include "device/sheets.h"
#include "device/staging.h"
#include "device/state.h"

static bool open_queue(struct device *d, cl_command_queue *q, struct err *e)
{
	cl_int rc = CL_SUCCESS;

	return CL_TRY_NEW(d, e, "queue", *q, clCreateCommandQueue(
	    d->context, d->id, CL_QUEUE_PROFILING_ENABLE, &rc));
}

static bool open_context(struct device *d, struct err *e)
{
	cl_int rc = CL_SUCCESS;

	return CL_TRY_NEW(d, e, "context", d->context,
	                  clCreateContext(NULL, 1, &d->id, NULL, NULL, &rc)) &&
	       device_lane(d, 0, e) != NULL;
}

cl_command_queue device_lane(struct device *d, int lane, struct err *e)
{
	if (!d->lane[lane])
		open_queue(d, &d->lane[lane], e);
	return d->lane[lane];
}

struct device *device_start(struct device *d, const char *cache,
                            struct err *e)
{
	d->programs = programs_new();
	d->cache = cache ? strdup(cache) : NULL;
	if (!d->programs || (cache && !d->cache))
		err_set(e, ERR_MEMORY, "%s: out of memory", d->sheet.name);
	if (e->code == ERR_NONE && d->id && open_context(d, e)) {
		device_notes_refresh(d);
		return d;
	}
	device_close(d);
	return NULL;
}

struct device *device_open(int index, const char *cache, struct err *e)
{
	struct device *d = calloc(1, sizeof *d);

	if (!d) {
		err_set(e, ERR_MEMORY, "device %d: out of memory", index);
		return NULL;
	}
	d->id = sheet_find(index, &d->sheet, e);
	return device_start(d, cache, e);
}

void device_close(struct device *d)
{
	if (!d)
		return;
	staging_free(d);
	early_drop_all(d);
	spare_drop_all(d);
	while (resident_drop_oldest(d))
		;
	programs_free(d->programs);
	notes_fini(&d->notes);
	free(d->cache);
	counters_drop(d);
	for (int i = DEVICE_LANES; i-- > 0; )
		if (d->lane[i])
			clReleaseCommandQueue(d->lane[i]);
	if (d->context)
		clReleaseContext(d->context);
	free(d);
}

const struct sheet *device_sheet(const struct device *d)
{
	return &d->sheet;
}

void device_limit(struct device *d, uint64_t memory, uint64_t allocation)
{
	d->sheet.global_memory_bytes = memory;
	d->sheet.max_allocation_bytes = allocation;
}

bool device_lost(const struct device *d)
{
	return d->lost;
}

int64_t device_compile_ns(const struct device *d)
{
	return d->compile_ns;
}
