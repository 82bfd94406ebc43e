/* pick.h - the device that a --device selector means, in this process. */
#ifndef COMMAND_PICK_H
#define COMMAND_PICK_H

#include "base/host.h"
#include "device/device.h"

/* auto, cpu, gpu, an index or part of a name; the first such, a GPU before a
 * CPU. ERR_PARAMETER when there is none. cache: as device_open()'s. */
struct device *pick_device(const char *selector, const char *cache,
                           struct err *e);

/* Where compiled programs are kept unless an option says where, in path;
 * NULL: nowhere. */
const char *pick_cache(char path[HOST_PATH]);

/* The sheets of all that it means and that are of that one's kind: their
 * number, or -1. */
int pick_sheets(const char *selector, struct sheet sheets[SHEETS],
                struct err *e);

#endif
