/* lapack.c - see lapack.h. */
#include <dlfcn.h>
#include <fenv.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/lapack.h"

static const char library[] = "liblapacke.so.3";

static const struct routine {
	const char *name;
	size_t place;			/* of its pointer in struct lapack */
} routines[] = {
#define X(routine, arguments) \
	{ "LAPACKE_s" #routine "_work", offsetof(struct lapack, s.routine) }, \
	{ "LAPACKE_d" #routine "_work", offsetof(struct lapack, d.routine) },
	LAPACK_ROUTINES(X, )
#undef X
#define X(routine, arguments) \
	{ "s" #routine "_", offsetof(struct lapack, s.routine) }, \
	{ "d" #routine "_", offsetof(struct lapack, d.routine) },
	LAPACK_BLAS_ROUTINES(X, )
#undef X
};

static int find_all(struct lapack *l, void *handle, struct err *e)
{
	for (size_t i = 0; i < COUNT(routines); i++) {
		void *const found = dlsym(handle, routines[i].name);

		if (!found)
			return err_set(e, ERR_INTERNAL, "%s has no %s",
			               library, routines[i].name);
		memcpy((char *)l + routines[i].place, &found, sizeof found);
	}
	return 0;
}

/* The search includes LAPACKE's own dependencies, of which OpenBLAS is one
 * unless the system has another LAPACK. */
static void find_threads(struct lapack *l, void *handle)
{
	void *const get = dlsym(handle, "openblas_get_num_threads");
	void *const set = dlsym(handle, "openblas_set_num_threads");
	int (*get_threads)(void);

	l->threads = 1;
	if (!get || !set)
		return;
	memcpy(&get_threads, &get, sizeof get);
	memcpy(&l->set_threads, &set, sizeof set);
	l->threads = get_threads();
}

static int load(struct lapack *l, struct err *e)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return err_set(e, ERR_INTERNAL, "LAPACK is not installed "
		               "(Debian: liblapacke, libopenblas0-pthread): "
		               "%s", dlerror());
	find_threads(l, handle);
	return find_all(l, handle, e);
}

/* Restores the thread's floating-point mode after loading: a library that was
 * linked with -ffast-math makes the processor treat denormal numbers as 0. */
static int load_as_we_are(struct lapack *l, struct err *e)
{
	fenv_t before;
	int rc;

	fegetenv(&before);
	rc = load(l, e);
	fesetenv(&before);
	return rc;
}

const struct lapack *lapack_load(size_t rows, struct err *e)
{
	static struct lapack lapack;
	static bool loaded;

	loaded = loaded || load_as_we_are(&lapack, e) == 0;
	if (!loaded)
		return NULL;
	if (lapack.set_threads)
		lapack.set_threads(rows <= LAPACK_ROWS_OF_ONE_THREAD ? 1 :
		                   lapack.threads);
	return &lapack;
}
