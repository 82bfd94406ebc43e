/* sheet.c - what OpenCL reports of a host's devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "device/device.h"
#include "device/sheets.h"

enum { PLATFORMS = 16 };

static void text_of(cl_device_id id, cl_device_info what, char out[SHEET_NAME])
{
	char text[1024] = "";

	clGetDeviceInfo(id, what, sizeof text - 1, text, NULL);
	snprintf(out, SHEET_NAME, "%.*s", SHEET_NAME - 1, text);
	for (char *c = out; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
}

static uint32_t uint_of(cl_device_id id, cl_device_info what)
{
	cl_uint n = 0;

	clGetDeviceInfo(id, what, sizeof n, &n, NULL);
	return n;
}

static uint64_t ulong_of(cl_device_id id, cl_device_info what)
{
	cl_ulong n = 0;

	clGetDeviceInfo(id, what, sizeof n, &n, NULL);
	return n;
}

static size_t size_of(cl_device_id id, cl_device_info what)
{
	size_t n = 0;

	clGetDeviceInfo(id, what, sizeof n, &n, NULL);
	return n;
}

/* A simulator may claim several types at once; linalgd then treats it as a
 * CPU. */
static enum device_type type_of(cl_device_id id)
{
	cl_device_type t = ulong_of(id, CL_DEVICE_TYPE);

	if (t & CL_DEVICE_TYPE_CPU)
		return DEVICE_CPU;
	return t & CL_DEVICE_TYPE_GPU ? DEVICE_GPU : DEVICE_OTHER;
}

static bool has_extension(cl_device_id id, const char *name)
{
	char text[8192] = "";

	clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof text - 1, text, NULL);
	return strstr(text, name) != NULL;
}

/* Returns the compute capability: 10 times the major part plus the minor part,
 * or 0 if the device is not NVIDIA's. */
static uint32_t nvidia_sm(cl_device_id id)
{
	if (!has_extension(id, "cl_nv_device_attribute_query"))
		return 0;
	return 10 * uint_of(id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) +
	       uint_of(id, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
}

static void subgroups_of(cl_device_id id, uint32_t out[SHEET_SUBGROUPS])
{
	size_t sizes[SHEET_SUBGROUPS] = { 0 };

	if (has_extension(id, "cl_nv_device_attribute_query"))
		out[0] = uint_of(id, CL_DEVICE_WARP_SIZE_NV);
	if (!has_extension(id, "subgroup"))
		return;
	clGetDeviceInfo(id, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes,
	                sizes, NULL);
	for (int i = 0; i < SHEET_SUBGROUPS - 1; i++)
		out[i] = (uint32_t)sizes[i];
}

/* Returns the bytes of device memory that calls may take: all of it, or what
 * --device-memory gave the front. */
static uint64_t memory_most(void)
{
	const char *text = getenv("LINALGD_DEVICE_MEMORY");
	uint64_t bytes;

	return text && options_size(text, &bytes) == 0 ? bytes : UINT64_MAX;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* NVIDIA's drivers name a quarter of the memory, the least that the standard
 * allows, but make buffers of any size: with driver 580, up to 120 of an H200's
 * 139 GiB. A call whose buffer a driver refuses gets ERR_TOO_LARGE. */
static uint64_t largest_buffer(cl_device_id id, const struct sheet *s)
{
	return s->nvidia_sm ? s->global_memory_bytes :
	       ulong_of(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
}

void sheet_of(cl_platform_id platform, cl_device_id id, int index,
              struct sheet *s)
{
	char name[1024] = "";

	*s = (struct sheet){ .index = index, .type = type_of(id) };
	clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name,
	                  NULL);
	snprintf(s->platform, sizeof s->platform, "%.*s", SHEET_NAME - 1, name);
	text_of(id, CL_DEVICE_NAME, s->name);
	text_of(id, CL_DEVICE_VENDOR, s->vendor);
	text_of(id, CL_DRIVER_VERSION, s->driver);
	text_of(id, CL_DEVICE_VERSION, s->version);
	s->compute_units = uint_of(id, CL_DEVICE_MAX_COMPUTE_UNITS);
	s->clock_mhz = uint_of(id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
	s->cache_line_bytes = uint_of(id, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
	s->global_memory_bytes = lower(memory_most(),
	    ulong_of(id, CL_DEVICE_GLOBAL_MEM_SIZE));
	s->local_memory_bytes = ulong_of(id, CL_DEVICE_LOCAL_MEM_SIZE);
	s->cache_bytes = ulong_of(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
	s->nvidia_sm = nvidia_sm(id);
	s->max_allocation_bytes = lower(s->global_memory_bytes,
	                                largest_buffer(id, s));
	s->max_work_group_size = size_of(id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
	s->float64 = ulong_of(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
	s->atomics64 = has_extension(id, "cl_khr_int64_base_atomics");
	s->unified_memory = s->type == DEVICE_CPU
	    || uint_of(id, CL_DEVICE_HOST_UNIFIED_MEMORY) != 0;
	subgroups_of(id, s->subgroup_sizes);
}

/* Writes the devices of a platform that linalgd shows, and returns their
 * number. */
static cl_uint devices_of_platform(cl_platform_id p, cl_uint room,
                                   cl_device_id id[])
{
	cl_uint n = 0;

	direct_ask(p);
	if (clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, room, id, &n) != CL_SUCCESS)
		return 0;
	return direct_drop(id, n < room ? n : room);
}

/* Writes every device of every platform, and returns their number, or -1 with
 * *e. A platform that fails counts as empty. */
static int devices_of_host(cl_platform_id platform[SHEETS],
                           cl_device_id id[SHEETS], struct err *e)
{
	cl_platform_id all[PLATFORMS];
	cl_uint n_platforms = 0, here = 0;
	int n = 0;
	cl_int rc = clGetPlatformIDs(PLATFORMS, all, &n_platforms);

	if (rc == CL_PLATFORM_NOT_FOUND_KHR)
		return 0;
	if (!CL_TRY(NULL, e, "platforms", rc))
		return -1;
	if (n_platforms > PLATFORMS)
		n_platforms = PLATFORMS;
	for (cl_uint p = 0; p < n_platforms && n < SHEETS; p++, n += here) {
		here = devices_of_platform(all[p], (cl_uint)(SHEETS - n),
		                           id + n);
		for (cl_uint i = 0; i < here; i++)
			platform[n + i] = all[p];
	}
	return n;
}

int device_list(struct sheet sheets[SHEETS], struct err *e)
{
	cl_platform_id platform[SHEETS];
	cl_device_id id[SHEETS];
	int n = devices_of_host(platform, id, e);

	for (int i = 0; i < n; i++)
		sheet_of(platform[i], id[i], i, &sheets[i]);
	return n;
}

cl_device_id sheet_find(int index, struct sheet *s, struct err *e)
{
	cl_platform_id platform[SHEETS];
	cl_device_id id[SHEETS];
	int n = devices_of_host(platform, id, e);

	if (n < 0)
		return NULL;
	if (index < 0 || index >= n) {
		err_set(e, ERR_DEVICE, "device %d does not exist, there are %d",
		        index, n);
		return NULL;
	}
	sheet_of(platform[index], id[index], index, s);
	return id[index];
}
