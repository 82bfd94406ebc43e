/* wiped.c - after device_wipe() a kernel finds nothing of what earlier kernels
 * left in local memory. */
#include "base/size.h"
#include "device/device.h"
#include "device/state.h"
#include "tests/ops/op.h"

enum { CANARY = 0xa5, TIMES = 8 };

/* Work-groups of one work-item for each compute unit: enough to reach all of
 * the units. */
enum { GROUPS_OF_UNIT = 32 };

static const char text[] =
	"kernel void leave(local volatile uchar *m, uint n, uchar canary,\n"
	"                  volatile global uint *found)\n"
	"{\n"
	"	for (uint i = 0; i < n; i++)\n"
	"		m[i] = canary;\n"
	"}\n"
	"kernel void look(local volatile uchar *m, uint n, uchar canary,\n"
	"                 volatile global uint *found)\n"
	"{\n"
	"	for (uint i = 0; i < n; i++)\n"
	"		if (m[i] == canary)\n"
	"			atomic_inc(found);\n"
	"}\n";

static cl_program program;
static cl_mem found;

static void build(void)
{
	const char *source = text;
	cl_int rc;

	program = clCreateProgramWithSource(test_device->context, 1, &source,
	                                    NULL, &rc);
	ck_assert_int_eq(rc, CL_SUCCESS);
	ck_assert_int_eq(clBuildProgram(program, 1, &test_device->id, "", NULL,
	                                NULL), CL_SUCCESS);
	found = clCreateBuffer(test_device->context, CL_MEM_READ_WRITE,
	                       sizeof(cl_uint), NULL, &rc);
	ck_assert_int_eq(rc, CL_SUCCESS);
}

/* Launches the kernel with that much local memory, and returns *found. */
static cl_uint run(const char *name, cl_uint bytes)
{
	const size_t one = 1, groups = (size_t)GROUPS_OF_UNIT *
	                               test_device->sheet.compute_units;
	const cl_uchar canary = CANARY;
	const cl_command_queue q = test_device->lane[0];
	cl_kernel k = clCreateKernel(program, name, NULL);
	cl_uint n = 0;

	clSetKernelArg(k, 0, bytes, NULL);
	clSetKernelArg(k, 1, sizeof bytes, &bytes);
	clSetKernelArg(k, 2, sizeof canary, &canary);
	clSetKernelArg(k, 3, sizeof found, &found);
	clEnqueueWriteBuffer(q, found, CL_TRUE, 0, sizeof n, &n, 0, NULL, NULL);
	ck_assert_int_eq(clEnqueueNDRangeKernel(q, k, 1, NULL, &groups, &one,
	                 0, NULL, NULL), CL_SUCCESS);
	ck_assert_int_eq(clEnqueueReadBuffer(q, found, CL_TRUE, 0, sizeof n,
	                 &n, 0, NULL, NULL), CL_SUCCESS);
	clReleaseKernel(k);
	return n;
}

/* PoCL leaves the canaries, so there the test also checks that it can find
 * them. Other drivers may clear local memory themselves, and NVIDIA's refuses
 * a kernel that takes all of it. */
START_TEST(local_memory_is_cleared_between_tenants)
{
	const bool cpu = test_device->sheet.type == DEVICE_CPU;
	const cl_uint all = (cl_uint)test_device->sheet.local_memory_bytes;
	struct err e = { 0 };
	cl_uint left = 0;

	build();
	for (int i = 0; i < TIMES; i++) {
		const cl_uint bytes = all >> (cpu ? i : i + 1);

		run("leave", bytes);
		left += run("look", bytes);
		run("leave", bytes);
		ck_assert_msg(device_wipe(test_device, &e) == 0, "%s", e.text);
		ck_assert_uint_eq(run("look", bytes), 0);
	}
	if (cpu)
		ck_assert_uint_gt(left, 0);
	clReleaseMemObject(found);
	clReleaseProgram(program);
}
END_TEST

TCase *tcase_wiped(void)
{
	TCase *t = tcase_create("wiped");

	tcase_add_test(t, local_memory_is_cleared_between_tenants);
	return t;
}
