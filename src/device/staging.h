/* staging.h - copies large matrices through pinned memory. */
#ifndef DEVICE_STAGING_H
#define DEVICE_STAGING_H

#include <stdbool.h>
#include <stddef.h>

#include "device/kept.h"

struct seq;

/* Does a copy of that part of the host's memory, or to it, go through pinned
 * memory? Not a small one, nor on a device that shares the host's memory. */
bool staging_suits(const struct seq *s, const char *host,
                   const struct span *at);

/* Copy to the buffer from byte `begin` on, or from it; return when all has
 * arrived, and count the time. */
void staging_upload(struct seq *s, cl_mem to, size_t begin, char *from,
                    const struct span *at);
void staging_download(struct seq *s, cl_mem from, char *to,
                      const struct span *at);

void staging_free(struct device *d);

#endif
