/* exported.c - see exported.h. */
#include <dlfcn.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/escape.h"
#include "ops/lapack/exported.h"

struct inner inner;

static const struct place {
	const char *name;
	size_t at;			/* of its pointer in struct inner */
} places[] = {
#define X(routine, parameters, arguments) \
	{ "s" #routine "_", offsetof(struct inner, s.routine) }, \
	{ "d" #routine "_", offsetof(struct inner, d.routine) },
	LAPACK_POLLED(X, )
	LAPACK_POLLED_NUMBERS(X, )
	LAPACK_CUT(X, )
	LAPACK_SMALL(X, )
#undef X
#define X(routine, parameters, arguments) \
	{ "c" #routine "_", offsetof(struct inner, c.routine) }, \
	{ "z" #routine "_", offsetof(struct inner, z.routine) },
	LAPACK_COMPLEX_POLLED(X, , )
#undef X
};

const char *inner_find(void *handle)
{
	for (size_t i = 0; i < COUNT(places); i++) {
		void *const found = dlsym(handle, places[i].name);

		if (!found)
			return places[i].name;
		memcpy((char *)&inner + places[i].at, &found, sizeof found);
	}
	return NULL;
}

/* For a program that is linked with LAPACK itself, as one of the tests' is: it
 * may call it before lapack_load(). Elsewhere this finds nothing. */
__attribute__((constructor)) static void find_linked(void)
{
	inner_find(RTLD_NEXT);
}

#define X(name, parameters, arguments)                                       \
void s##name##_ parameters                                                   \
{                                                                            \
	escape_poll();                                                       \
	inner.s.name arguments;                                              \
}
LAPACK_POLLED(X, float)
#undef X
#define X(name, parameters, arguments)                                       \
void d##name##_ parameters                                                   \
{                                                                            \
	escape_poll();                                                       \
	inner.d.name arguments;                                              \
}
LAPACK_POLLED(X, double)
#undef X
#define X(name, parameters, arguments)                                       \
void c##name##_ parameters                                                   \
{                                                                            \
	escape_poll();                                                       \
	inner.c.name arguments;                                              \
}
LAPACK_COMPLEX_POLLED(X, cplx_c, float)
#undef X
#define X(name, parameters, arguments)                                       \
void z##name##_ parameters                                                   \
{                                                                            \
	escape_poll();                                                       \
	inner.z.name arguments;                                              \
}
LAPACK_COMPLEX_POLLED(X, cplx, double)
#undef X

float slapy2_(const float *x, const float *y)
{
	escape_poll();
	return inner.s.lapy2(x, y);
}

double dlapy2_(const double *x, const double *y)
{
	escape_poll();
	return inner.d.lapy2(x, y);
}
