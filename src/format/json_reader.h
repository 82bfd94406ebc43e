/* json_reader.h - the state of a JSON body's reader, shared by its frame
 * (json_reader.c) and by what its values mean (json_member.c). */
#ifndef FORMAT_JSON_READER_H
#define FORMAT_JSON_READER_H

#include "format/json_operand.h"
#include "format/json_raw.h"

/* What may come next. */
enum json_where {
	AT_START, AT_KEY_OR_END, AT_KEY, AT_KEY_TEXT, AT_COLON, AT_VALUE,
	AT_RAW, AT_ROWS, AT_BASE64, AT_COMMA_OR_END, AT_DONE,
};

/* Whose value is read: that of the body, of a member of the body's object,
 * of a field of an operand's object. */
enum json_level { JSON_BODY, JSON_MEMBER, JSON_FIELD, JSON_LEVELS };

struct json_reader {
	struct reader base;
	struct part part;
	bool operand_only;		/* the body is one operand's value */
	enum json_where where;
	enum json_level level;
	const char *chunk;		/* the piece that is read */
	size_t before;			/* bytes of the body before it */
	struct json_raw raw;
	struct json_array *list;	/* of the operand, at AT_ROWS */
	struct text names;		/* of the members that came, NUL each */
	struct text key[JSON_LEVELS];	/* of the member, of the field */
	bool escaped;			/* in base64: a backslash came */
	struct json_operand operand;
	struct json_work *work;
};

/* The name of the member or the field that is read. */
const char *json_name_of(const struct json_reader *r, enum json_level level);

/* Is its value an operand's? */
bool json_is_operand(const struct json_reader *r);

/* Has an operand that name? */
bool json_is_named(const struct json_reader *r, const char *name);

/* Is there an operand or a parameter of the member's name? matrix: its value
 * is a list or an object. */
int json_check_name(const struct json_reader *r, bool matrix, struct err *e);

/* The value that is read is complete. */
void json_value_done(struct json_reader *r);
int json_take_raw(struct json_reader *r, struct err *e);
int json_take_key(struct json_reader *r, struct err *e);
int json_close_object(struct json_reader *r, struct err *e);

/* Around an operand: end keeps what it leaves to do, w, if it is not NULL. */
int json_begin_operand(struct json_reader *r, struct err *e);
int json_end_operand(struct json_reader *r, struct json_work *w);

#endif
