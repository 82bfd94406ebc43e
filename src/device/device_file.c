/* device_file.c - see device_file.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"
#include "device/device_file.h"

enum { PIECE = 4096 };

static int path_of(const struct sheet *s, const char *cache, const char *name,
                   const char *end, char path[HOST_PATH])
{
	int n = snprintf(path, HOST_PATH, "%s/%s-%d%s", cache, name, s->index,
	                 end);

	return n < HOST_PATH ? 0 : -1;
}

/* Reads the next line; is it that text? */
static bool line_is(FILE *f, const char *text)
{
	char line[SHEET_NAME + 2];
	size_t n = strlen(text);

	return fgets(line, sizeof line, f) && !strncmp(line, text, n) &&
	       !strcmp(line + n, "\n");
}

void device_file_read(const struct sheet *s, const char *cache,
                      const char *name, struct text *t)
{
	char path[HOST_PATH], piece[PIECE];
	FILE *f = NULL;
	size_t n;

	text_puts(t, "");
	if (cache && path_of(s, cache, name, "", path) == 0)
		f = fopen(path, "re");
	if (!f)
		return;
	if (line_is(f, s->name) && line_is(f, s->driver))
		while ((n = fread(piece, 1, sizeof piece, f)) > 0)
			text_add(t, piece, n);
	fclose(f);
}

int device_file_write(const struct sheet *s, const char *cache,
                      const char *name, const struct text *t, struct err *e)
{
	char path[HOST_PATH], fresh[HOST_PATH];
	FILE *f = NULL;
	bool written;

	if (path_of(s, cache, name, "", path) == 0 &&
	    path_of(s, cache, name, ".new", fresh) == 0)
		f = fopen(fresh, "we");
	if (!f)
		return err_set(e, ERR_INTERNAL, "%s of device %d: %.100s: %s",
		               name, s->index, cache, strerror(errno));
	written = fprintf(f, "%s\n%s\n", s->name, s->driver) > 0 &&
	          fwrite(t->data, 1, t->length, f) == t->length;
	if ((fclose(f) | !written) || rename(fresh, path)) {
		unlink(fresh);
		return err_set(e, ERR_INTERNAL, "%s of device %d: %.100s: %s",
		               name, s->index, path, strerror(errno));
	}
	return 0;
}
