/* json_part.c - see json_part.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/json_part.h"

static const char *const fields[JSON_PARTS] = {
	[JSON_REAL_PART] = "real", [JSON_IMAG_PART] = "imag",
	[JSON_LU_PART] = "lu", [JSON_PIVOTS_PART] = "pivots",
};

int json_part_of(const char *field)
{
	for (int i = 0; i < JSON_PARTS; i++)
		if (strcmp(fields[i], field) == 0)
			return i;
	return -1;
}

const char *json_part_name(int part)
{
	return fields[part];
}

void json_part_begin(struct json_operand *o, const struct json_operand *outer)
{
	*o = (struct json_operand){ .sink = outer->sink,
	                            .target = outer->target };
	strcpy(o->label, outer->label);
	json_operand_init_lists(o);
}

void json_part_point(const char *from, const char *to, const char *part,
                     struct err *e)
{
	char own[ERR_POINTER], now[ERR_POINTER];
	size_t n;

	err_pointer(own, "", from);
	n = strlen(own);
	if (strncmp(e->pointer, own, n) != 0 ||
	    (n < (size_t)err_pointer_length(e) && e->pointer[n] != '/'))
		return;
	err_pointer(now, "", to);
	err_pointer(now, now, part);
	memmove(e->pointer, e->pointer + n, strlen(e->pointer + n) + 1);
	err_within(e, now);
}

void json_part_blame(const char *label, const char *field, struct err *e)
{
	const size_t n = strlen(label);
	char why[sizeof e->text];

	if (e->pointer[0] || e->code == ERR_MEMORY)
		return;
	err_point(e, "", label);
	if (*field)
		err_point(e, e->pointer, field);
	if (strncmp(e->text, label, n) == 0 && e->text[n] == ':')
		return;
	strcpy(why, e->text);
	snprintf(e->text, sizeof e->text, "%s: %.*s", label,
	         (int)(sizeof why - PART_NAME - 3), why);
}

int json_part_take(struct json_operand *o, int part, struct json_work *w,
                   struct err *e)
{
	struct json_work *const own = o->part[part];

	if (own) {
		*w = *own;
		free(own);
		o->part[part] = NULL;
		return 0;
	}
	if (json_array_take(json_operand_list(o, fields[part]), &w->m, e) < 0)
		return -1;
	w->dtype = w->m.dtype;
	return 0;
}
