/* direct.c - PoCL's device without threads, beside the one with threads.
 *
 * PoCL hands every command to its threads. Waking them, and being woken when
 * they are done, takes 15 us and up to 40 us of processor time, far more than a
 * product of 64 x 64 matrices. Its driver `basic` runs a command in the thread
 * that enqueued it. PoCL lists the devices that POCL_DEVICES names; where the
 * user has set that variable, the devices it names are used as they are, and
 * none is direct.
 *
 * The device names are those of PoCL 3. With a later PoCL, which has other
 * names, no direct device is found, and everything runs on the threads. */
#include <stdlib.h>
#include <string.h>

#include "device/sheets.h"
#include "device/state.h"

static const char variable[] = "POCL_DEVICES", both[] = "pthread basic";
static const char prefix[] = "basic-";
static bool asked;

void direct_ask(cl_platform_id platform)
{
	char version[256] = "";

	clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version - 1,
	                  version, NULL);
	if (asked || getenv(variable) || !strstr(version, " PoCL 3."))
		return;
	asked = setenv(variable, both, 0) == 0;
}

static bool is_direct(cl_device_id id)
{
	char name[1024] = "";

	clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
	return strncmp(name, prefix, sizeof prefix - 1) == 0;
}

cl_uint direct_drop(cl_device_id id[], cl_uint n)
{
	cl_uint left = 0;

	if (!asked)
		return n;
	unsetenv(variable);	/* PoCL has read it; children must not */
	if (n < 2)
		return n;
	for (cl_uint i = 0; i < n; i++)
		if (!is_direct(id[i]))
			id[left++] = id[i];
	return left;
}

/* Finds the direct device on d's platform. */
static cl_device_id find(const struct device *d, cl_platform_id *platform)
{
	cl_device_id id[SHEETS];
	cl_uint n = 0;

	if (clGetDeviceInfo(d->id, CL_DEVICE_PLATFORM, sizeof *platform,
	                    platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(*platform, CL_DEVICE_TYPE_CPU, SHEETS, id,
	                   &n) != CL_SUCCESS)
		return NULL;
	for (cl_uint i = 0; i < n && i < SHEETS; i++)
		if (id[i] != d->id && is_direct(id[i]))
			return id[i];
	return NULL;
}

struct device *device_open_direct(const struct device *d, const char *cache)
{
	cl_platform_id platform;
	cl_device_id id = asked ? find(d, &platform) : NULL;
	struct device *direct = id ? calloc(1, sizeof *direct) : NULL;

	if (!direct)
		return NULL;
	direct->id = id;
	sheet_of(platform, id, d->sheet.index, &direct->sheet);
	return device_start(direct, cache, &(struct err){ 0 });
}
