/* matrices.c - GET /matrices and DELETE /matrices/{name}. matrix_get.c has GET
 * /matrices/{name}, matrix_put.c has PUT. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/size.h"
#include "http/etag.h"
#include "http/json_text.h"
#include "http/matrix_row.h"
#include "http/service.h"
#include "http/written.h"
#include "queue/journaled.h"

static json_t *shape_of(const struct matrix *m)
{
	json_t *shape = json_array();

	for (int i = 0; i < m->ndim; i++)
		json_array_append_new(shape,
		                      json_integer((json_int_t)m->dim[i]));
	return shape;
}

json_t *matrix_row(const struct stored *s)
{
	const struct matrix *m = &s->matrix;
	char etag[ETAG_TEXT], moment[CLOCK_TEXT];
	json_t *row = json_pack("{s:s, s:o, s:s, s:s, s:I, s:s, s:s}",
	    "name", s->name, "shape", shape_of(m),
	    "dtype", dtype_name(m->dtype),
	    "format", m->layout != CSR ? "dense" :
	    m->coordinates ? "coo" : "csr",
	    "bytes", (json_int_t)(matrix_size(m) + matrix_index_size(m)),
	    "etag", etag_of(s, NULL, etag),
	    "created", clock_text(s->created_ms, moment));

	if (m->layout == CSR)
		json_object_set_new(row, "nnz",
		                    json_integer((json_int_t)m->nnz));
	if (s->expires_ms)
		json_object_set_new(row, "expires", json_string(
		    clock_text(s->expires_ms, moment)));
	return row;
}

static int list(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	json_t *rows = json_array();
	struct text t = { 0 };
	size_t i, end;

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e)) {
		json_decref(rows);
		return -1;
	}
	store_expire(a->store);
	store_range(a->store, exchange_tenant(x)->name, &i, &end);
	for (; i < end; i++)
		json_array_append_new(rows, matrix_row(store_at(a->store, i)));
	json_text_print(&t, json_pack("{s:o}", "matrices", rows));
	exchange_reply_text(x, 200, "application/json", &t);
	return 0;
}

static const struct stored *find(const struct exchange *x, struct err *e)
{
	const struct api *a = exchange_context(x);
	const char *name = exchange_segment(x, 0);

	if (store_check_name(name, e) ||
	    exchange_query(x, refuse_argument, NULL, e))
		return NULL;
	return store_find(a->store, exchange_tenant(x)->name, name, e);
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	struct api *a = exchange_context(x);
	const struct stored *s = find(x, e);
	struct journal_entry *entry;

	if (!s || etag_admit_change(x, s, e) || written_check(a, e))
		return -1;
	entry = written_entry(a, 1, e);
	if (e->code)
		return -1;
	if (entry) {
		entry->must = true;
		journaled_matrix_row(entry->row, JOURNAL_REMOVE_MATRIX, s);
	}
	store_remove(a->store, s);
	service_trim_later(a);
	written_reply(state, a, entry, written_reply_204);
	return 0;
}

const struct handler matrix_list_handler = { .done = list };
const struct handler matrix_delete_handler = {
	.begin = written_begin, .done = delete, .end = written_end,
};
