/* matrix_write.c - see matrix_write.h. */
#include <string.h>

#include "fleet/matrices.h"
#include "http/etag.h"
#include "http/matrix_write.h"
#include "queue/journaled.h"
#include "queue/quota.h"

void matrix_write_init(struct matrix_write *w, struct exchange *x,
                       void (*free)(void *state))
{
	written_init(&w->written, x, free);
	w->api = exchange_context(x);
	w->by.arg = w;
	w->tenant = exchange_tenant(x);
	strcpy(w->name, exchange_segment(x, 0));
	w->before.matrix.ndim = w->matrix.ndim = MATRIX_ABSENT;
}

void matrix_write_fini(struct matrix_write *w)
{
	ask_cancel(&w->by);
	wanted_fini(&w->target);
	matrix_fini(&w->matrix);
	matrix_fini(&w->before.matrix);
}

static const struct stored *find(const struct matrix_write *w)
{
	return store_find(w->api->store, w->tenant->name, w->name,
	                  &(struct err){ 0 });
}

/* Puts back what the matrix replaced, unless another one has replaced it. */
static void take_back(struct matrix_write *w)
{
	const struct stored *s = find(w);
	struct err e = { 0 };

	if (!s || s->version != w->version)
		return;
	store_remove(w->api->store, s);
	if (w->before.matrix.ndim != MATRIX_ABSENT)
		store_restore(w->api->store, &w->before, &e);
}

static void reply_stored(const struct matrix_write *w, bool new)
{
	struct exchange *const x = w->written.x;
	const struct stored s = { .version = w->version };
	struct text none = { 0 };
	char etag[ETAG_TEXT];

	if (new)
		exchange_reply_header(x, "Location", exchange_path(x));
	exchange_reply_header(x, "ETag", etag_of(&s, NULL, etag));
	exchange_reply_text(x, new ? 201 : 204, NULL, &none);
}

static void reply(struct written *written, const struct err *e)
{
	struct matrix_write *w = (struct matrix_write *)written;
	struct exchange *x = written->x;
	const bool new = w->before.matrix.ndim == MATRIX_ABSENT;

	if (e->code)
		take_back(w);
	matrix_fini(&w->before.matrix);
	if (!x)
		return;
	if (e->code) {
		exchange_reply_problem(x, e, NULL);
		return;
	}
	reply_stored(w, new);
}

/* Stores the matrix, and notes what it replaces; NULL with *e. */
static const struct stored *put(struct matrix_write *w, struct matrix *m,
                                int64_t ttl_ns, struct err *e)
{
	struct store_entry x = { .tenant = w->tenant->name, .name = w->name,
	                         .matrix = m, .ttl_ns = ttl_ns };
	const struct stored *s = find(w);

	if (quota_store(w->tenant, w->api->store, &x, 1, e))
		return NULL;
	if (s) {
		w->before = *s;
		w->before.matrix = matrix_ref(&s->matrix);
	}
	if (store_put_all(w->api->store, &x, 1, e))
		return NULL;
	s = find(w);
	w->version = s ? s->version : 0;
	return s;
}

static int write_here(struct matrix_write *w, struct matrix *m, int64_t ttl_ns,
                      struct err *e)
{
	struct journal_entry *entry = written_entry(w->api, 1, e);
	const struct stored *s = e->code ? NULL : put(w, m, ttl_ns, e);

	if (e->code) {
		journal_entry_free(entry);
		return -1;
	}
	if (!s) {		/* its time to live is over already */
		journal_entry_free(entry);
		entry = NULL;
	}
	if (entry && journaled_matrix_row(entry->row, JOURNAL_PUT_MATRIX, s)) {
		journal_entry_free(entry);
		take_back(w);
		return err_set(e, ERR_MEMORY, "no memory for the journal");
	}
	written_reply(&w->written, w->api, entry, reply);
	return 0;
}

/* --- with a fleet */

static void on_put(void *arg, uint64_t version, bool new, const struct err *e)
{
	struct matrix_write *const w = arg;

	w->version = version;
	etag_set_service(matrices_service(w->api->options.fleet));
	if (e->code)
		exchange_reply_problem(w->written.x, e, NULL);
	else
		reply_stored(w, new);
}

static int put_in_fleet(struct matrix_write *w, const uint64_t *expected)
{
	matrices_put(fleet_depot(w->api->options.fleet), w->tenant, w->name,
	             &w->matrix, w->ttl_ns, expected, on_put, &w->by);
	matrix_fini(&w->matrix);
	return 0;
}

/* Checks the preconditions. The matrix is stored only if the name still has the
 * same version then. */
static int on_target(void *arg, struct err *e)
{
	struct matrix_write *const w = arg;
	const struct stored *s = wanted_found(&w->target, &(struct err){ 0 });
	const uint64_t expected = s ? s->version : 0;

	return etag_admit_change(w->written.x, s, e) ? -1 :
	       put_in_fleet(w, &expected);
}

static int on_early_target(void *arg, struct err *e)
{
	const struct matrix_write *const w = arg;

	return etag_admit_change(w->written.x, wanted_found(&w->target,
	                         &(struct err){ 0 }), e);
}

static int want_target(struct matrix_write *w, struct err *e)
{
	wanted_fini(&w->target);
	return wanted_init(&w->target, w->api, w->written.x, w->tenant, e) ||
	       wanted_note(&w->target, w->name, e) < 0 ? -1 : 0;
}

int matrix_write_check(struct matrix_write *w, struct err *e)
{
	if (!w->api->options.fleet || !etag_has_conditions(w->written.x))
		return 0;
	if (want_target(w, e))
		return -1;
	wanted_hold(&w->target, on_early_target, w);
	return 0;
}

static int write_to_fleet(struct matrix_write *w, struct matrix *m,
                          int64_t ttl_ns, struct err *e)
{
	w->matrix = *m;
	w->ttl_ns = ttl_ns;
	*m = (struct matrix){ .ndim = MATRIX_ABSENT };
	if (!etag_has_conditions(w->written.x))
		return put_in_fleet(w, NULL);
	if (want_target(w, e))
		return -1;
	wanted_look(&w->target, WANTED_ROWS, on_target, w);
	return 0;
}

int matrix_write(struct matrix_write *w, struct matrix *m, int64_t ttl_ns,
                 struct err *e)
{
	if (w->api->options.fleet)
		return write_to_fleet(w, m, ttl_ns, e);
	return write_here(w, m, ttl_ns, e);
}
