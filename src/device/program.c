/* program.c - kernels by name. The sources are embedded in this binary. A
 * source is compiled when one of its kernels is first launched, as one program
 * per file and element type, so that a compiler which refuses one file still
 * accepts the others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "device/binary.h"
#include "device/programs.h"
#include "device/state.h"

struct kernel_place { const char *kernel; int source; };

#include "kernels.inc"

struct programs {
	cl_program program[COUNT(kernel_sources)][DTYPE_COUNT];
	cl_kernel kernel[COUNT(kernel_places)][DTYPE_COUNT];
	signed char verdict[COUNT(kernel_places)][DTYPE_COUNT];
	struct pace pace[COUNT(kernel_places)][DTYPE_COUNT];
	bool foreseen[COUNT(kernel_sources)][DTYPE_COUNT];
	/* Hashes of each source and of all of them; 0: not computed yet. */
	uint64_t key[COUNT(kernel_sources)][DTYPE_COUNT], all;
};

struct programs *programs_new(void)
{
	return calloc(1, sizeof(struct programs));
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
	free(p);
}

static cl_program program_of(struct device *d, int source, enum dtype t,
                             struct err *e)
{
	cl_program *p = &d->programs->program[source][t];
	const int64_t begun = clock_ns();

	if (*p)
		return *p;
	*p = source_make(d, &kernel_sources[source], t, true, e);
	d->compile_ns += clock_ns() - begun;
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

int program_place(const char *name)
{
	const struct kernel_place *place = place_of(name);

	return place ? (int)(place - kernel_places) : -1;
}

const char *program_name(int place)
{
	return kernel_places[place].kernel;
}

uint64_t program_key(struct device *d, int place, enum dtype t)
{
	const int source = kernel_places[place].source;
	uint64_t *key = &d->programs->key[source][t];

	if (*key == 0)
		*key = binary_key(d, kernel_sources[source].text,
		                  dtype_name(t));
	return *key;
}

bool program_is_there(struct device *d, int place, enum dtype t)
{
	const int source = kernel_places[place].source;
	cl_program *p = &d->programs->program[source][t];
	const int64_t begun = clock_ns();

	if (*p)
		return true;
	*p = source_load(d, &kernel_sources[source], t);
	d->compile_ns += clock_ns() - begun;
	return *p != NULL;
}

uint64_t device_key(struct device *d, const char *name)
{
	uint64_t all = d->programs->all;

	if (all == 0)
		for (size_t i = 0; i < COUNT(kernel_sources); i++)
			all = 31 * all +
			      binary_key(d, kernel_sources[i].text, "");
	d->programs->all = all;
	return all ^ binary_key(d, name, "");
}

signed char *program_verdict(struct device *d, const char *name, enum dtype t)
{
	const struct kernel_place *place = place_of(name);

	return place ? &d->programs->verdict[place - kernel_places][t] : NULL;
}

struct pace *program_pace(struct device *d, int place, enum dtype t)
{
	return &d->programs->pace[place][t];
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

/* Returns whether the program is foreseen and not in the cache. */
static bool is_missing(const struct device *d, size_t source, enum dtype t)
{
	return d->programs->foreseen[source][t] &&
	       source_is_missing(d, &kernel_sources[source], t);
}

int device_missing(const struct device *d)
{
	int n = 0;

	for (size_t i = 0; i < COUNT(kernel_sources); i++)
		for (int t = 0; t < DTYPE_COUNT; t++)
			n += is_missing(d, i, (enum dtype)t);
	return n;
}

/* Finds the foreseen program with the longest source that the cache lacks,
 * because it takes the longest to compile; false when the cache lacks none. */
static bool find_longest(const struct device *d, size_t *source, enum dtype *t)
{
	size_t longest = 0;

	for (size_t i = 0; i < COUNT(kernel_sources); i++)
		for (int k = 0; k < DTYPE_COUNT; k++) {
			const size_t n = strlen(kernel_sources[i].text);

			if (n <= longest || !is_missing(d, i, (enum dtype)k))
				continue;
			longest = n;
			*source = i;
			*t = (enum dtype)k;
		}
	return longest > 0;
}

bool device_compile_next(struct device *d)
{
	struct err refused = { 0 };
	enum dtype t;
	size_t source;
	cl_program p;

	if (!find_longest(d, &source, &t))
		return false;
	d->programs->foreseen[source][t] = false;
	p = source_make(d, &kernel_sources[source], t, false, &refused);
	if (p)
		clReleaseProgram(p);
	return true;
}

bool device_load_next(struct device *d)
{
	const bool can_load = d->cache && !device_compiles_at_launch(d);
	struct programs *p = d->programs;

	for (size_t i = 0; can_load && i < COUNT(kernel_sources); i++)
		for (int t = 0; t < DTYPE_COUNT; t++) {
			const bool foreseen = p->foreseen[i][t];

			p->foreseen[i][t] = false;
			if (!foreseen || p->program[i][t])
				continue;
			p->program[i][t] = source_load(d, &kernel_sources[i],
			                                (enum dtype)t);
			return true;
		}
	return false;
}
