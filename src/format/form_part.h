/* form_part.h - one part of a form: header lines, which tell whether its bytes
 * are an operand, and in which format, or a parameter. */
#ifndef FORMAT_FORM_PART_H
#define FORMAT_FORM_PART_H

#include "base/text.h"
#include "format/part.h"
#include "matrix/grow.h"

enum {
	FORM_NAME = 64,			/* bytes of a name or a type, with 0 */
	FORM_SNIFF = 16,		/* first bytes that tell a format */
};

/* { 0 } before a part's first header line. */
struct form_part {
	char name[FORM_NAME];
	char type[FORM_NAME];		/* lower case, without parameters */
	bool named, file;
	bool json_file;			/* the file's name ends with .json */
	/* Of an operand, whose format may not be known before FORM_SNIFF bytes
	 * have arrived: */
	bool operand;
	struct sink sink;		/* the form's, for this part's name */
	const struct sink *form;
	struct reader *reader;
	char first[FORM_SNIFF];
	size_t n_first;
	struct grow blanks;		/* of a field whose first bytes are
					 * blanks: the further ones */
	char next;			/* the byte after them; 0: none yet */
	uint64_t most;			/* bytes that it can have at most */
	struct text value;		/* a parameter's */
};

/* Takes one header line, without its CRLF. */
int form_part_header(struct form_part *f, const char *line, size_t n,
                     struct err *e);

/* To be called when the header is complete. f must not move from here on. */
int form_part_begin(struct form_part *f, const struct sink *form,
                    uint64_t most, struct err *e);
int form_part_feed(struct form_part *f, const char *bytes, size_t n,
                   struct err *e);

/* To be called when the part is complete. *rest: its reader must still be
 * finished (reader_finish()), and the part must stay until then. */
int form_part_end(struct form_part *f, bool *rest, struct err *e);
void form_part_fini(struct form_part *f);

#endif
