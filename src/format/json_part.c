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
	const size_t n = strlen(from);
	const char *const at = e->pointer;
	char rest[sizeof e->pointer];

	if (at[0] != '/' || strncmp(at + 1, from, n) != 0 ||
	    (at[1 + n] && at[1 + n] != '/'))
		return;
	snprintf(rest, sizeof rest, "%s", at + 1 + n);
	snprintf(e->pointer, sizeof e->pointer, "/%s/%s%.20s", to, part, rest);
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
