/* output.c - see output.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients/call/output.h"

/* Returns whether path can be replaced by another file: it is a regular file,
 * or does not exist. */
static bool is_replaceable(const char *path)
{
	struct stat s;

	return lstat(path, &s) ? errno == ENOENT : S_ISREG(s.st_mode);
}

static int open_file(struct output *o)
{
	if (strcmp(o->path, "-") == 0) {
		o->file = stdout;
		return 0;
	}
	if (is_replaceable(o->path) &&
	    asprintf(&o->beside, "%s.part-%ld", o->path, (long)getpid()) < 0) {
		o->beside = NULL;
		return -1;
	}
	o->file = fopen(o->beside ? o->beside : o->path, "we");
	return o->file ? 0 : -1;
}

bool output_write(void *output, const char *bytes, size_t n)
{
	struct output *o = output;

	if (!o->file && open_file(o))
		return false;
	return fwrite(bytes, 1, n, o->file) == n;
}

static int close_file(struct output *o)
{
	if (o->file == stdout)
		return fflush(stdout);
	return fclose(o->file);
}

int output_end(struct output *o, bool complete)
{
	int rc = 0, number;

	if (o->file && close_file(o))
		rc = -1;
	if (o->beside && o->file && complete && rc == 0)
		rc = rename(o->beside, o->path);
	number = errno;
	if (o->beside && (!complete || rc))
		unlink(o->beside);
	free(o->beside);
	*o = (struct output){ .path = o->path };
	errno = number;
	return rc;
}
