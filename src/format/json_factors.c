/* json_factors.c - see json_factors.h. */
#include <stdlib.h>
#include <string.h>

#include "format/json_factors.h"
#include "format/json_part.h"

static const char factors[] = "factors", pivots[] = "pivots";

static int check(const struct json_operand *o, struct err *e)
{
	const struct sink *k = o->sink;

	if (strcmp(o->label, factors) != 0 || !k->is_operand ||
	    !k->is_operand(k->arg, pivots))
		return err_set(e, ERR_FORMAT, "%s: an object of lu and pivots "
		               "stands for solve's factors alone", o->label);
	if (!json_object_get(o->fields, pivots))
		return err_set_at(e, ERR_FORMAT, "/factors", "factors: lu "
		                  "came without its pivots");
	return 0;
}

static int take_pivots(struct json_operand *o, struct json_work *w,
                       struct err *e)
{
	const struct part p = { .sink = o->sink, .name = pivots };

	w->m = (struct matrix){ .dtype = FLOAT64 };
	if (json_part_take(o, JSON_PIVOTS_PART, w, e) < 0)
		return -1;
	strcpy(w->label, pivots);
	w->part = pivots;
	w->target = part_operand(&p, e);
	return w->target ? 0 : -1;
}

void json_factors_point(const struct json_work *w, struct err *e)
{
	if (w->part)
		json_part_point(w->label, factors, w->part, e);
}

int json_factors_make(struct json_operand *o, struct json_work *w,
                      struct err *e)
{
	if (check(o, e) < 0 || json_part_take(o, JSON_LU_PART, w, e) < 0)
		return -1;
	w->part = json_part_name(JSON_LU_PART);
	w->next = calloc(1, sizeof *w->next);
	if (!w->next)
		return err_set(e, ERR_MEMORY, "no memory for an operand");
	return take_pivots(o, w->next, e);
}
