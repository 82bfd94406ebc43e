/* cl.h - OpenCL's headers, and the macros for OpenCL calls: they record the
 * first failure, make no call after it, and let tests inject a failure. */
#ifndef DEVICE_CL_H
#define DEVICE_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdbool.h>

#include "base/err.h"

struct device;

/* Makes the call (an expression that gives a cl_int) unless e holds a failure
 * already. True if e holds no failure afterwards. */
#define CL_TRY(d, e, what, call)                                       \
	cl_passed((d), (e), (what), (e)->code != ERR_NONE ? CL_SUCCESS \
	    : cl_must_fail() ? CL_OUT_OF_HOST_MEMORY : (call))

/* CL_TRY for a call that returns an object and takes &rc as its last
 * argument. */
#define CL_TRY_NEW(d, e, what, object, call)                           \
	CL_TRY((d), (e), (what), ((object) = (call), rc))

/* Records rc in e if it is not CL_SUCCESS, and marks d, which may be NULL, as
 * lost if the code is fatal. Returns whether e holds no failure. cl_must_fail()
 * says whether the next call must fail, as device_calls_left asks. */
bool cl_passed(struct device *d, struct err *e, const char *what, cl_int rc);
bool cl_must_fail(void);

#endif
