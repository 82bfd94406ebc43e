/* sheets.h - finds the platforms' devices and describes them. */
#ifndef DEVICE_SHEETS_H
#define DEVICE_SHEETS_H

#include "device/cl.h"
#include "wire/sheet.h"

/* sheet.c: sheet_of() fills in a sheet. sheet_find() finds the device with that
 * index and fills in its sheet; NULL with *e if there is none. */
void sheet_of(cl_platform_id platform, cl_device_id id, int index,
              struct sheet *s);
cl_device_id sheet_find(int index, struct sheet *s, struct err *e);

/* direct.c: direct_ask() makes PoCL list its direct device. direct_drop()
 * removes that device from a list of n devices, unless it is the only one, and
 * returns how many are left. */
void direct_ask(cl_platform_id platform);
cl_uint direct_drop(cl_device_id id[], cl_uint n);

#endif
