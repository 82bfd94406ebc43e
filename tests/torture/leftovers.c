/* leftovers.c - a library, loaded by LD_PRELOAD, that fills the local memory of
 * a device with one byte before every launch of a kernel, as if an earlier
 * kernel had left it there:
 *
 *     LEFTOVERS=255
 *
 * is the byte; 255 makes NaN of every real number. A kernel that reads local
 * memory before it has written it then computes something else than without.
 * That something is left at all is shown by a kernel that does read it: how
 * many bytes it found is told at the end.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 64 };

static const char text[] =
	"kernel void leave(local uchar *m, ulong n, uchar value)\n"
	"{\n"
	"	for (ulong i = 0; i < n; i++)\n"
	"		((volatile local uchar *)m)[i] = value;\n"
	"}\n"
	"kernel void look(local uchar *m, ulong n, uchar value,\n"
	"                 global ulong *found)\n"
	"{\n"
	"	for (ulong i = 0; i < n; i++)\n"
	"		*found += ((volatile local uchar *)m)[i] == value;\n"
	"}\n";

typedef cl_int enqueue_fn(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                          const size_t *, const size_t *, cl_uint,
                          const cl_event *, cl_event *);

/* The kernels of the contexts that there are: one for each device. */
static struct { cl_context context; cl_kernel kernel; cl_ulong bytes; } made[4];
static unsigned long launches;
static cl_ulong found, looked;

static void tell(void)
{
	fprintf(stderr, "leftovers: before %lu launches; %llu of %llu bytes "
	        "were found again\n", launches, (unsigned long long)found,
	        (unsigned long long)looked);
}

/* Sets the arguments that both kernels have. */
static void set_arguments(cl_kernel k, cl_ulong bytes)
{
	const char *const wish = getenv("LEFTOVERS");
	const cl_uchar value = (cl_uchar)(wish ? atoi(wish) : 0);

	clSetKernelArg(k, 0, bytes, NULL);
	clSetKernelArg(k, 1, sizeof bytes, &bytes);
	clSetKernelArg(k, 2, sizeof value, &value);
}

/* Counts, once, what a kernel finds of what another one has left. */
static void look(enqueue_fn *enqueue, cl_command_queue q, int i, cl_program p)
{
	const size_t groups = GROUPS, one = 1;
	cl_kernel k = clCreateKernel(p, "look", NULL);
	cl_mem m = clCreateBuffer(made[i].context, CL_MEM_COPY_HOST_PTR,
	                          sizeof found, &found, NULL);

	set_arguments(k, made[i].bytes);
	clSetKernelArg(k, 3, sizeof m, &m);
	enqueue(q, made[i].kernel, 1, NULL, &groups, &one, 0, NULL, NULL);
	enqueue(q, k, 1, NULL, &one, &one, 0, NULL, NULL);
	clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof found, &found, 0, NULL,
	                    NULL);
	looked += made[i].bytes;
	clReleaseMemObject(m);
	clReleaseKernel(k);
}

static int make(enqueue_fn *enqueue, cl_command_queue q)
{
	const char *source = text;
	cl_context c = NULL;
	cl_device_id d;
	cl_program p;
	int i = 0;

	clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, sizeof c, &c, NULL);
	clGetCommandQueueInfo(q, CL_QUEUE_DEVICE, sizeof d, &d, NULL);
	while (i < 3 && made[i].context && made[i].context != c)
		i++;
	if (made[i].context == c)
		return i;
	if (!made[0].context)
		atexit(tell);
	made[i].context = c;
	clGetDeviceInfo(d, CL_DEVICE_LOCAL_MEM_SIZE, sizeof made[i].bytes,
	                &made[i].bytes, NULL);
	p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
	if (!p || clBuildProgram(p, 1, &d, "", NULL, NULL) != CL_SUCCESS)
		abort();
	made[i].kernel = clCreateKernel(p, "leave", NULL);
	set_arguments(made[i].kernel, made[i].bytes);
	look(enqueue, q, i, p);
	return i;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(
	cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
	const size_t *global, const size_t *local, cl_uint waits,
	const cl_event *list, cl_event *event)
{
	const size_t groups = GROUPS, one = 1;
	static enqueue_fn *enqueue;
	int i;

	if (!enqueue)
		*(void **)&enqueue = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
	i = make(enqueue, q);
	if (enqueue(q, made[i].kernel, 1, NULL, &groups, &one, 0, NULL,
	            NULL) != CL_SUCCESS || clFinish(q) != CL_SUCCESS)
		abort();
	launches++;
	return enqueue(q, k, dims, offset, global, local, waits, list, event);
}
