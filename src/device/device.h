/* device.h - one OpenCL device: its context, queue, programs and kernels.
 *
 * Only a worker process opens one, for its whole life. Not thread-safe.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <stdatomic.h>

#include "base/err.h"
#include "matrix/dtype.h"
#include "matrix/memory.h"
#include "wire/sheet.h"

struct device;

/* Writes the sheets of all devices of this host, in the platforms' order.
 * Returns their number, which is 0 for a host without devices, or -1 with
 * *e. */
int device_list(struct sheet sheets[SHEETS], struct err *e);

/* Opens the device with that index in device_list(). cache: the directory for
 * compiled programs, or NULL. Returns NULL with *e on failure. */
struct device *device_open(int index, const char *cache, struct err *e);
/* Opens a second device for d's processor that has no threads of its own: a
 * launch runs in the thread that makes it, on one core, and wakes no other
 * thread. NULL, which is no error, if the platform has no such device. d must
 * outlive it. */
struct device *device_open_direct(const struct device *d, const char *cache);
void device_close(struct device *d);
const struct sheet *device_sheet(const struct device *d);

/* Says whose calls come next: a tenant's number, at first 0. What the calls of
 * another tenant left in scratch buffers and in pinned memory is overwritten
 * before they can read it. No sequence may be under way. */
void device_serve(struct device *d, uint32_t tenant);

/* Clears the local memory of every compute unit. -1 with *e if that cannot be
 * shown to have happened; another process must then use the device. No sequence
 * may be under way. */
int device_wipe(struct device *d, struct err *e);

/* From now on *bytes includes the bytes of the device's own memory that d's
 * buffers take. Other threads and processes may read *bytes, which must outlive
 * d. */
void device_meter(struct device *d, atomic_uint_least64_t *bytes);

/* Says that the first `arrived` bytes of an operand are in m, which has an
 * upload_id while the operand arrives. A device with memory of its own uploads
 * them now, and a sequence later uploads only the rest. */
void device_expect(struct device *d, const struct memory *m, size_t arrived);

/* Has a call failed in a way after which every later one would fail? Then only
 * another process can use the device again. */
bool device_lost(const struct device *d);

/* device_foresee() notes kernels, given as names separated by spaces, that will
 * be launched for that element type. device_missing() counts the programs of
 * noted kernels that the cache lacks. device_compile_next() compiles the next
 * of them into the cache, unless another process is compiling it;
 * device_load_next() loads the next program from the cache. Both return false
 * when none is left. */
void device_foresee(struct device *d, const char *kernels, enum dtype t);
int device_missing(const struct device *d);
bool device_compile_next(struct device *d);
bool device_load_next(struct device *d);

/* A kernel with the properties of its launch for which a platform may make
 * separate machine code. Plain data, which processes of this binary send to
 * each other. */
enum {
	LAUNCH_ARGS = 40,
	/* PoCL's grid_width_specialization_limit, versions 3 to 5. */
	LAUNCH_WIDE = 65535
};
struct launch {
	int kernel;			/* its index; see program_place() */
	enum dtype dtype;
	uint32_t local[3];		/* the work-group's size */
	unsigned wide;			/* bit i: dimension i of the grid has
					 * LAUNCH_WIDE items or more */
	int n_args;
	struct launch_arg {
		uint32_t size;
		enum { ARG_OF_VALUE, ARG_OF_BUFFER, ARG_OF_LOCAL } kind;
	} arg[LAUNCH_ARGS];
};

/* Does the platform make machine code when a kernel is first launched, rather
 * than when its program is built? */
bool device_compiles_at_launch(const struct device *d);

/* Returns a hash of all that the launch's machine code depends on. Where a
 * program is compiled as a whole, all launches of its kernels have the same
 * hash. */
uint64_t launch_key(struct device *d, const struct launch *l);

/* Returns a hash of that name and of all kernels: a key for a result that
 * depends on all of them. */
uint64_t device_key(struct device *d, const char *name);

/* The set of keys whose launches need not be compiled any more: their machine
 * code has been made, or another attempt would fail again. device_note() adds a
 * key; with keep, it also appends the key to a file for other processes if the
 * platform compiles at launch. device_notes_refresh() reads the keys that other
 * processes appended. */
bool device_noted(const struct device *d, uint64_t key);
void device_note(struct device *d, uint64_t key, bool keep);
void device_notes_refresh(struct device *d);

/* The answer of the function that is asked before a launch whose kernel would
 * have to be compiled first. worked_ns is how long the sequence has run,
 * without the time that it spent on compiling. */
enum elsewhere {
	ELSEWHERE_NOT,			/* compile it here and now */
	ELSEWHERE_LATER,		/* the sequence fails with
					 * ERR_NOT_READY */
	ELSEWHERE_DONE			/* it was compiled meanwhile */
};
typedef enum elsewhere elsewhere_fn(void *arg, struct device *d,
                                    const struct launch *l, int64_t worked_ns);
void device_compile_elsewhere(struct device *d, elsewhere_fn *ask, void *arg);

/* Makes the launch's machine code without computing anything; only one process
 * at a time does so. -1: the compiler refused it, or the device failed. */
int device_compile(struct device *d, const struct launch *l, struct err *e);

/* Time, in ns, that this process has spent on compiling and loading programs
 * for the device. */
int64_t device_compile_ns(const struct device *d);

/* Tests only: let this many OpenCL calls succeed, then fail; -1 is off. */
extern int device_calls_left;

/* Tests only: makes the device appear to have that much memory, and that size
 * of the largest allocation. Sequences that exist already are not affected. */
void device_limit(struct device *d, uint64_t memory, uint64_t allocation);

/* Tests only: gives lanes queues of their own on every device (seq.h). */
extern bool device_lanes;

/* Tests only: divides every divisible launch (ARG_FIRST() in seq.h) into slices
 * of that many work-groups; 0 is off. */
extern size_t device_slice;

/* Tests only: copies operands and results as if the device had memory of its
 * own. */
extern bool device_copies;

#endif
