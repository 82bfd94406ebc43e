/* compile.c - a program from the sources in this binary, compiled or loaded
 * from linalgd's cache of binaries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "device/binary.h"
#include "device/programs.h"
#include "device/state.h"

/* Builds the program; on failure the error quotes the beginning of the
 * compiler's log, which names the first mistake. */
static cl_int build(const struct device *d, cl_program p, const char *options,
                    char log[160])
{
	cl_int rc = clBuildProgram(p, 1, &d->id, options, NULL, NULL);
	char *all;
	size_t n = 0;

	if (rc == CL_SUCCESS)
		return rc;
	clGetProgramBuildInfo(p, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
	all = calloc(1, n + 1);
	if (!all)
		return CL_OUT_OF_HOST_MEMORY;
	clGetProgramBuildInfo(p, d->id, CL_PROGRAM_BUILD_LOG, n, all, NULL);
	snprintf(log, 160, "%s", all);
	free(all);
	return rc;
}

static cl_program compile(struct device *d, const struct kernel_source *source,
                          const char *options, struct err *e)
{
	char log[160] = "";
	cl_program p = NULL;
	cl_int rc = CL_SUCCESS;

	if (!CL_TRY_NEW(d, e, source->file, p, clCreateProgramWithSource(
	    d->context, 1, (const char *[]){ source->text }, NULL, &rc)))
		return NULL;
	rc = cl_must_fail() ? CL_OUT_OF_HOST_MEMORY : build(d, p, options, log);
	if (rc == CL_SUCCESS && strstr(source->text, "KERNELS_LIB_PTX_H"))
		p = ptx_uncovered(d, p, options, &rc);
	if (rc != CL_SUCCESS) {
		err_set(e, ERR_DEVICE, "%s does not compile (%s): %s",
		        source->file, options, log);
		if (p)
			clReleaseProgram(p);
		return NULL;
	}
	return p;
}

static bool is_nvidia(const struct sheet *s)
{
	return strstr(s->vendor, "NVIDIA") != NULL;
}

static bool has_subgroups(const struct sheet *s)
{
	return !is_nvidia(s) && s->subgroup_sizes[0] != 0;
}

static bool has_compiler(const struct sheet *s)
{
	(void)s;
	return true;
}

/* The ways in which kernels/lib/subgroup.h may be compiled, the best first.
 * Only the compiler can tell whether it supports a way; every compiler supports
 * the last. */
static const struct {
	const char *options;
	bool (*worth_trying)(const struct sheet *s);
} subgroup_ways[] = {
	{ "-cl-std=CL3.0 -D SUBGROUP_KHR", has_subgroups },
	{ "-cl-std=CL2.0 -D SUBGROUP_KHR", has_subgroups },
	{ "-cl-std=CL1.2 -D SUBGROUP_PTX", is_nvidia },
	{ "-cl-std=CL1.2", has_compiler },
};

enum { WAYS = COUNT(subgroup_ways), OPTIONS = 80 };

/* Returns the first index from `way` on in subgroup_ways[] that is worth trying
 * for that source on this device, and writes the compiler's options. */
static size_t next_way(const struct device *d, const struct kernel_source *s,
                       enum dtype t, size_t way, char options[OPTIONS])
{
	if (!strstr(s->text, "KERNELS_LIB_SUBGROUP_H"))
		way = WAYS - 1;
	while (!subgroup_ways[way].worth_trying(&d->sheet))
		way++;
	snprintf(options, OPTIONS, "-D DTYPE_%s %s", dtype_name(t),
	         subgroup_ways[way].options);
	return way;
}

/* PoCL compiles at launch and keeps machine code in a cache of its own, which
 * contains more than CL_PROGRAM_BINARIES returns. */
bool device_compiles_at_launch(const struct device *d)
{
	return strstr(d->sheet.platform, "Portable Computing") != NULL;
}

/* The directory in which linalgd caches this device's binaries, or NULL. */
static const char *cache_of(const struct device *d)
{
	return device_compiles_at_launch(d) ? NULL : d->cache;
}

cl_program source_load(struct device *d, const struct kernel_source *s,
                       enum dtype t)
{
	const char *cache = cache_of(d);
	cl_program p = NULL;
	char options[OPTIONS];

	for (size_t way = 0; cache && !p && way < WAYS; way++) {
		way = next_way(d, s, t, way, options);
		p = binary_load(d, cache, s->text, options);
	}
	return p;
}

static cl_program compile_any_way(struct device *d,
                                  const struct kernel_source *s, enum dtype t,
                                  struct err *e)
{
	const char *cache = cache_of(d);
	cl_program p = NULL;
	char options[OPTIONS];

	for (size_t way = 0; !p && way < WAYS; way++) {
		struct err refused = { 0 };

		way = next_way(d, s, t, way, options);
		p = compile(d, s, options, way == WAYS - 1 ? e : &refused);
	}
	if (p && cache)
		binary_store(d, p, cache, s->text, options);
	return p;
}

/* Has the program been compiled before, so that PoCL's own cache contains
 * it? */
static bool is_kept(struct device *d, uint64_t key)
{
	if (device_compiles_at_launch(d))
		device_notes_refresh(d);
	return device_noted(d, key);
}

/* The lock is taken on PoCL as well: PoCL 3 crashes when two processes that
 * share its cache compile the same program for the first time. */
cl_program source_make(struct device *d, const struct kernel_source *s,
                       enum dtype t, bool wait, struct err *e)
{
	const uint64_t key = binary_key(d, s->text, dtype_name(t));
	cl_program p = source_load(d, s, t);
	int lock = -1;

	if (p)
		return p;
	if (d->cache && !is_kept(d, key))
		lock = binary_lock(d->cache, key, wait);
	if (lock >= 0)
		p = source_load(d, s, t);	/* compiled meanwhile? */
	if (!p && (lock >= 0 || wait))
		p = compile_any_way(d, s, t, e);
	if (p && device_compiles_at_launch(d))
		device_note(d, key, true);
	if (lock >= 0)
		close(lock);
	return p;
}

bool source_is_missing(const struct device *d, const struct kernel_source *s,
                       enum dtype t)
{
	const char *cache = cache_of(d);
	bool missing = cache != NULL;
	char options[OPTIONS];

	for (size_t way = 0; missing && way < WAYS; way++) {
		way = next_way(d, s, t, way, options);
		missing = !binary_there(d, cache, s->text, options);
	}
	return missing;
}
