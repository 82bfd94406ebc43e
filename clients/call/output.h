/* output.h - writes a result to a file or to standard output. A file is created
 * or replaced only when the result is complete. */
#ifndef CLIENTS_CALL_OUTPUT_H
#define CLIENTS_CALL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct output {
	const char *path;		/* "-": standard output */
	char *beside;			/* the temporary file that is renamed to
					 * path at the end; NULL: path itself is
					 * written */
	FILE *file;			/* NULL before the first bytes */
};

/* An http_sink (http.h), whose arg is a struct output. The first call opens the
 * file. */
bool output_write(void *output, const char *bytes, size_t n);

/* Closes the file. Renames the temporary file to path if the result is
 * complete, else removes it. Returns 0, or -1 with errno. */
int output_end(struct output *o, bool complete);

#endif
