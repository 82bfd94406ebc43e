/* devices.h - the parameter by which a request says how many devices compute it
 * together (struct gang in ops/op.h). */
#ifndef OPS_GANG_DEVICES_H
#define OPS_GANG_DEVICES_H

#include "ops/op.h"

/* The parameter's row in an operation's table. */
#define GANG_DEVICES {                                                       \
	.name = "devices", .type = PARAM_INTEGER, .fallback = NAN, .min = 1, \
	.max = SHEETS,                                                       \
	.help = "how many devices compute this together, each holding "      \
	        "some columns of the matrix; by default several only if "    \
	        "that is much faster, or if no device can hold the matrix",  \
}

/* Refuses a call that asks for more than one device but cannot be computed so;
 * `what` says what can be. To be called by the operation's check(). */
int gang_check(const struct args *a, const char *what, struct err *e);

/* Refuses a step of a pipeline that asks for more than one device. */
int gang_check_step(const struct args *a, struct err *e);

#endif
