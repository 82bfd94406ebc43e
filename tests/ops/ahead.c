/* ahead.c - see ahead.h. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/host.h"
#include "base/size.h"
#include "ops/variant.h"
#include "tests/ops/ahead.h"

enum { MOST = 16 };		/* processes, each with a context on the
				 * device */

extern char **environ;

static void foresee(struct device *d, const char *name)
{
	const struct sheet *s = device_sheet(d);
	const struct op *only = op_find(name);

	for (const struct op *const *o = ops; *o; o++)
		for (const struct variant *v = (*o)->variants; v->name; v++)
			for (int t = 0; t < DTYPE_COUNT; t++)
				if ((!only || only == *o) &&
				    op_usual_dtypes(*o) & DTYPE_BIT(t) &&
				    !dtype_is_complex((enum dtype)t) &&
				    variant_runs(v, (enum dtype)t, s))
					device_foresee(d, v->kernels,
					               (enum dtype)t);
}

void ahead(struct device *d, const char *cache, const char *name)
{
	pid_t process[MOST];
	char index[16];
	char *const argv[] = { "test-ops", "--compile", index, (char *)cache,
	                       (char *)name, NULL };
	size_t n;

	foresee(d, name);
	n = size_min(size_min((size_t)device_missing(d),
	                      (size_t)host_threads()), MOST);
	snprintf(index, sizeof index, "%d", device_sheet(d)->index);
	for (size_t i = 0; i < n; i++)
		if (posix_spawn(&process[i], "/proc/self/exe", NULL, NULL,
		                argv, environ))
			process[i] = -1;
	for (size_t i = 0; i < n; i++)
		if (process[i] > 0)
			waitpid(process[i], NULL, 0);
}

int ahead_compile(char *const argv[])
{
	struct err e = { 0 };
	struct device *d = device_open(atoi(argv[0]), argv[1], &e);

	if (!d) {
		fprintf(stderr, "test-ops --compile: %s\n", e.text);
		return 1;
	}
	foresee(d, argv[2]);
	while (device_compile_next(d))
		;
	device_close(d);
	return 0;
}
