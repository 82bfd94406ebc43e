/* fill.c - fills parts of buffers. NVIDIA's driver (580) counts in 32 bits how
 * many patterns lie before the place, and how many it writes there. With a
 * pattern of 4 bytes it ends the queue at places from 8 GiB on, and from 16 GiB
 * on it writes elsewhere and reports nothing. So distant parts are filled as
 * sub-buffers, before whose beginning there are none. */
#include "device/fill.h"

/* Sub-buffers may begin at multiples of CL_DEVICE_MEM_BASE_ADDR_ALIGN. Of this
 * many bytes every device's alignment is a divisor. */
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
