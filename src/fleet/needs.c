/* needs.c - see needs.h. */
#include <stdio.h>
#include <string.h>

#include "fleet/needs.h"

/* The numbers of NEED in sql.h. */
enum need { NEED_ANY, NEED_FLOAT64, NEED_CPU, NEED_GPU, NEED_OTHER, NEEDS };

static bool meets(const struct sheet *s, enum need need)
{
	return need == NEED_FLOAT64 ? s->float64 :
	       need == NEED_CPU ? s->type == DEVICE_CPU :
	       need == NEED_GPU ? s->type == DEVICE_GPU : true;
}

static void append(char array[NEEDS_TEXT], enum need need)
{
	const size_t n = strlen(array);

	snprintf(array + n, NEEDS_TEXT - n, "%c%d", n ? ',' : '{', (int)need);
}

void needs_find(struct needs *x, const struct sheet *sheet, int n)
{
	*x = (struct needs){ 0 };
	for (enum need need = 0; need < NEEDS; need++) {
		bool met = false;

		for (int i = 0; i < n; i++)
			met |= meets(&sheet[i], need);
		append(met ? x->met : x->unmet, need);
	}
	strcat(x->met, *x->met ? "}" : "{}");
	strcat(x->unmet, *x->unmet ? "}" : "{}");
}

int needs_look(const struct needs *x, struct pg *p, bool *unfit,
               struct err *e)
{
	const struct pg_value v[] = { pg_text(x->unmet) };
	const int rows = strlen(x->unmet) > 2 ?
	                 pg_count(p, S_ANY_NEEDING, v, e) : 0;

	*unfit = rows == 1;
	return rows < 0 ? -1 : 0;
}
