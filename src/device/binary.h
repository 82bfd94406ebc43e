/* binary.h - compiled programs on disk, for platforms without a cache of their
 * own. */
#ifndef DEVICE_BINARY_H
#define DEVICE_BINARY_H

#include <stdint.h>

#include "device/cl.h"

/* Load a program from the directory `cache`, store one there, and tell whether
 * it holds one. binary_load() returns NULL if there is no valid binary; the
 * caller releases the program. After any failure the program is simply
 * compiled. */
cl_program binary_load(struct device *d, const char *cache, const char *source,
                       const char *options);
void binary_store(const struct device *d, cl_program p, const char *cache,
                  const char *source, const char *options);
bool binary_there(const struct device *d, const char *cache,
                  const char *source, const char *options);

/* A hash of the source and of all else that a compiled program depends on. */
uint64_t binary_key(const struct device *d, const char *source,
                    const char *options);

/* Takes a lock that makes this process the only one to compile that key, until
 * the returned descriptor is closed. If another process holds the lock,
 * binary_lock() waits for it if `wait` is set, and else returns -1; it also
 * returns -1 on failure. */
int binary_lock(const char *cache, uint64_t key, bool wait);

#endif
