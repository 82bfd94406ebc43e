/* there.c - which launches have machine code already, and how it is made
 * without computing anything.
 *
 * Most platforms compile a whole program when it is built: its kernels can be
 * launched as soon as it is loaded. PoCL makes machine code when a kernel is
 * first launched with a work-group size, and once more when a dimension of the
 * grid has LAUNCH_WIDE items or more, which takes from 25 ms to 0.75 s and
 * stops every other launch of the process. It keeps that code in its cache, but
 * cannot be asked whether it has it. So every launch is noted: a 64-bit hash of
 * all that the code depends on, in memory and at the end of a file in PoCL's
 * own directory. All processes that use the directory share the file, and it is
 * deleted with the directory. If a hash is noted but the code is gone, one call
 * waits for the compiler; if the code is kept but not noted, another process is
 * asked to compile and finds nothing to do.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/size.h"
#include "device/binary.h"
#include "device/programs.h"
#include "device/sequence.h"

static bool notes_path(const struct device *d, char path[512])
{
	const char *directory = getenv("POCL_CACHE_DIR");

	if (!directory || !device_compiles_at_launch(d))
		return false;
	return snprintf(path, 512, "%s/linalgd-launched", directory) < 512;
}

/* Returns the key's slot, or the free slot where the key belongs. The number of
 * slots is a power of two. */
static uint64_t *find(const struct notes *n, uint64_t key)
{
	size_t i = key & (n->room - 1);

	while (n->slot[i] != 0 && n->slot[i] != key)
		i = (i + 1) & (n->room - 1);
	return &n->slot[i];
}

static void add(struct notes *n, uint64_t key);

static bool grow(struct notes *n)
{
	struct notes larger = { .room = n->room ? 2 * n->room : 1024,
	                        .known = n->known };

	larger.slot = calloc(larger.room, sizeof larger.slot[0]);
	if (!larger.slot)
		return false;
	for (size_t i = 0; i < n->room; i++)
		if (n->slot[i])
			add(&larger, n->slot[i]);
	free(n->slot);
	*n = larger;
	return true;
}

static void add(struct notes *n, uint64_t key)
{
	uint64_t *slot;

	if (key == 0 || (2 * n->n >= n->room && !grow(n)))
		return;
	slot = find(n, key);
	n->n += *slot == 0;
	*slot = key;
}

void notes_fini(struct notes *n)
{
	free(n->slot);
	*n = (struct notes){ 0 };
}

bool device_noted(const struct device *d, uint64_t key)
{
	return d->notes.room && *find(&d->notes, key) == key;
}

void device_notes_refresh(struct device *d)
{
	struct notes *const n = &d->notes;
	uint64_t some[512];
	char path[512];
	ssize_t got;
	int fd;

	if (!notes_path(d, path) ||
	    (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return;
	while ((got = pread(fd, some, sizeof some, n->known)) > 0) {
		const size_t whole = (size_t)got / sizeof some[0];

		for (size_t i = 0; i < whole; i++)
			add(n, some[i]);
		n->known += (off_t)(whole * sizeof some[0]);
		if (whole == 0)
			break;
	}
	close(fd);
}

/* An append of so few bytes is atomic: readers see the whole key or nothing. */
void device_note(struct device *d, uint64_t key, bool keep)
{
	char path[512];
	int fd;

	if (device_noted(d, key))
		return;
	add(&d->notes, key);
	if (!keep || !notes_path(d, path))
		return;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	io_write_all(fd, &key, sizeof key);	/* after a failure, a later
						 * launch asks for a needless
						 * compilation */
	close(fd);
}

/* One step of an FNV-1a hash, extended to 64-bit words. */
static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x100000001b3;
	return h ^ h >> 29;
}

uint64_t launch_key(struct device *d, const struct launch *l)
{
	uint64_t h = program_key(d, l->kernel, l->dtype);

	if (!device_compiles_at_launch(d))
		return h;
	h = mix(h, (uint64_t)l->kernel);
	for (int i = 0; i < 3; i++)
		h = mix(h, l->local[i]);
	return mix(h, l->wide != 0);
}

bool launch_is_there(struct device *d, const struct launch *l)
{
	if (!device_compiles_at_launch(d) &&
	    program_is_there(d, l->kernel, l->dtype))
		return true;
	return device_noted(d, launch_key(d, l));
}

bool launch_describe(struct launch *l, const char *kernel, enum dtype t,
                     const struct grid *g, const struct arg *args,
                     size_t n_args, struct err *e)
{
	*l = (struct launch){ .kernel = program_place(kernel), .dtype = t,
	                      .n_args = (int)n_args };
	if (l->kernel < 0 || n_args > LAUNCH_ARGS)
		return err_set(e, ERR_INTERNAL, "there is no kernel %s of %zu "
		               "arguments", kernel, n_args) == 0;
	for (int i = 0; i < 3; i++) {
		l->local[i] = (uint32_t)g->local[i];
		l->wide |= g->global[i] >= LAUNCH_WIDE ? 1u << i : 0;
	}
	for (size_t i = 0; i < n_args; i++) {
		l->arg[i].size = (uint32_t)args[i].size;
		l->arg[i].kind = args[i].buf > 0 ? ARG_OF_BUFFER :
		                 args[i].buf < 0 || args[i].value ?
		                 ARG_OF_VALUE : ARG_OF_LOCAL;
	}
	return true;
}

void device_compile_elsewhere(struct device *d, elsewhere_fn *ask, void *arg)
{
	d->elsewhere = ask;
	d->elsewhere_arg = arg;
}

/* Takes the lock, which waits until no other process compiles the same launch;
 * *lock is -1 without a cache. Returns whether the machine code has been made
 * by then. */
static bool take_turn(struct device *d, uint64_t key, int *lock)
{
	*lock = d->cache ? binary_lock(d->cache, key, true) : -1;
	device_notes_refresh(d);
	return device_noted(d, key);
}

static void give_turn(int lock)
{
	if (lock >= 0)
		close(lock);
}

bool launch_is_first(struct device *d, const struct launch *l,
                     struct first *f)
{
	if (!device_compiles_at_launch(d) || launch_is_there(d, l))
		return false;
	f->key = launch_key(d, l);
	clFinish(d->lane[0]);
	f->begun_ns = clock_ns();
	if (!take_turn(d, f->key, &f->lock))
		return true;
	give_turn(f->lock);
	return false;
}

int64_t launch_was_first(struct device *d, const struct first *f,
                         cl_event event, struct err *e)
{
	cl_ulong begin = 0, end = 0;

	if (CL_TRY(d, e, "compiling", clFinish(d->lane[0]))) {
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START,
		                        sizeof begin, &begin, NULL);
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END,
		                        sizeof end, &end, NULL);
		device_note(d, f->key, true);
	}
	give_turn(f->lock);
	return clock_ns() - f->begun_ns - (int64_t)(end - begin);
}

int device_compile(struct device *d, const struct launch *l, struct err *e)
{
	const bool idly = device_compiles_at_launch(d);
	const uint64_t key = launch_key(d, l);
	int lock = -1;
	bool done = idly && take_turn(d, key, &lock);
	cl_kernel k;

	if (!done) {
		k = program_kernel(d, program_name(l->kernel), l->dtype, e);
		done = k && (!idly || launch_idly(d, l, k, e));
		if (done)
			device_note(d, key, true);
	}
	give_turn(lock);
	return done ? 0 : -1;
}
