/* fleet_matrices.c - GET /matrices and DELETE /matrices/{name} on a host of a
 * fleet, whose database has the stored matrices (fleet/matrices.h). */
#include <stdlib.h>

#include "fleet/matrices.h"
#include "http/etag.h"
#include "http/json_text.h"
#include "http/matrix_row.h"
#include "http/service.h"
#include "http/wanted.h"

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
	*state = a;
	a->x = x;
	a->by.arg = a;
	a->api = exchange_context(x);
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
	struct asked *const a = arg;
	json_t *rows;
	struct text t = { 0 };

	if (e->code) {
		exchange_reply_problem(a->x, e, NULL);
		return;
	}
	etag_set_service(matrices_service(a->api->options.fleet));
	rows = json_array();
	for (size_t i = 0; i < store_count(all); i++)
		json_array_append_new(rows, matrix_row(store_at(all, i)));
	json_text_print(&t, json_pack("{s:o}", "matrices", rows));
	exchange_reply_text(a->x, 200, "application/json", &t);
}

static int list(struct exchange *x, void *state, struct err *e)
{
	struct asked *a = state;

	(void)e;
	matrices_list(fleet_depot(a->api->options.fleet), exchange_tenant(x),
	              on_listed, &a->by);
	return 0;
}

/* --- removal */

static void on_removed(void *arg, const struct err *e)
{
	struct asked *const a = arg;
	struct text none = { 0 };

	if (e->code)
		exchange_reply_problem(a->x, e, NULL);
	else
		exchange_reply_text(a->x, 204, NULL, &none);
}

static int on_found(void *arg, struct err *e)
{
	struct asked *const a = arg;
	const struct stored *s = wanted_found(&a->wanted, e);

	if (!s || etag_admit_change(a->x, s, e))
		return -1;
	matrices_discard(fleet_depot(a->api->options.fleet),
	                 exchange_tenant(a->x), s->name,
	                 etag_has_conditions(a->x) ? &s->version : NULL,
	                 on_removed, &a->by);
	return 0;
}

static int delete(struct exchange *x, void *state, struct err *e)
{
	struct asked *a = state;

	if (wanted_init(&a->wanted, a->api, x, exchange_tenant(x), e) ||
	    wanted_note(&a->wanted, exchange_segment(x, 0), e) < 0)
		return -1;
	wanted_look(&a->wanted, WANTED_ROWS, on_found, a);
	return 0;
}

const struct handler fleet_matrix_list_handler = {
	.begin = begin, .done = list, .end = end,
};
const struct handler fleet_matrix_delete_handler = {
	.begin = begin, .done = delete, .end = end,
};
