/* cl.h - what the files of src/device share: OpenCL, and the macros through
 * which every OpenCL call goes, which keep the first failure and let tests
 * inject one. */
#ifndef DEVICE_CL_H
#define DEVICE_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdint.h>
#include <sys/types.h>

#include "device/device.h"

enum { SPARE_BUFFERS = 16, RESIDENTS = 64, EARLY = 4 };

/* A buffer that no sequence uses, kept for the next one. */
struct spare {
	cl_mem mem;
	size_t bytes;
	uint64_t stamp;			/* when it was given back */
};

/* A part of a matrix's memory: rows of so many bytes, the first at byte `at`,
 * each `pitch` bytes after the one before; memory without gaps is one row. */
struct span {
	size_t at, rows, row, pitch;
};

static inline size_t span_bytes(const struct span *s)
{
	return s->rows * s->row;
}

static inline bool span_same(const struct span *a, const struct span *b)
{
	return a->at == b->at && a->rows == b->rows && a->row == b->row &&
	       a->pitch == b->pitch;
}

/* A buffer with the elements of a stored matrix or a part of it; stamp 0: the
 * entry is free. */
struct resident {
	cl_mem mem;
	size_t bytes;
	uint64_t stored;		/* its name; see struct memory */
	struct span at;
	uint64_t stamp;			/* when it was used last */
	int users;			/* sequences; it is kept for them */
};

/* An operand whose first `sent` bytes are on the device; mem NULL: free. */
struct early {
	cl_mem mem;
	size_t bytes, sent;
	uint64_t name;			/* struct memory's `coming` */
	uint64_t stamp;			/* when its upload began */
};

struct programs;
struct staging;

/* A set of hashes; see there.c. { 0 } is empty. */
struct notes {
	uint64_t *slot;			/* an open-addressed table; 0: free */
	size_t room, n;			/* slots; those in use */
	off_t known;			/* bytes of the file read so far */
};

struct device {
	struct sheet sheet;
	cl_device_id id;
	cl_context context;
	cl_command_queue queue;		/* in order */
	cl_command_queue beside;	/* another; made when needed */
	char *cache;			/* directory for binaries, or NULL */
	struct programs *programs;
	unsigned kernels;		/* created so far */
	int64_t compile_ns;		/* spent on building programs */
	struct notes notes;
	elsewhere_fn *elsewhere;	/* NULL: all is compiled here */
	void *elsewhere_arg;
	struct spare spare[SPARE_BUFFERS];
	struct resident resident[RESIDENTS];
	struct early early[EARLY];
	uint64_t stamp;
	struct staging *staging;	/* made when needed */
	cl_mem counters;		/* made when needed; zeros */
	uint64_t live;			/* bytes of all buffers outside of the
					 * host's memory */
	bool lost;
};

/* Makes the call (an expression that gives a cl_int) unless e holds a failure
 * already; true when it succeeded. */
#define CL_TRY(d, e, what, call)                                       \
	cl_passed((d), (e), (what), (e)->code != ERR_NONE ? CL_SUCCESS \
	    : cl_must_fail() ? CL_OUT_OF_HOST_MEMORY : (call))

/* The same for a call that returns an object and takes &rc as its last
 * argument. */
#define CL_TRY_NEW(d, e, what, object, call)                           \
	CL_TRY((d), (e), (what), ((object) = (call), rc))

/* Records a code that is not CL_SUCCESS (d may be NULL); true for
 * CL_SUCCESS. */
bool cl_passed(struct device *d, struct err *e, const char *what, cl_int rc);
bool cl_must_fail(void);

/* sheet.c: fills in the sheet; finds the device with that index. */
void sheet_of(cl_platform_id platform, cl_device_id id, int index,
              struct sheet *s);
cl_device_id sheet_find(int index, struct sheet *s, struct err *e);

/* direct.c: makes the platform list its direct device; direct_drop() removes
 * that from a list of devices in which it is not the only one. */
void direct_ask(cl_platform_id platform);
cl_uint direct_drop(cl_device_id id[], cl_uint n);

/* device.c: starts a device whose id and sheet are set; frees d on failure. */
struct device *device_start(struct device *d, const char *cache,
                            struct err *e);

/* The same file: the device's second queue, made when first asked for; NULL on
 * failure. */
cl_command_queue device_beside(struct device *d, struct err *e);

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

/* program.c: the kernel with that name for that element type, compiled now if
 * it was not before; the device owns it. */
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

/* Is that kernel's program loaded? Loads it now if the cache has it. */
bool program_is_there(struct device *d, int place, enum dtype t);

/* there.c: has the machine code for that launch been made? */
bool launch_is_there(struct device *d, const struct launch *l);
void notes_fini(struct notes *n);

/* idle.c: makes the platform generate the kernel's machine code, by a launch
 * whose results are of no use. */
bool launch_idly(struct device *d, const struct launch *l, cl_kernel k,
                 struct err *e);

/* there.c: the caller calls launch_is_first() before every launch. It is true
 * when the launch will make the platform compile; a lock then keeps other
 * processes from compiling the same. The caller must launch with an event and
 * pass that to launch_was_first(), which waits for the launch, frees the lock
 * and returns how long the compilation took, in ns. */
struct first {
	uint64_t key;
	int lock;
	int64_t begun_ns;
};
bool launch_is_first(struct device *d, const struct launch *l,
                     struct first *f);
int64_t launch_was_first(struct device *d, const struct first *f,
                         cl_event event, struct err *e);

/* The place for the device's verdict on a kernel, 0 at first; NULL if there is
 * no such kernel. */
signed char *program_verdict(struct device *d, const char *name,
                             enum dtype t);

/* ptx.c: rebuilds the program with the instructions that kernels/lib/ptx.h hid
 * from the compiler; releases p. NULL if the instructions are not for this
 * device's architecture. */
cl_program ptx_uncovered(const struct device *d, cl_program p,
                         const char *options, cl_int *rc);

/* binary.c: compiled programs on disk, for platforms without a cache of their
 * own. Failures of both functions have no effect but a compilation. */
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
 * the returned descriptor is closed; -1 if that fails or another process has
 * it. */
int binary_lock(const char *cache, uint64_t key, bool wait);

/* spare.c: the account of the device's memory, needed because OpenCL itself
 * hands out more than there is. A request beyond the memory, less some
 * headroom, is refused with ERR_TOO_LARGE, after all buffers that are only kept
 * for later have been released. */
bool account_take(struct device *d, size_t bytes, struct err *e);
void account_give(struct device *d, size_t bytes);

/* The same file: buffers without contents, kept between sequences because the
 * first touch of fresh pages costs as much as a small kernel. */
cl_mem spare_take(struct device *d, size_t bytes, struct err *e);
void spare_give(struct device *d, cl_mem mem, size_t bytes);
void spare_drop_all(struct device *d);

/* staging.c */
void staging_free(struct device *d);

/* early.c: the buffer of that operand, which now belongs to the caller like one
 * from spare_take(); *sent is how many of its bytes are there. NULL: none. */
cl_mem early_take(struct device *d, uint64_t name, size_t bytes, size_t *sent);
void early_drop_all(struct device *d);

/* resident.c. resident_take(): the buffer of a stored matrix or NULL; the
 * caller gives it back. The others: take a buffer over (false if they do not),
 * and release one that no sequence uses (false if there is none). */
cl_mem resident_take(struct device *d, uint64_t stored, const struct span *at);
void resident_give(struct device *d, cl_mem mem);
bool resident_keep(struct device *d, uint64_t stored, const struct span *at,
                   cl_mem mem);
bool resident_drop_oldest(struct device *d);

#endif
