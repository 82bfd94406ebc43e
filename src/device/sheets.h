/* sheets.h - finds the platforms' devices and describes them. */
#ifndef DEVICE_SHEETS_H
#define DEVICE_SHEETS_H

#include "device/cl.h"
#include "wire/sheet.h"

/* sheet.c: fills in the sheet; finds the device with that index. */
void sheet_of(cl_platform_id platform, cl_device_id id, int index,
              struct sheet *s);
cl_device_id sheet_find(int index, struct sheet *s, struct err *e);

/* direct.c: makes the platform list its direct device; direct_drop() removes
 * that from a list of devices in which it is not the only one. */
void direct_ask(cl_platform_id platform);
cl_uint direct_drop(cl_device_id id[], cl_uint n);

#endif
