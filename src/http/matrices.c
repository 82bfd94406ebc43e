/* matrices.c - the handlers of /matrices but PUT: list, GET and DELETE. */
#include <stdlib.h>

#include "base/size.h"
#include "http/accept.h"
#include "http/json_text.h"
#include "http/matrix_reply.h"
#include "http/service.h"

static const char *const types[] = {
	"application/json", "application/x-npy", "application/octet-stream",
	"application/x-matrix-market", NULL
};

static json_t *shape_of(const struct matrix *m)
{
	json_t *shape = json_array();

	for (int i = 0; i < m->ndim; i++)
		json_array_append_new(shape,
		                      json_integer((json_int_t)m->dim[i]));
	return shape;
}

static json_t *row_of(const struct stored *s)
{
	const struct matrix *m = &s->matrix;
	json_t *row = json_pack("{s:s, s:o, s:s, s:s, s:I}",
	    "name", s->name, "shape", shape_of(m),
	    "dtype", dtype_name(m->dtype),
	    "format", m->layout != CSR ? "dense" :
	    m->coordinates ? "coo" : "csr",
	    "bytes", (json_int_t)(matrix_size(m) + matrix_index_size(m)));

	if (m->layout == CSR)
		json_object_set_new(row, "nnz",
		                    json_integer((json_int_t)m->nnz));
	return row;
}

static int list(struct exchange *x, void *state, struct err *e)
{
	const struct api *a = exchange_context(x);
	json_t *rows = json_array();
	struct text t = { 0 };

	(void)state;
	if (exchange_query(x, refuse_argument, NULL, e)) {
		json_decref(rows);
		return -1;
	}
	for (size_t i = 0; i < store_count(a->store); i++)
		json_array_append_new(rows, row_of(store_at(a->store, i)));
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
	return store_find(a->store, name, e);
}

static void let_go(void *arg)
{
	matrix_fini(arg);
	free(arg);
}

/* Keeps a reference to the matrix while it is sent. */
static int get(struct exchange *x, void *state, struct err *e)
{
	const struct stored *s = find(x, e);
	struct matrix *held;
	int type;

	(void)state;
	if (!s)
		return -1;
	type = accept_choose(exchange_accept(x), types);
	if (type < 0)
		return err_set(e, ERR_ACCEPT, "a stored matrix is answered as "
		               "application/json, x-npy, octet-stream or "
		               "x-matrix-market");
	held = malloc(sizeof *held);
	if (!held)
		return err_set(e, ERR_MEMORY, "no memory for the reply");
	*held = matrix_ref(&s->matrix);
	if (matrix_reply(x, types[type], held, let_go, held, e))
		return -1;
	matrix_reply_headers(x, &s->matrix);
	return 0;
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	struct api *a = exchange_context(x);
	const struct stored *s = find(x, e);
	struct text none = { 0 };

	(void)state;
	if (!s)
		return -1;
	store_remove(a->store, s);
	service_trim_later(a);
	exchange_reply_text(x, 204, NULL, &none);
	return 0;
}

const struct handler matrix_list_handler = { .done = list };
const struct handler matrix_get_handler = { .done = get };
const struct handler matrix_delete_handler = { .done = delete };
