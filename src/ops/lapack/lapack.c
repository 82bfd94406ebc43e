/* lapack.c - see lapack.h. */
#include <dlfcn.h>
#include <fenv.h>
#include <malloc.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/blocks.h"
#include "ops/lapack/escape.h"
#include "ops/lapack/exported.h"
#include "ops/lapack/guarded.h"

static const char library[] = "liblapacke.so.3";

static const struct routine {
	const char *name;
	size_t place;			/* of its pointer in struct lapack */
} routines[] = {
#define X(routine, parameters, arguments) \
	{ "LAPACKE_s" #routine "_work", offsetof(struct lapack, s.routine) }, \
	{ "LAPACKE_d" #routine "_work", offsetof(struct lapack, d.routine) },
	LAPACK_ROUTINES(X, )
#undef X
#define X(routine, parameters, arguments) \
	{ "s" #routine "_", offsetof(struct lapack, s.routine) }, \
	{ "d" #routine "_", offsetof(struct lapack, d.routine) },
	LAPACK_BLAS_ROUTINES(X, )
#undef X
#define X(routine, parameters, arguments) \
	{ "LAPACKE_c" #routine "_work", offsetof(struct lapack, c.routine) }, \
	{ "LAPACKE_z" #routine "_work", offsetof(struct lapack, z.routine) },
	LAPACK_COMPLEX_ROUTINES(X, , )
#undef X
};

/* Takes the exported routines, which are cut into pieces, and those of blocks.h
 * in place of the library's. */
static void take_ours(struct lapack *l)
{
	l->s.gemm = sgemm_;
	l->d.gemm = dgemm_;
	l->s.trsm = strsm_;
	l->d.trsm = dtrsm_;
	l->s.trmm = strmm_;
	l->d.trmm = dtrmm_;
	l->s.gemv = sgemv_;
	l->d.gemv = dgemv_;
	l->s.potrf = blocks_potrf_s;
	l->d.potrf = blocks_potrf_d;
	l->s.getrf = blocks_getrf_s;
	l->d.getrf = blocks_getrf_d;
	l->s.getrs = blocks_getrs_s;
	l->d.getrs = blocks_getrs_d;
}

static int find_all(struct lapack *l, void *handle, struct err *e)
{
	const char *const missing = inner_find(handle);

	if (missing)
		return err_set(e, ERR_INTERNAL, "%s has no %s", library,
		               missing);
	for (size_t i = 0; i < COUNT(routines); i++) {
		void *const found = dlsym(handle, routines[i].name);

		if (!found)
			return err_set(e, ERR_INTERNAL, "%s has no %s",
			               library, routines[i].name);
		memcpy((char *)l + routines[i].place, &found, sizeof found);
	}
	take_ours(l);
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
	if (find_all(&unguarded, handle, e) < 0)
		return -1;
	guarded_take(l);
	return 0;
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

/* Keeps some freed memory for the next call. LAPACK's matrices and workspaces
 * are freed after each call; to get them anew, filled with zeros page by page,
 * took a tenth of the time of a symmetric eigenproblem of 1024 rows. */
static void keep_memory(void)
{
#ifdef __GLIBC__
	enum { MIB = 1024 * 1024, LARGEST = 32 * MIB, KEPT = 128 * MIB };

	mallopt(M_MMAP_THRESHOLD, LARGEST);
	mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

const struct lapack *lapack_load(const struct seq *s, size_t rows,
                                 struct err *e)
{
	static struct lapack lapack;
	static bool loaded;

	if (!loaded) {
		keep_memory();
		loaded = load_as_we_are(&lapack, e) == 0;
	}
	if (!loaded)
		return NULL;
	escape_watch(s);
	if (lapack.set_threads)
		lapack.set_threads(rows <= LAPACK_ROWS_OF_ONE_THREAD ? 1 :
		                   lapack.threads);
	return &lapack;
}

void lapack_threads_for(const struct lapack *l, size_t rows, bool vectors)
{
	if (l->set_threads && rows > LAPACK_ROWS_OF_ONE_THREAD)
		l->set_threads(vectors ? 1 : l->threads);
}

bool lapack_goes_on(void)
{
	return !escape_wanted();
}
