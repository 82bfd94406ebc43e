/* program.c - kernels by name: the sources in this binary, compiled when a
 * kernel of theirs is first launched, one program per file and element type,
 * so that a file that one compiler refuses harms no other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
	bool foreseen[COUNT(kernel_sources)][DTYPE_COUNT];
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

enum { WAYS = COUNT(subgroup_ways), OPTIONS = 80 };

/* The first way for that source from `way` on, which is one, and its
 * options. */
static size_t next_way(const struct device *d, const struct kernel_source *s,
                       enum dtype t, size_t way, char options[OPTIONS])
{
	if (!strstr(s->text, "KERNELS_SUBGROUP_H"))
		way = WAYS - 1;
	while (!subgroup_ways[way].worth_trying(&d->sheet))
		way++;
	snprintf(options, OPTIONS, "-D DTYPE_%s %s", dtype_name(t),
	         subgroup_ways[way].options);
	return way;
}

/* PoCL keeps its own binaries, which know more than CL_PROGRAM_BINARIES. */
static bool keeps_binaries(const struct device *d)
{
	return strstr(d->sheet.platform, "Portable Computing") != NULL;
}

/* Where linalgd keeps them, or NULL. */
static const char *cache_of(const struct device *d)
{
	return keeps_binaries(d) ? NULL : d->programs->cache;
}

static cl_program load_any_way(struct device *d, const struct kernel_source *s,
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

/* From the cache, or compiled for it; not where another process is at that,
 * unless it is to be waited for. */
static cl_program make(struct device *d, const struct kernel_source *s,
                       enum dtype t, bool wait, struct err *e)
{
	const char *cache = cache_of(d);
	cl_program p = load_any_way(d, s, t);
	int lock = -1;

	if (p)
		return p;
	if (cache)
		lock = binary_lock(d, cache, s->text, dtype_name(t), wait);
	if (lock >= 0)
		p = load_any_way(d, s, t);	/* by now? */
	if (!p && (lock >= 0 || wait))
		p = compile_any_way(d, s, t, e);
	if (lock >= 0)
		close(lock);
	return p;
}

static cl_program program_of(struct device *d, int source, enum dtype t,
                             struct err *e)
{
	cl_program *p = &d->programs->program[source][t];

	if (!*p)
		*p = make(d, &kernel_sources[source], t, true, e);
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

void device_foresee(struct device *d, const char *kernels, enum dtype t)
{
	char name[64];
	int n;

	for (; sscanf(kernels, " %63s%n", name, &n) == 1; kernels += n) {
		const struct kernel_place *place = place_of(name);

		if (place)
			d->programs->foreseen[place->source][t] = true;
	}
}

/* Is a program foreseen that the cache lacks? */
static bool is_missing(const struct device *d, size_t source, enum dtype t)
{
	const struct kernel_source *s = &kernel_sources[source];
	const char *cache = cache_of(d);
	bool missing = cache && d->programs->foreseen[source][t];
	char options[OPTIONS];

	for (size_t way = 0; missing && way < WAYS; way++) {
		way = next_way(d, s, t, way, options);
		missing = !binary_there(d, cache, s->text, options);
	}
	return missing;
}

int device_missing(const struct device *d)
{
	int n = 0;

	for (size_t i = 0; i < COUNT(kernel_sources); i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			n += is_missing(d, i, (enum dtype)t);
	return n;
}

/* A program of those foreseen. */
struct wish { size_t source; enum dtype dtype; };

/* Long texts take long, and come first. */
static int by_length(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	const size_t m = strlen(kernel_sources[x->source].text);
	const size_t n = strlen(kernel_sources[y->source].text);

	return (m < n) - (m > n);
}

void device_compile_missing(struct device *d)
{
	struct wish wish[COUNT(kernel_sources) * DTYPE_COUNT];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(kernel_sources); i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			if (is_missing(d, i, (enum dtype)t))
				wish[n++] = (struct wish){ i, (enum dtype)t };
	qsort(wish, n, sizeof wish[0], by_length);
	for (size_t i = 0; i < n; i++) {
		struct err refused = { 0 };
		cl_program p = make(d, &kernel_sources[wish[i].source],
		                    wish[i].dtype, false, &refused);

		if (p)
			clReleaseProgram(p);
	}
}

bool device_load_next(struct device *d)
{
	struct programs *p = d->programs;

	for (size_t i = 0; cache_of(d) && i < COUNT(kernel_sources); i++)
		for (int t = 0; t < DTYPE_COUNT; t++) {
			const bool foreseen = p->foreseen[i][t];

			p->foreseen[i][t] = false;
			if (!foreseen || p->program[i][t])
				continue;
			p->program[i][t] = load_any_way(d, &kernel_sources[i],
			                                (enum dtype)t);
			return true;
		}
	return false;
}
