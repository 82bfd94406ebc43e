/* pick.h - opens the device that a --device selector names in this process. */
#ifndef COMMAND_PICK_H
#define COMMAND_PICK_H

#include "base/host.h"
#include "device/device.h"

/* Opens the first device that the selector (auto, cpu, gpu, an index or part
 * of a name) names, a GPU before a CPU. NULL with ERR_PARAMETER when there is
 * none. cache is device_open()'s. */
struct device *pick_device(const char *selector, const char *cache,
                           struct err *e);

/* Writes the default directory for compiled programs and returns path; NULL:
 * there is none. */
const char *pick_cache(char path[HOST_PATH]);

/* Copies the sheets of all devices that the selector names and that have the
 * type of the first one. Returns their number, or -1. */
int pick_sheets(const char *selector, struct sheet sheets[SHEETS],
                struct err *e);

#endif
