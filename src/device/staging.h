/* staging.h - copies large matrices through pinned memory. */
#ifndef DEVICE_STAGING_H
#define DEVICE_STAGING_H

#include <stdbool.h>
#include <stddef.h>

#include "device/kept.h"

struct seq;

/* Does a copy between the device and that part of the host's memory go through
 * pinned memory? Small copies do not, nor do copies on a device that shares the
 * host's memory. */
bool staging_suits(const struct seq *s, const char *host,
                   const struct span *at);

/* Returns whether a download of that part, if it holds lower triangular
 * matrices, may leave out elements above their diagonals. */
bool staging_suits_lower(const struct seq *s, const char *host,
                         const struct span *at, struct lower l);

/* Copy the part `at` of a matrix, whose first row is at the given address, to
 * or from the buffer; staging_upload() writes from byte `begin` of the buffer
 * on. Both return when all bytes have arrived, and count the time. If
 * lower.rows is not 0, staging_suits_lower() must be true for the part; the
 * host then writes the zeros above the diagonals. */
void staging_upload(struct seq *s, cl_mem to, size_t begin, char *from,
                    const struct span *at);
void staging_download(struct seq *s, cl_mem from, char *to,
                      const struct span *at, struct lower lower);

void staging_free(struct device *d);

/* Overwrites the pinned memory by zeros, while no sequence is under way. */
void staging_clear(struct device *d);

#endif
