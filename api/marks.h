/* marks.h - what stands in openapi.yaml in place of base.yaml's marks. */
#ifndef API_MARKS_H
#define API_MARKS_H

#include "ops/op.h"

/* Prints what the mark stands for of that operation's tables, so many columns
 * from the left; ends the program where there is no such mark. */
void mark_print(const char *mark, int indent, const struct op *o);

/* The file's bytes, NUL-terminated; the caller's to free(). Ends the program
 * where it cannot be read. */
char *read_file(const char *name);

/* Ends the program. */
_Noreturn void fail(const char *what, const char *name);

#endif
