/* options_file.c - reads a configuration file by libinih. */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/options_set.h"

/* A value of the file. Options point to its text, so that it is never freed. */
struct kept {
	struct kept *next;
	char text[];
};
static struct kept *all_kept;

static const char *keep(const char *text)
{
	const size_t n = strlen(text) + 1;
	struct kept *k = malloc(sizeof *k + n);

	if (!k)
		return NULL;
	memcpy(k->text, text, n);
	k->next = all_kept;
	all_kept = k;
	return k->text;
}

struct file {
	struct options_reading *reading;
	const char *path;
	FILE *stream;
	int line;
	bool failed;
	struct err *e;
};

/* Prefixes an error's text with the file's path and the line's number. */
static int blame(struct file *f)
{
	char text[sizeof f->e->text];

	memcpy(text, f->e->text, sizeof text);
	snprintf(f->e->text, sizeof f->e->text, "%.100s:%d: %.140s", f->path,
	         f->line, text);
	f->failed = true;
	return 0;
}

static const struct option_row *row_of(const struct file *f, const char *name,
                                       struct nearest *near)
{
	for (const struct option_row *r = f->reading->rows; r->flag; r++) {
		if (!strcmp(r->flag, name) && r->type != OPTION_FILE)
			return r;
		if (r->type != OPTION_FILE)
			nearest_try(near, r->flag);
	}
	return NULL;
}

/* libinih's callback for each line. Returns 0 after an error; only the first
 * error is kept. */
static int on_line(void *arg, const char *section, const char *name,
                   const char *value)
{
	struct file *f = arg;
	struct nearest near = nearest_to(name);
	const struct option_row *r = row_of(f, name, &near);
	const char *text;

	if (f->failed)
		return 0;
	if (*section)
		err_set(f->e, ERR_PARAMETER, "[%.40s]: there are no sections",
		        section);
	else if (!r)
		err_set(f->e, ERR_PARAMETER, "%.60s: no such setting%s", name,
		        nearest_hint(&near));
	else if (!(text = keep(value)))
		err_set(f->e, ERR_MEMORY, "no memory for settings");
	else if (!options_give(f->reading, r, text, OPTION_BY_FILE, f->e))
		return 1;
	return blame(f);
}

/* libinih's callback that reads a line, as fgets() does. Refuses a line that is
 * longer than libinih's buffer, which libinih would split. */
static char *next_line(char *line, int size, void *arg)
{
	struct file *f = arg;

	if (f->failed || !fgets(line, size, f->stream))
		return NULL;
	f->line++;
	if ((int)strlen(line) < size - 1 || line[size - 2] == '\n')
		return line;
	err_set(f->e, ERR_PARAMETER, "longer than %d characters", size - 2);
	blame(f);
	return NULL;
}

int options_read_file(struct options_reading *g, const char *path,
                      struct err *e)
{
	struct file f = { g, path, fopen(path, "re"), 0, false, e };
	int wrong;

	if (!f.stream)
		return err_set(e, ERR_PARAMETER, "%.200s: %s", path,
		               strerror(errno));
	wrong = ini_parse_stream(next_line, &f, on_line, &f);
	if (ferror(f.stream) && !f.failed)
		wrong = err_set(e, ERR_PARAMETER, "%.200s: cannot be read",
		                path);
	else if (wrong && !f.failed)
		err_set(e, ERR_PARAMETER, "%.200s:%d: must be a line "
		        "\"setting = value\"", path, wrong);
	fclose(f.stream);
	return wrong || f.failed ? -1 : 0;
}
