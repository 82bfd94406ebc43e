/* cl_layer.c - a layer between a worker and OpenCL, which OPENCL_LAYERS names:
 * it fails one call, as the table of faults.h says, and counts the objects that
 * live.
 *
 * A call that fails is not passed on, but for those that release: these release
 * and report the failure, so that what stays alive is a leak of the caller's.
 * Processes other than workers pass unchanged.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_layer.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/faults/faults.h"

#define CALL CL_API_CALL

enum object { CONTEXT, QUEUE, BUFFER, PROGRAM, KERNEL, EVENT };

/* The functions that the service calls, in the order of their numbers. */
#define FUNCTIONS(X)                                                       \
	X(GetPlatformIDs) X(GetPlatformInfo) X(GetDeviceIDs)               \
	X(GetDeviceInfo) X(CreateContext) X(ReleaseContext)                \
	X(CreateCommandQueue) X(ReleaseCommandQueue) X(CreateBuffer)       \
	X(ReleaseMemObject) X(CreateProgramWithSource)                     \
	X(CreateProgramWithBinary) X(ReleaseProgram) X(BuildProgram)       \
	X(GetProgramInfo) X(GetProgramBuildInfo) X(CreateKernel)           \
	X(ReleaseKernel) X(SetKernelArg) X(WaitForEvents) X(ReleaseEvent)  \
	X(GetEventProfilingInfo) X(Flush) X(Finish) X(EnqueueReadBuffer)   \
	X(EnqueueWriteBuffer) X(EnqueueCopyBuffer) X(EnqueueMapBuffer)     \
	X(EnqueueUnmapMemObject) X(EnqueueNDRangeKernel)                   \
	X(EnqueueReadBufferRect) X(EnqueueWriteBufferRect)                 \
	X(EnqueueFillBuffer) X(EnqueueMarkerWithWaitList)                  \
	X(EnqueueBarrierWithWaitList)

enum function {
#define NUMBER(name) NUMBER_OF_##name,
	FUNCTIONS(NUMBER)
#undef NUMBER
	FUNCTIONS_COUNT
};

_Static_assert((int)FUNCTIONS_COUNT <= (int)FAULT_FUNCTIONS,
               "faults.h has room");

static struct fault_table *table;
static const cl_icd_dispatch *below;
static cl_icd_dispatch layer;

static bool is_worker(void)
{
	char line[4096] = "";
	const int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
	bool found = false;

	if (fd >= 0)
		close(fd);
	for (const char *a = line; a < line + n; a += strlen(a) + 1)
		found |= strcmp(a, "--control") == 0;
	return found;
}

static void open_table(void)
{
	const char *path = getenv("LINALGD_FAULTS");
	const int fd = path && is_worker() ? open(path, O_RDWR | O_CLOEXEC) :
	                                     -1;
	void *at = MAP_FAILED;

	if (fd < 0)
		return;
	at = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	          0);
	close(fd);
	if (at == MAP_FAILED)
		return;
	table = at;
	for (int i = 0; i < FAULT_OBJECTS; i++)
		table->objects[i] = 0;
}

/* CL_SUCCESS, or what the call must fail with. */
static cl_int fault(enum function f)
{
	struct fault_point *p;

	if (!table)
		return CL_SUCCESS;
	table->calls_of[f]++;
	p = &table->point[FAULT_WORKER][FAULT_OPENCL];
	if ((table->function && table->function != f + 1) ||
	    ++p->calls != p->fail_at)
		return CL_SUCCESS;
	p->failed++;
	p->frames[0] = f + 1;
	return (cl_int)p->code;
}

static void count(enum object o, int n)
{
	if (table)
		table->objects[o] += n;
}

static cl_int gave(cl_int rc, const cl_event *event)
{
	if (rc == CL_SUCCESS && event)
		count(EVENT, 1);
	return rc;
}

static void *made(enum object o, void *object)
{
	if (object)
		count(o, 1);
	return object;
}

static cl_int released(enum object o, cl_int failure, cl_int rc)
{
	if (rc == CL_SUCCESS)
		count(o, -1);
	return failure ? failure : rc;
}

static void *refuse(cl_int rc, cl_int *told)
{
	if (told)
		*told = rc;
	return NULL;
}

/* A function that returns a status. */
#define ASK(name, params, args)                                            \
	static cl_int CALL name params                                     \
	{                                                                  \
		const cl_int rc = fault(NUMBER_OF_##name);                 \
									   \
		return rc ? rc : below->cl##name args;                     \
	}

/* One that enqueues, and may return an event. */
#define ENQUEUE(name, params, args)                                        \
	static cl_int CALL name params                                     \
	{                                                                  \
		const cl_int rc = fault(NUMBER_OF_##name);                 \
									   \
		return rc ? rc : gave(below->cl##name args, event);        \
	}

/* One that makes an object, and stores the status through told. */
#define MAKE(name, type, object, params, args)                             \
	static type CALL name params                                       \
	{                                                                  \
		const cl_int rc = fault(NUMBER_OF_##name);                 \
									   \
		return rc ? refuse(rc, told) :                             \
		       made(object, below->cl##name args);                 \
	}

#define RELEASE(name, type, object)                                        \
	static cl_int CALL name(type it)                                   \
	{                                                                  \
		const cl_int rc = fault(NUMBER_OF_##name);                 \
									   \
		return released(object, rc, below->cl##name(it));          \
	}

ASK(GetPlatformIDs, (cl_uint n, cl_platform_id *to, cl_uint *got),
    (n, to, got))
ASK(GetPlatformInfo, (cl_platform_id p, cl_platform_info what, size_t room,
                      void *to, size_t *n), (p, what, room, to, n))
ASK(GetDeviceIDs, (cl_platform_id p, cl_device_type type, cl_uint n,
                   cl_device_id *to, cl_uint *got), (p, type, n, to, got))
ASK(GetDeviceInfo, (cl_device_id d, cl_device_info what, size_t room,
                    void *to, size_t *n), (d, what, room, to, n))
MAKE(CreateContext, cl_context, CONTEXT,
     (const cl_context_properties *p, cl_uint n, const cl_device_id *d,
      void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
      void *arg, cl_int *told), (p, n, d, notify, arg, told))
RELEASE(ReleaseContext, cl_context, CONTEXT)
MAKE(CreateCommandQueue, cl_command_queue, QUEUE,
     (cl_context c, cl_device_id d, cl_command_queue_properties p,
      cl_int *told), (c, d, p, told))
RELEASE(ReleaseCommandQueue, cl_command_queue, QUEUE)
MAKE(CreateBuffer, cl_mem, BUFFER,
     (cl_context c, cl_mem_flags flags, size_t n, void *host, cl_int *told),
     (c, flags, n, host, told))
RELEASE(ReleaseMemObject, cl_mem, BUFFER)
MAKE(CreateProgramWithSource, cl_program, PROGRAM,
     (cl_context c, cl_uint n, const char **text, const size_t *length,
      cl_int *told), (c, n, text, length, told))
MAKE(CreateProgramWithBinary, cl_program, PROGRAM,
     (cl_context c, cl_uint n, const cl_device_id *d, const size_t *length,
      const unsigned char **bytes, cl_int *status, cl_int *told),
     (c, n, d, length, bytes, status, told))
RELEASE(ReleaseProgram, cl_program, PROGRAM)
ASK(BuildProgram, (cl_program p, cl_uint n, const cl_device_id *d,
                   const char *options,
                   void (CL_CALLBACK *notify)(cl_program, void *),
                   void *arg), (p, n, d, options, notify, arg))
ASK(GetProgramInfo, (cl_program p, cl_program_info what, size_t room,
                     void *to, size_t *n), (p, what, room, to, n))
ASK(GetProgramBuildInfo, (cl_program p, cl_device_id d,
                          cl_program_build_info what, size_t room, void *to,
                          size_t *n), (p, d, what, room, to, n))
MAKE(CreateKernel, cl_kernel, KERNEL,
     (cl_program p, const char *name, cl_int *told), (p, name, told))
RELEASE(ReleaseKernel, cl_kernel, KERNEL)
ASK(SetKernelArg, (cl_kernel k, cl_uint i, size_t n, const void *value),
    (k, i, n, value))
ASK(WaitForEvents, (cl_uint n, const cl_event *event), (n, event))
RELEASE(ReleaseEvent, cl_event, EVENT)
ASK(GetEventProfilingInfo, (cl_event event, cl_profiling_info what,
                            size_t room, void *to, size_t *n),
    (event, what, room, to, n))
ASK(Flush, (cl_command_queue q), (q))
ASK(Finish, (cl_command_queue q), (q))
ENQUEUE(EnqueueReadBuffer,
        (cl_command_queue q, cl_mem b, cl_bool blocks, size_t at, size_t n,
         void *to, cl_uint waits, const cl_event *list, cl_event *event),
        (q, b, blocks, at, n, to, waits, list, event))
ENQUEUE(EnqueueWriteBuffer,
        (cl_command_queue q, cl_mem b, cl_bool blocks, size_t at, size_t n,
         const void *from, cl_uint waits, const cl_event *list,
         cl_event *event), (q, b, blocks, at, n, from, waits, list, event))
ENQUEUE(EnqueueCopyBuffer,
        (cl_command_queue q, cl_mem from, cl_mem to, size_t at, size_t to_at,
         size_t n, cl_uint waits, const cl_event *list, cl_event *event),
        (q, from, to, at, to_at, n, waits, list, event))
ENQUEUE(EnqueueUnmapMemObject,
        (cl_command_queue q, cl_mem b, void *at, cl_uint waits,
         const cl_event *list, cl_event *event),
        (q, b, at, waits, list, event))
ENQUEUE(EnqueueNDRangeKernel,
        (cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
         const size_t *global, const size_t *local, cl_uint waits,
         const cl_event *list, cl_event *event),
        (q, k, dims, offset, global, local, waits, list, event))
ENQUEUE(EnqueueReadBufferRect,
        (cl_command_queue q, cl_mem b, cl_bool blocks, const size_t *at,
         const size_t *host_at, const size_t *region, size_t row,
         size_t slice, size_t host_row, size_t host_slice, void *to,
         cl_uint waits, const cl_event *list, cl_event *event),
        (q, b, blocks, at, host_at, region, row, slice, host_row,
         host_slice, to, waits, list, event))
ENQUEUE(EnqueueWriteBufferRect,
        (cl_command_queue q, cl_mem b, cl_bool blocks, const size_t *at,
         const size_t *host_at, const size_t *region, size_t row,
         size_t slice, size_t host_row, size_t host_slice, const void *from,
         cl_uint waits, const cl_event *list, cl_event *event),
        (q, b, blocks, at, host_at, region, row, slice, host_row,
         host_slice, from, waits, list, event))
ENQUEUE(EnqueueFillBuffer,
        (cl_command_queue q, cl_mem b, const void *pattern, size_t each,
         size_t at, size_t n, cl_uint waits, const cl_event *list,
         cl_event *event), (q, b, pattern, each, at, n, waits, list, event))
ENQUEUE(EnqueueMarkerWithWaitList,
        (cl_command_queue q, cl_uint waits, const cl_event *list,
         cl_event *event), (q, waits, list, event))
ENQUEUE(EnqueueBarrierWithWaitList,
        (cl_command_queue q, cl_uint waits, const cl_event *list,
         cl_event *event), (q, waits, list, event))

static void *CALL EnqueueMapBuffer(cl_command_queue q, cl_mem b,
                                   cl_bool blocks, cl_map_flags flags,
                                   size_t at, size_t n, cl_uint waits,
                                   const cl_event *list, cl_event *event,
                                   cl_int *told)
{
	const cl_int rc = fault(NUMBER_OF_EnqueueMapBuffer);
	void *mapped;

	if (rc)
		return refuse(rc, told);
	mapped = below->clEnqueueMapBuffer(q, b, blocks, flags, at, n, waits,
	                                   list, event, told);
	gave(mapped ? CL_SUCCESS : CL_INVALID_VALUE, event);
	return mapped;
}

static cl_int answer(const void *value, size_t n, size_t room, void *to,
                     size_t *told)
{
	if (to && room < n)
		return CL_INVALID_VALUE;
	if (to)
		memcpy(to, value, n);
	if (told)
		*told = n;
	return CL_SUCCESS;
}

CL_API_ENTRY cl_int CALL clGetLayerInfo(cl_layer_info what, size_t room,
                                        void *to, size_t *told)
{
	static const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	static const char name[] = "linalgd's faults";

	switch (what) {
	case CL_LAYER_API_VERSION:
		return answer(&version, sizeof version, room, to, told);
	case CL_LAYER_NAME:
		return answer(name, sizeof name, room, to, told);
	}
	return CL_INVALID_VALUE;
}

CL_API_ENTRY cl_int CALL clInitLayer(cl_uint n, const cl_icd_dispatch *target,
                                     cl_uint *told,
                                     const cl_icd_dispatch **mine)
{
	const cl_uint all = sizeof layer / sizeof(void *);

	if (!target || !told || !mine || n < all)
		return CL_INVALID_VALUE;
	open_table();
	below = target;
#define PUT(name) layer.cl##name = name;
	FUNCTIONS(PUT)
#undef PUT
	*told = all;
	*mine = &layer;
	return CL_SUCCESS;
}
