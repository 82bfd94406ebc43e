/* ahead.h - compiles the kernels of operations before their tests run. On
 * platforms that compile whole programs, such as NVIDIA's, each of the hundred
 * or so programs of an operation takes about a second, and one process compiles
 * one program at a time. */
#ifndef TESTS_OPS_AHEAD_H
#define TESTS_OPS_AHEAD_H

#include "device/device.h"

/* Compiles the kernels of the operation `name`, or of all operations if none
 * has this name, that the device's cache does not have, in as many processes as
 * there are processors. These processes run this program as
 *
 *     test-ops --compile INDEX CACHE NAME
 *
 * and call ahead_compile() with the last three arguments. */
void ahead(struct device *d, const char *cache, const char *name);
int ahead_compile(char *const argv[]);

#endif
