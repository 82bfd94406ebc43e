/* form_kind.h - the format of a form's part that is an operand: its type tells
 * it or, if that is none or one that programs give to files of unknown type,
 * its first bytes or the ending of the file's name. */
#ifndef FORMAT_FORM_KIND_H
#define FORMAT_FORM_KIND_H

#include "format/form_part.h"

/* May the part be JSON, if its bytes begin so? A field may, and a file whose
 * name ends with .json or whose shape, which raw bytes need, is not told. */
bool form_kind_may_be_json(struct form_part *f);

/* Returns how many of the n bytes come before the first one that is not white
 * space in JSON. */
size_t form_kind_blanks(const char *bytes, size_t n);

/* Returns the reader of the part's format, which f->first and f->next tell, or
 * NULL. f->sink must have been set. */
struct reader *form_kind_reader(struct form_part *f, struct err *e);

#endif
