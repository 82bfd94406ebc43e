/* matrix_write.c - see matrix_write.h. */
#include <string.h>

#include "http/etag.h"
#include "http/matrix_write.h"
#include "queue/durable.h"
#include "queue/quota.h"

void matrix_write_init(struct matrix_write *w, struct exchange *x,
                       void (*free)(void *state))
{
	written_init(&w->written, x, free);
	w->api = exchange_context(x);
	w->tenant = exchange_tenant(x);
	strcpy(w->name, exchange_segment(x, 0));
	w->before.matrix.ndim = MATRIX_ABSENT;
}

void matrix_write_fini(struct matrix_write *w)
{
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

static void reply(struct written *written, const struct err *e)
{
	struct matrix_write *w = (struct matrix_write *)written;
	struct exchange *x = written->x;
	const bool new = w->before.matrix.ndim == MATRIX_ABSENT;
	const struct stored s = { .version = w->version };
	struct text none = { 0 };
	char etag[ETAG_TEXT];

	if (e->code)
		take_back(w);
	matrix_fini(&w->before.matrix);
	if (!x)
		return;
	if (e->code) {
		exchange_reply_problem(x, e, NULL);
		return;
	}
	if (new)
		exchange_reply_header(x, "Location", exchange_path(x));
	exchange_reply_header(x, "ETag", etag_of(&s, NULL, etag));
	exchange_reply_text(x, new ? 201 : 204, NULL, &none);
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

int matrix_write(struct matrix_write *w, struct matrix *m, int64_t ttl_ns,
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
	if (entry && durable_matrix_row(entry->row, JOURNAL_PUT_MATRIX, s)) {
		journal_entry_free(entry);
		take_back(w);
		return err_set(e, ERR_MEMORY, "no memory for the journal");
	}
	written_reply(&w->written, w->api, entry, reply);
	return 0;
}
