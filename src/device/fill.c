/* fill.c - fills parts of buffers. NVIDIA's driver (580) computes the number of
 * patterns before the place, and that of those at it, in 32 bits: a fill of
 * zeros of 4 bytes ends the queue from 8 GiB on and, worse, writes elsewhere
 * from 16 GiB on. A sub-buffer's first pattern is number 0. */
#include "device/fill.h"

/* A sub-buffer may begin at any multiple of this many bytes, which is more than
 * CL_DEVICE_MEM_BASE_ADDR_ALIGN of any device. */
enum { ALIGNED = 4096 };

static cl_int fill_beyond(cl_command_queue q, cl_mem mem, const void *pattern,
                          size_t unit, size_t offset, size_t bytes,
                          cl_event *event)
{
	const size_t before = offset % ALIGNED;
	const cl_buffer_region region = { offset - before, before + bytes };
	cl_int rc;
	const cl_mem part = clCreateSubBuffer(mem, 0,
	    CL_BUFFER_CREATE_TYPE_REGION, &region, &rc);

	if (!part)
		return rc;
	rc = clEnqueueFillBuffer(q, part, pattern, unit, before, bytes, 0, NULL,
	                         event);
	clReleaseMemObject(part);
	return rc;
}

cl_int device_fill(cl_command_queue q, cl_mem mem, const void *pattern,
                   size_t unit, size_t offset, size_t bytes, cl_event *event)
{
	return offset + bytes > FILL_MOST ?
	       fill_beyond(q, mem, pattern, unit, offset, bytes, event) :
	       clEnqueueFillBuffer(q, mem, pattern, unit, offset, bytes, 0,
	                           NULL, event);
}
