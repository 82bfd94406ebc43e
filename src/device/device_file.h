/* device_file.h - what was found out about a device, kept in the cache
 * directory: a text file a device, NAME-INDEX, which begins with the device's
 * name and driver. Another device's file is as if it were not there.
 */
#ifndef DEVICE_DEVICE_FILE_H
#define DEVICE_DEVICE_FILE_H

#include "base/err.h"
#include "base/text.h"
#include "wire/sheet.h"

/* The text behind the first two lines, empty when there is no such file;
 * cache may be NULL. t is text_fini()'d by the caller in any case. */
void device_file_read(const struct sheet *s, const char *cache,
                      const char *name, struct text *t);

/* Written under another name and then renamed. */
int device_file_write(const struct sheet *s, const char *cache,
                      const char *name, const struct text *t, struct err *e);

#endif
