/* launches.c - launches of a gang's parts one after the other. In the tests the
 * parts are threads of one process, in which PoCL 3.1 miscounts the users of a
 * kernel's code: if three parts launch it at the same time in different sizes,
 * the process may end in pocl_release_dlhandle_cache(). A worker process is
 * not affected, because it has one device and one command queue on a CPU. */
#include <pthread.h>

#include "device/cl.h"
#include "tests/ops/gang.h"

cl_int __real_clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k,
                                     cl_uint dims, const size_t *offset,
                                     const size_t *global, const size_t *local,
                                     cl_uint n, const cl_event *after,
                                     cl_event *event);
cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k,
                                     cl_uint dims, const size_t *offset,
                                     const size_t *global, const size_t *local,
                                     cl_uint n, const cl_event *after,
                                     cl_event *event);

bool gang_runs;

cl_int __wrap_clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k,
                                     cl_uint dims, const size_t *offset,
                                     const size_t *global, const size_t *local,
                                     cl_uint n, const cl_event *after,
                                     cl_event *event)
{
	static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
	cl_int rc;

	if (!gang_runs || device_sheet(test_device)->type != DEVICE_CPU)
		return __real_clEnqueueNDRangeKernel(q, k, dims, offset, global,
		                                     local, n, after, event);
	pthread_mutex_lock(&one);
	rc = __real_clEnqueueNDRangeKernel(q, k, dims, offset, global, local, n,
	                                   after, event);
	clFinish(q);
	pthread_mutex_unlock(&one);
	return rc;
}
