/* there.h - which launches have their machine code, and the first launch of a
 * kernel, which makes the platform compile. */
#ifndef DEVICE_THERE_H
#define DEVICE_THERE_H

#include <stdint.h>
#include <sys/types.h>

#include "device/cl.h"
#include "device/device.h"

struct arg;
struct grid;

/* A set of hashes. { 0 } is empty. */
struct notes {
	uint64_t *slot;			/* an open-addressed table; 0: free */
	size_t room, n;			/* slots; those in use */
	off_t known;			/* bytes of the file read so far */
};

void notes_fini(struct notes *n);

/* Fills in *l. Returns false with *e if there is no such kernel or it has too
 * many arguments. */
bool launch_describe(struct launch *l, const char *kernel, enum dtype t,
                     const struct grid *g, const struct arg *args,
                     size_t n_args, struct err *e);

/* Returns whether the machine code for this launch exists. */
bool launch_is_there(struct device *d, const struct launch *l);

/* idle.c: makes the platform generate the kernel's machine code, by a launch
 * whose results are of no use. */
bool launch_idly(struct device *d, const struct launch *l, cl_kernel k,
                 struct err *e);

/* The caller calls launch_is_first() before every launch. It returns true if
 * the launch will make the platform compile; a lock then keeps other processes
 * from compiling the same launch. The caller must then launch with an event and
 * pass that event to launch_was_first(), which waits for the launch, releases
 * the lock and returns how long the compilation took, in ns. */
struct first {
	uint64_t key;
	int lock;
	int64_t begun_ns;
};
bool launch_is_first(struct device *d, const struct launch *l,
                     struct first *f);
int64_t launch_was_first(struct device *d, const struct first *f,
                         cl_event event, struct err *e);

#endif
