/* program.c - kernels by name: the sources in this binary, compiled when a
 * kernel of theirs is first launched, one program per file and element type,
 * so that a file that one compiler refuses harms no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "device/cl.h"

struct kernel_source { const char *file, *text; };
struct kernel_place { const char *kernel; int source; };

#include "kernels.inc"

struct programs {
	char *cache;			/* directory for binaries, or NULL */
	cl_program program[COUNT(kernel_sources)][DTYPE_COUNT];
	cl_kernel kernel[COUNT(kernel_places)][DTYPE_COUNT];
	signed char verdict[COUNT(kernel_places)][DTYPE_COUNT];
};

struct programs *programs_new(const char *cache)
{
	struct programs *p = calloc(1, sizeof *p);

	if (p && cache && !(p->cache = strdup(cache))) {
		free(p);
		return NULL;
	}
	return p;
}

void programs_free(struct programs *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < COUNT(kernel_places); i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			if (p->kernel[i][t])
				clReleaseKernel(p->kernel[i][t]);
	for (size_t i = 0; i < COUNT(kernel_sources); i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			if (p->program[i][t])
				clReleaseProgram(p->program[i][t]);
	free(p->cache);
	free(p);
}

/* The compiler's first words, which name the first mistake. */
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
	if (rc == CL_SUCCESS && strstr(source->text, "KERNELS_NVIDIA_PTX_H"))
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

/* PoCL keeps its own binaries, which know more than CL_PROGRAM_BINARIES. */
static bool keeps_binaries(const struct device *d)
{
	return strstr(d->sheet.platform, "Portable Computing") != NULL;
}

/* From the cache, or compiled for it. */
static cl_program make(struct device *d, const struct kernel_source *source,
                       const char *options, struct err *e)
{
	const char *cache = keeps_binaries(d) ? NULL : d->programs->cache;
	cl_program p = NULL;

	if (cache)
		p = binary_load(d, cache, source->text, options);
	if (p)
		return p;
	p = compile(d, source, options, e);
	if (p && cache)
		binary_store(d, p, cache, source->text, options);
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

/* How kernels/subgroup.h may be compiled, the best way first. Whether a way
 * is there, only its compiler knows; the last one always is. */
static const struct {
	const char *options;
	bool (*worth_trying)(const struct sheet *s);
} subgroup_ways[] = {
	{ "-cl-std=CL3.0 -D SUBGROUP_KHR", has_subgroups },
	{ "-cl-std=CL2.0 -D SUBGROUP_KHR", has_subgroups },
	{ "-cl-std=CL1.2 -D SUBGROUP_PTX", is_nvidia },
	{ "-cl-std=CL1.2", has_compiler },
};

static cl_program program_of(struct device *d, int source, enum dtype t,
                             struct err *e)
{
	const size_t last = COUNT(subgroup_ways) - 1;
	cl_program *p = &d->programs->program[source][t];
	const struct kernel_source *s = &kernel_sources[source];
	size_t way = strstr(s->text, "KERNELS_SUBGROUP_H") ? 0 : last;
	char options[80];

	for (; !*p && way <= last; way++) {
		struct err refused = { 0 };

		if (!subgroup_ways[way].worth_trying(&d->sheet))
			continue;
		snprintf(options, sizeof options, "-D DTYPE_%s %s",
		         dtype_name(t), subgroup_ways[way].options);
		*p = make(d, s, options, way == last ? e : &refused);
	}
	return *p;
}

static int by_name(const void *name, const void *place)
{
	return strcmp(name, ((const struct kernel_place *)place)->kernel);
}

static const struct kernel_place *place_of(const char *name)
{
	return bsearch(name, kernel_places, COUNT(kernel_places),
	               sizeof kernel_places[0], by_name);
}

signed char *program_verdict(struct device *d, const char *name, enum dtype t)
{
	const struct kernel_place *place = place_of(name);

	return place ? &d->programs->verdict[place - kernel_places][t] : NULL;
}

cl_kernel program_kernel(struct device *d, const char *name, enum dtype t,
                         struct err *e)
{
	const struct kernel_place *place = place_of(name);
	cl_kernel *k;
	cl_program p;
	cl_int rc = CL_SUCCESS;

	if (!place) {
		err_set(e, ERR_INTERNAL, "there is no kernel %s", name);
		return NULL;
	}
	k = &d->programs->kernel[place - kernel_places][t];
	if (*k)
		return *k;
	p = program_of(d, place->source, t, e);
	if (p)
		CL_TRY_NEW(d, e, name, *k, clCreateKernel(p, name, &rc));
	d->kernels++;
	return *k;
}
