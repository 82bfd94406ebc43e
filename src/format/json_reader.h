/* json_reader.h - the state of a JSON body's reader, shared by json_reader.c,
 * which parses the objects, and json_member.c, which takes their values. */
#ifndef FORMAT_JSON_READER_H
#define FORMAT_JSON_READER_H

#include "format/json_operand.h"
#include "format/json_raw.h"

/* What may come next. */
enum json_where {
	AT_START, AT_KEY_OR_END, AT_KEY, AT_KEY_TEXT, AT_COLON, AT_VALUE,
	AT_RAW, AT_ROWS, AT_BASE64, AT_COMMA_OR_END, AT_DONE,
};

/* The level of the present value: the body itself, a member of the body's
 * object, or a field of an operand's object. */
enum json_level { JSON_BODY, JSON_MEMBER, JSON_FIELD, JSON_LEVELS };

/* Where the present character of base64 text stands: in no escape sequence,
 * behind a backslash, or, from JSON_CODE on, behind \u and so many of its
 * digits. */
enum { JSON_NO_ESCAPE, JSON_BACKSLASH, JSON_CODE, JSON_CODE_DIGITS = 4 };

struct json_reader {
	struct reader base;
	struct part part;
	bool operand_only;		/* the body is one operand's value */
	enum json_where where;
	enum json_level level;
	const char *chunk;		/* the present piece of the body */
	size_t before;			/* bytes of the body before it */
	struct json_raw raw;
	struct json_array *list;	/* of the operand, at AT_ROWS */
	struct text names;		/* of earlier members, NUL after each */
	struct text key[JSON_LEVELS];	/* of the member, of the field */
	int escape;			/* in base64: see above */
	unsigned code;			/* of \u: its digits so far */
	struct json_operand operand;
	struct json_operand outer;	/* of which `operand` is a part */
	int inside;			/* which part, plus 1; 0: of none */
	struct json_work *work;
};

/* Sets *e to say that something else is wanted than what stands at p, and
 * returns NULL. */
const char *json_refuse(const struct json_reader *r, const char *p,
                        const char *end, const char *wanted, struct err *e);

/* Reads base64 text up to its closing quote (AT_BASE64). Returns where it
 * stopped, or NULL with *e. */
const char *json_read_base64(struct json_reader *r, const char *p,
                             const char *end, struct err *e);

/* Returns what errors call the text: "JSON", or the name of the operand whose
 * value it is. */
const char *json_label_of(const struct json_reader *r);

/* The name of the present member or field. */
const char *json_name_of(const struct json_reader *r, enum json_level level);

/* Returns whether the present value is that of an operand. */
bool json_is_operand(const struct json_reader *r);

/* Returns whether there is an operand of that name. */
bool json_is_named(const struct json_reader *r, const char *name);

/* Checks that an operand or a parameter has the member's name. matrix: the
 * member's value is a list or an object. */
int json_check_name(const struct json_reader *r, bool matrix, struct err *e);

/* Moves on to the next state when the present value is complete. */
void json_value_done(struct json_reader *r);
int json_take_raw(struct json_reader *r, struct err *e);
int json_take_key(struct json_reader *r, struct err *e);
int json_close_object(struct json_reader *r, struct err *e);

/* Begins an operand that is the value of a field of the present one, and ends
 * it. */
int json_begin_part(struct json_reader *r, struct err *e);
int json_end_part(struct json_reader *r, struct json_work *w, struct err *e);

/* Begin and end an operand; its remaining work w, unless NULL, is kept. */
int json_begin_operand(struct json_reader *r, struct err *e);
int json_end_operand(struct json_reader *r, struct json_work *w);

#endif
