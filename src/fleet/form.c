/* form.c - see form.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fleet/form.h"

/* In the order: type, layout, number of entries, dimensions. */
const char *form_print(const struct matrix *m, char text[FORM_TEXT])
{
	int n = snprintf(text, FORM_TEXT, "%s %s %zu", dtype_name(m->dtype),
	                 m->layout != CSR ? "dense" :
	                 m->coordinates ? "coo" : "csr",
	                 m->layout == CSR ? m->nnz : 0);

	for (int i = 0; i < m->ndim; i++)
		n += snprintf(text + n, (size_t)(FORM_TEXT - n), " %zu",
		              m->dim[i]);
	return text;
}

static int refuse(const char *text, struct err *e)
{
	return err_set(e, ERR_STATE, "the queue's database has a stored matrix "
	               "of the form \"%.60s\"", text);
}

int form_read(struct matrix *m, const char *text, struct err *e)
{
	char dtype[16], layout[16], *end;
	int used;

	*m = (struct matrix){ .ndim = 0 };
	if (sscanf(text, "%15s %15s %zu%n", dtype, layout, &m->nnz,
	           &used) != 3 || dtype_find(dtype, &m->dtype))
		return refuse(text, e);
	m->coordinates = strcmp(layout, "coo") == 0;
	m->layout = strcmp(layout, "dense") ? CSR : DENSE;
	for (text += used; *text == ' ' && m->ndim < MATRIX_DIMS; text = end)
		m->dim[m->ndim++] = strtoull(text, &end, 10);
	return 0;
}

int form_read_row(struct stored *s, const struct pg_answer *a, int row,
                  const char *tenant, struct err *e)
{
	*s = (struct stored){
		.version = (uint64_t)pg_integer(a, row, FORM_VERSION_COLUMN),
		.created_ms = pg_integer(a, row, FORM_CREATED_COLUMN),
		.expires_ms = pg_integer(a, row, FORM_EXPIRES_COLUMN),
		.until_ns = pg_is_null(a, row, FORM_LEFT_COLUMN) ? INT64_MAX :
		            clock_ns() + 1000000 *
		            pg_integer(a, row, FORM_LEFT_COLUMN),
	};
	snprintf(s->tenant, sizeof s->tenant, "%s", tenant);
	snprintf(s->name, sizeof s->name, "%s",
	         pg_get(a, row, FORM_NAME_COLUMN));
	return form_read(&s->matrix, pg_get(a, row, FORM_COLUMN), e);
}
