/* json_part.c - see json_part.h. */
#include <stdlib.h>
#include <string.h>

#include "format/json_part.h"

static const char *const fields[JSON_PARTS] = {
	[JSON_REAL_PART] = "real", [JSON_IMAG_PART] = "imag",
	[JSON_LU_PART] = "lu",
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
