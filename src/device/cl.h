/* cl.h - OpenCL, and the macros through which every OpenCL call goes: they keep
 * the first failure, and let tests inject one. */
#ifndef DEVICE_CL_H
#define DEVICE_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdbool.h>

#include "base/err.h"

struct device;

/* Makes the call (an expression that gives a cl_int) unless e holds a failure
 * already; true when it succeeded. */
#define CL_TRY(d, e, what, call)                                       \
	cl_passed((d), (e), (what), (e)->code != ERR_NONE ? CL_SUCCESS \
	    : cl_must_fail() ? CL_OUT_OF_HOST_MEMORY : (call))

/* The same for a call that returns an object and takes &rc as its last
 * argument. */
#define CL_TRY_NEW(d, e, what, object, call)                           \
	CL_TRY((d), (e), (what), ((object) = (call), rc))

/* Records a code that is not CL_SUCCESS (d may be NULL); true for
 * CL_SUCCESS. */
bool cl_passed(struct device *d, struct err *e, const char *what, cl_int rc);
bool cl_must_fail(void);

#endif
