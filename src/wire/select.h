/* select.h - finds the devices that a selector names. */
#ifndef WIRE_SELECT_H
#define WIRE_SELECT_H

#include <stdint.h>

#include "base/err.h"
#include "wire/sheet.h"

/* Sets bit i of *devices for every sheets[i] that the selector names: "auto"
 * (all), "cpu", "gpu", "cluster", an index, or part of a name in either case.
 * -1 with ERR_PARAMETER if there is none. */
int select_devices(const struct sheet *sheets, int n, const char *selector,
                   uint64_t *devices, struct err *e);

#endif
