/* device_file.h - files of results about a device, kept in the cache directory:
 * a text file NAME-INDEX for each device, whose first two lines are the
 * device's name and driver. A file with another device's lines is treated as
 * absent. */
#ifndef DEVICE_DEVICE_FILE_H
#define DEVICE_DEVICE_FILE_H

#include "base/err.h"
#include "base/text.h"
#include "wire/sheet.h"

/* Reads the text after the first two lines into t; it is empty when there is no
 * such file. cache may be NULL. The caller calls text_fini(t) in any case. */
void device_file_read(const struct sheet *s, const char *cache,
                      const char *name, struct text *t);

/* Writes the file under another name and then renames it. */
int device_file_write(const struct sheet *s, const char *cache,
                      const char *name, const struct text *t, struct err *e);

#endif
