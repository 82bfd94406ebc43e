/* symbol.c - see symbol.h. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients/lapack/symbol.h"

enum { LEAST = 512 };

static _Atomic(struct symbol *) last_listed;

/* --- the next library */

/* Libraries that are opened if the program itself has none, or has one that is
 * visible only to a part of it, as modules of Python are. */
static const char *const libraries[] = {
	"liblapack.so.3", "libblas.so.3", "libopenblas.so.0",
};

static void *find_in(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);

	return handle ? dlsym(handle, name) : NULL;
}

static void *find(const char *name)
{
	const char *named = getenv("LINALGD_LAPACK_NEXT");
	void *found = dlsym(RTLD_NEXT, name);

	if (!found && named)
		found = find_in(named, name);
	for (size_t i = 0; !found && i < sizeof libraries / sizeof *libraries;
	     i++)
		found = find_in(libraries[i], name);
	return found;
}

symbol_call *symbol_next(struct symbol *s)
{
	void *next = atomic_load(&s->next);
	symbol_call *call;

	if (!next) {
		next = find(s->name);
		atomic_store(&s->next, next);
	}
	if (!next) {
		fprintf(stderr, "liblinalgd-lapack: no library has %s\n",
		        s->name);
		abort();
	}
	/* POSIX lets an object pointer hold a function's address. */
	memcpy(&call, &next, sizeof call);
	return call;
}

/* --- counts */

bool symbol_count(struct symbol *s, bool answered)
{
	atomic_fetch_add(answered ? &s->answered : &s->passed_on, 1);
	if (atomic_flag_test_and_set(&s->is_listed))
		return answered;
	s->listed = atomic_load(&last_listed);
	while (!atomic_compare_exchange_weak(&last_listed, &s->listed, s))
		;
	return answered;
}

__attribute__((destructor)) static void write_log(void)
{
	const char *path = getenv("LINALGD_LAPACK_LOG");
	const int fd = path && atomic_load(&last_listed) ?
	               open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
	                    0666) : -1;

	if (fd < 0)
		return;
	for (struct symbol *s = atomic_load(&last_listed); s; s = s->listed)
		dprintf(fd, "%s %lu %lu\n", s->name, atomic_load(&s->answered),
		        atomic_load(&s->passed_on));
	close(fd);
}

/* --- the threshold */

bool symbol_is_worth(double order)
{
	const char *least = getenv("LINALGD_LAPACK_LEAST");

	return order >= (least ? strtod(least, NULL) : LEAST);
}
