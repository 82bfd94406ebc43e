/* cl.c - OpenCL's error codes, and the failures that tests inject. */
#include "base/size.h"
#include "device/state.h"

int device_calls_left = -1;

/* OpenCL's error code and its name, the error code for the client, and whether
 * the context is unusable after the error. */
static const struct fault {
	cl_int rc;
	const char *name;
	enum err_code code;
	bool fatal;
} faults[] = {
#define FAULT(name, code, fatal) { CL_##name, #name, code, fatal }
	FAULT(MEM_OBJECT_ALLOCATION_FAILURE, ERR_MEMORY, false),
	FAULT(OUT_OF_HOST_MEMORY, ERR_MEMORY, false),
	FAULT(INVALID_BUFFER_SIZE, ERR_TOO_LARGE, false),
	FAULT(OUT_OF_RESOURCES, ERR_DEVICE, true),
	FAULT(INVALID_COMMAND_QUEUE, ERR_DEVICE, true),
	FAULT(INVALID_CONTEXT, ERR_DEVICE, true),
	FAULT(EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, ERR_DEVICE, true),
	FAULT(DEVICE_NOT_AVAILABLE, ERR_DEVICE, true),
	FAULT(DEVICE_NOT_FOUND, ERR_DEVICE, false),
	FAULT(COMPILER_NOT_AVAILABLE, ERR_DEVICE, false),
	FAULT(BUILD_PROGRAM_FAILURE, ERR_DEVICE, false),
	FAULT(INVALID_VALUE, ERR_DEVICE, false),
	FAULT(INVALID_KERNEL_NAME, ERR_DEVICE, false),
	FAULT(INVALID_ARG_INDEX, ERR_DEVICE, false),
	FAULT(INVALID_ARG_VALUE, ERR_DEVICE, false),
	FAULT(INVALID_ARG_SIZE, ERR_DEVICE, false),
	FAULT(INVALID_KERNEL_ARGS, ERR_DEVICE, false),
	FAULT(INVALID_WORK_GROUP_SIZE, ERR_DEVICE, false),
	FAULT(INVALID_WORK_ITEM_SIZE, ERR_DEVICE, false),
	FAULT(INVALID_GLOBAL_WORK_SIZE, ERR_DEVICE, false),
	FAULT(INVALID_MEM_OBJECT, ERR_DEVICE, false),
	FAULT(INVALID_EVENT, ERR_DEVICE, false),
	FAULT(PROFILING_INFO_NOT_AVAILABLE, ERR_DEVICE, false),
#undef FAULT
	/* NVIDIA: a kernel accessed memory that it may not access. */
	{ -9999, "ILLEGAL_ACCESS", ERR_DEVICE, true },
};

static const struct fault *fault_find(cl_int rc)
{
	static const struct fault other = { 0, "error", ERR_DEVICE, false };

	for (size_t i = 0; i < COUNT(faults); i++)
		if (faults[i].rc == rc)
			return &faults[i];
	return &other;
}

bool cl_passed(struct device *d, struct err *e, const char *what, cl_int rc)
{
	const struct fault *f;

	if (rc == CL_SUCCESS)
		return e->code == ERR_NONE;
	f = fault_find(rc);
	if (d && f->fatal)
		d->lost = true;
	err_set(e, f->code, "%s: OpenCL %s (%d)", what, f->name, (int)rc);
	return false;
}

bool cl_must_fail(void)
{
	if (device_calls_left > 0)
		device_calls_left--;
	else if (device_calls_left == 0)
		return true;
	return false;
}
