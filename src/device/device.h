/* device.h - one OpenCL device: its context, queue, programs and kernels.
 *
 * Only a worker process makes one, and keeps it for life. Not for threads.
 */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/err.h"
#include "base/sheet.h"
#include "matrix/dtype.h"
#include "matrix/memory.h"

struct device;

/* The sheets of all devices of this host, in the platforms' order; their
 * number, or -1. A host without any is 0. */
int device_list(struct sheet sheets[SHEETS], struct err *e);

/* cache: the directory for compiled programs, or NULL. */
struct device *device_open(int index, const char *cache, struct err *e);
/* The same processor once more, without threads of its own: a launch runs in
 * the thread that makes it, on one core, and wakes nobody. NULL where there is
 * none, which is no error. d must outlive it. */
struct device *device_open_direct(const struct device *d, const char *cache);
void device_close(struct device *d);
const struct sheet *device_sheet(const struct device *d);

/* Operands that have a name while they come: so many bytes are there. A device
 * with memory of its own gets them now, and a sequence only the rest. */
void device_expect(struct device *d, const struct memory *m, size_t arrived);

/* A call failed in a way after which every later one would: only another
 * process can use the device again. */
bool device_lost(const struct device *d);

/* Kernels, their names by spaces, that will be launched for that type. How
 * many programs of those foreseen the cache lacks; compiles into it what no
 * other process is compiling now; loads the next that is there: false when
 * that was all. */
void device_foresee(struct device *d, const char *kernels, enum dtype t);
int device_missing(const struct device *d);
void device_compile_missing(struct device *d);
bool device_load_next(struct device *d);

/* Tests only: let this many OpenCL calls succeed, then fail; -1 is off. */
extern int device_calls_left;

/* Tests only: as if the device had so much memory, and gave so much of it in
 * one piece. Sequences that are at work do not see it. */
void device_limit(struct device *d, uint64_t memory, uint64_t allocation);

/* Tests only: lanes are queues of their own on every device (seq.h). */
extern bool device_lanes;

/* Tests only: copies operands to and fro as if the host's memory were not the
 * device's. */
extern bool device_copies;

#endif
