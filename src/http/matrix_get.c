/* matrix_get.c - GET and HEAD /matrices/{name}: a stored matrix, or some of its
 * rows, in the format that Accept asks for.
 *
 *     get -> check -> prepare -> reply
 *
 * prepare() runs on a pool thread if it takes long. It copies the index of the
 * requested rows of a sparse matrix, computes the checksums of an npz archive,
 * counts the bytes of a text format for HEAD, and hashes the body for
 * Want-Content-Digest. A text that was counted or hashed is printed a second
 * time while it is sent, so that it never needs memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/accept.h"
#include "http/digest.h"
#include "http/etag.h"
#include "http/matrix_get.h"
#include "http/matrix_reply.h"

static const char *const tags[FORMS] = {
	[JSON] = "json", [NPY] = "npy", [OCTETS] = "raw", [NPZ] = "npz",
	[MARKET] = "mm",
};

static void get_free(struct get *g)
{
	get_body_free(g->body);
	matrix_fini(&g->matrix);
	wanted_fini(&g->wanted);
	free((char *)g->rows);
	free(g);
}

static int take_rows(void *arg, const char *name, const char *value,
                     struct err *e)
{
	struct get *g = arg;

	if (strcmp(name, "rows") != 0)
		return refuse_argument(NULL, name, value, e);
	if (g->rows)
		return err_set(e, ERR_PARAMETER, "rows is given twice");
	g->rows = strdup(value);
	return g->rows ? 0 : err_set(e, ERR_MEMORY, "no memory for the "
	                             "request");
}

static void prepare(void *arg)
{
	struct get *g = arg;

	get_make(g, &g->err);
}

static void prepared(void *arg)
{
	struct get *g = arg;
	struct err e = g->err;

	g->preparing = false;
	engine_vacate(g->api->options.engine);
	if (!g->x)
		get_free(g);
	else if (e.code || get_reply(g, &e))
		exchange_reply_problem(g->x, &e, NULL);
}

/* --- the request */

static int prepare_later(struct get *g, struct err *e)
{
	if (engine_occupy(g->api->options.engine, e))
		return -1;
	g->preparing = true;
	pool_submit(g->api->options.codec, &g->task, pool_cost_ns(get_work(g)),
	            prepare, prepared, g);
	return 0;
}

/* Finds the matrix and checks the request. Returns 0, -1 with an error, or 1 if
 * the reply's status is 304. */
static int check(struct get *g, struct err *e)
{
	const struct stored *s = wanted_found(&g->wanted,
	                                      exchange_segment(g->x, 0), e);
	int form;

	if (!s)
		return -1;
	form = accept_choose(exchange_accept(g->x), get_types);
	if (form < 0)
		return err_set(e, ERR_ACCEPT, "a stored matrix is answered as "
		               "application/json, x-npy, octet-stream, x-npz "
		               "or x-matrix-market");
	g->form = (enum form)form;
	g->matrix = matrix_ref(&s->matrix);
	g->created_ms = s->created_ms;
	g->stop = g->matrix.ndim ? g->matrix.dim[0] : 0;
	if (g->form != NPZ &&
	    matrix_reply_check(get_types[form], &g->matrix, e))
		return -1;
	if (g->rows && g->matrix.ndim == 0)
		return err_set(e, ERR_SHAPE, "a number has no rows");
	if (g->rows && rows_parse(g->rows, g->stop, &g->first, &g->stop, e))
		return -1;
	etag_of(s, tags[form], g->etag);
	return etag_admit_read(g->x, g->etag, g->created_ms, e);
}

static int begin(struct exchange *x, void **state, struct err *e)
{
	struct get *g = calloc(1, sizeof *g);

	*state = g;
	if (!g || !(g->body = calloc(1, sizeof *g->body)))
		return err_set(e, ERR_MEMORY, "no memory for the reply");
	g->x = x;
	g->api = exchange_context(x);
	g->memory = g->api->options.memory;
	g->matrix.ndim = MATRIX_ABSENT;
	g->bytes = UINT64_MAX;
	g->counts = exchange_method(x) == HEAD;
	g->wants_digest = digest_is_wanted(
	    exchange_header(x, "Want-Content-Digest"));
	return 0;
}

/* Goes on when the matrix is there, if it exists. */
static int go_on(void *arg, struct err *e)
{
	struct get *g = arg;
	const int rc = check(g, e);

	if (rc)
		return rc < 0 ? -1 : get_reply_unchanged(g, e);
	g->counts &= get_is_text(g->form);
	if (get_work(g) > GET_AT_ONCE)
		return prepare_later(g, e);
	return get_make(g, e) ? -1 : get_reply(g, e);
}

static int done(struct exchange *x, void *state, struct err *e)
{
	struct get *g = state;
	const char *name = exchange_segment(x, 0);

	if (store_check_name(name, e) || exchange_query(x, take_rows, g, e) ||
	    wanted_init(&g->wanted, x, e) ||
	    wanted_note(&g->wanted, name, e) < 0)
		return -1;
	wanted_look(&g->wanted, WANTED_ELEMENTS, go_on, g);
	return 0;
}

static void end(struct exchange *x, void *state)
{
	struct get *g = state;

	(void)x;
	if (!g)
		return;
	g->x = NULL;
	if (g->preparing)
		pool_cancel(&g->task);
	else
		get_free(g);
}

const struct handler matrix_get_handler = {
	.begin = begin, .done = done, .end = end,
};
