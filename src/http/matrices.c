/* matrices.c - GET /matrices and DELETE /matrices/{name}. matrix_get.c has GET
 * /matrices/{name}, matrix_put.c has PUT. */
#include <stdlib.h>

#include "base/clock.h"
#include "http/etag.h"
#include "http/json_text.h"
#include "http/matrix_row.h"
#include "http/service.h"
#include "http/wanted.h"

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

struct asked {
	struct exchange *x;
	struct api *api;
	struct wanted wanted;		/* what is to be removed */
	struct asker by;
};

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct asked *a = calloc(1, sizeof *a);

	if (!a)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	*a = (struct asked){ .x = x, .api = exchange_context(x), .by.arg = a };
	*state = a;
	return exchange_query(x, refuse_argument, NULL, e);
}

static void end(struct exchange *x, void *state)
{
	struct asked *a = state;

	(void)x;
	if (!a)
		return;
	ask_cancel(&a->by);
	wanted_fini(&a->wanted);
	free(a);
}

/* --- the list */

static void on_listed(void *arg, struct store *all, const struct err *e)
{
	struct exchange *const x = ((struct asked *)arg)->x;
	struct text t = { 0 };
	size_t i, stop;
	json_t *rows;

	if (e->code) {
		exchange_reply_problem(x, e, NULL);
		return;
	}
	rows = json_array();
	store_range(all, exchange_tenant(x)->name, &i, &stop);
	for (; i < stop; i++)
		json_array_append_new(rows, matrix_row(store_at(all, i)));
	json_text_print(&t, json_pack("{s:o}", "matrices", rows));
	exchange_reply_text(x, 200, "application/json", &t);
}

static int list(struct exchange *x, void *state, struct err *e)
{
	struct asked *const a = state;
	struct depot *const d = a->api->options.depot;

	(void)e;
	d->calls->matrices(d, exchange_tenant(x), on_listed, &a->by);
	return 0;
}

/* --- removal */

static void on_removed(void *arg, const struct err *e)
{
	struct exchange *const x = ((struct asked *)arg)->x;
	struct text none = { 0 };

	if (e->code)
		exchange_reply_problem(x, e, NULL);
	else
		exchange_reply_text(x, 204, NULL, &none);
}

static int on_found(void *arg, struct err *e)
{
	struct asked *const a = arg;
	struct depot *const d = a->api->options.depot;
	const struct stored *s = wanted_found(&a->wanted,
	                                      exchange_segment(a->x, 0), e);

	if (!s || etag_admit_change(a->x, s, e))
		return -1;
	service_trim_later(a->api);
	d->calls->discard(d, exchange_tenant(a->x), s->name,
	                  etag_has_conditions(a->x) ? &s->version : NULL,
	                  on_removed, &a->by);
	return 0;
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	struct asked *a = state;

	if (store_check_name(exchange_segment(x, 0), e) ||
	    wanted_init(&a->wanted, x, e) ||
	    wanted_note(&a->wanted, exchange_segment(x, 0), e) < 0)
		return -1;
	wanted_look(&a->wanted, WANTED_ROWS, on_found, a);
	return 0;
}

const struct handler matrix_list_handler = {
	.begin = begin, .done = list, .end = end,
};
const struct handler matrix_delete_handler = {
	.begin = begin, .done = delete, .end = end,
};
