/* programs.h - kernels, and the programs that they are compiled in. */
#ifndef DEVICE_PROGRAMS_H
#define DEVICE_PROGRAMS_H

#include <stdint.h>

#include "device/cl.h"
#include "matrix/dtype.h"

struct programs;

/* program.c: program_kernel() returns the kernel with that name for that
 * element type, and compiles its program first if necessary. The device owns
 * the kernel. NULL with *e. */
struct programs *programs_new(void);
void programs_free(struct programs *p);
cl_kernel program_kernel(struct device *d, const char *name, enum dtype t,
                         struct err *e);

/* A kernel's index among all kernels by its name, -1 when there is no such
 * kernel; the name of the kernel at an index; and a hash of all that the
 * kernel's program depends on. */
int program_place(const char *name);
const char *program_name(int place);
uint64_t program_key(struct device *d, int place, enum dtype t);

/* Is that kernel's program loaded? Loads the program now if the cache has
 * it. */
bool program_is_there(struct device *d, int place, enum dtype t);

/* Returns where the device's verdict on a kernel is stored: 0 at first, then 1
 * (right) or -1 (wrong); see seq_trusts(). NULL if there is no such kernel. */
signed char *program_verdict(struct device *d, const char *name,
                             enum dtype t);

/* What is known of a kernel's speed; { 0 }: nothing. See pace.c. */
struct pace {
	double slowness;		/* its time by the time that the
					 * device's sheet suggests */
	double ns;			/* time of its last launch whose work
					 * was not told */
};
struct pace *program_pace(struct device *d, int place, enum dtype t);

/* compile.c: the program of an embedded source file. source_load() takes it
 * from the cache of binaries, or returns NULL. source_make() compiles it if the
 * cache lacks it; while another process compiles it, source_make() waits for
 * that process if wait is set, and else returns NULL. source_is_missing(): is
 * there a cache that lacks it? */
struct kernel_source { const char *file, *text; };
cl_program source_load(struct device *d, const struct kernel_source *s,
                       enum dtype t);
cl_program source_make(struct device *d, const struct kernel_source *s,
                       enum dtype t, bool wait, struct err *e);
bool source_is_missing(const struct device *d, const struct kernel_source *s,
                       enum dtype t);

/* ptx.c: rebuilds the program with the instructions that kernels/lib/ptx.h hid
 * from the compiler, and releases p. Sets *rc; NULL or an error if the
 * instructions are not for this device's architecture. */
cl_program ptx_uncovered(const struct device *d, cl_program p,
                         const char *options, cl_int *rc);

#endif
