/* local.c - see local.h.
 *
 * A stored matrix is in the store before it is on the disk. If the disk refuses
 * it, what it replaced is put back, and the answer is the error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/journaled.h"
#include "queue/local.h"
#include "queue/local_state.h"
#include "queue/quota.h"
#include "queue/written.h"

static const struct stored *find(const struct local *l, const struct tenant *t,
                                 const char *name, struct err *e)
{
	return store_find(l->depot.store, t->name, name, e);
}

static int check_version(const struct stored *s, const char *name,
                         const uint64_t *expected, struct err *e)
{
	return !expected || *expected == (s ? s->version : 0) ? 0 :
	       err_set(e, ERR_PRECONDITION, "the stored matrix %.60s has "
	               "changed meanwhile", name);
}

static void list(struct depot *d, const struct tenant *t,
                 void (*then)(void *arg, struct store *all,
                              const struct err *e),
                 struct asker *by)
{
	(void)t;
	store_expire(d->store);
	then(by->arg, d->store, &(struct err){ 0 });
}

/* --- storing a matrix */

struct putting {
	struct written written;
	struct local *local;
	const struct tenant *tenant;
	char name[STORE_NAME];
	uint64_t version;		/* of the matrix, once it is stored */
	struct stored before;		/* what it replaced; its matrix is
					 * absent if there was none */
	void (*then)(void *arg, uint64_t version, bool new,
	             const struct err *e);
};

/* Puts back what the matrix replaced, unless another one has replaced it. */
static void take_back(struct putting *x)
{
	struct store *const store = x->local->depot.store;
	struct err e = { 0 };
	const struct stored *s = find(x->local, x->tenant, x->name, &e);

	if (!s || s->version != x->version)
		return;
	store_remove(store, s);
	if (x->before.matrix.ndim != MATRIX_ABSENT)
		store_restore(store, &x->before, &e);
}

static void have_put(struct written *w, struct asker *by, const struct err *e)
{
	struct putting *const x = (struct putting *)w;
	const bool new = x->before.matrix.ndim == MATRIX_ABSENT;

	if (e->code)
		take_back(x);
	matrix_fini(&x->before.matrix);
	if (by)
		x->then(by->arg, x->version, new, e);
}

/* Stores the matrix, and notes what it replaces. */
static int put_here(struct putting *x, struct matrix *m, int64_t ttl_ns,
                    const uint64_t *expected, struct err *e)
{
	struct store *const store = x->local->depot.store;
	const struct store_entry one = {
		.tenant = x->tenant->name, .name = x->name, .matrix = m,
		.ttl_ns = ttl_ns,
	};
	const struct stored *s = find(x->local, x->tenant, x->name,
	                              &(struct err){ 0 });

	if (check_version(s, x->name, expected, e) ||
	    quota_store(x->tenant, store, &one, 1, e))
		return -1;
	if (s) {
		x->before = *s;
		x->before.matrix = matrix_ref(&s->matrix);
	}
	return store_put_all(store, &one, 1, e);
}

/* Has the journal write what was stored, unless its time to live is over
 * already. */
static int fill(struct putting *x, struct err *e)
{
	struct written *const w = &x->written;
	const struct stored *s = find(x->local, x->tenant, x->name,
	                              &(struct err){ 0 });

	x->version = s ? s->version : 0;
	if (!s) {
		journal_entry_free(w->entry);
		w->entry = NULL;
	}
	if (!w->entry ||
	    journaled_matrix_row(w->entry->row, JOURNAL_PUT_MATRIX, s) == 0)
		return 0;
	take_back(x);
	return err_set(e, ERR_MEMORY, "no memory for the journal");
}

static void put(struct depot *d, const struct tenant *t, const char *name,
                const struct matrix *m, int64_t ttl_ns,
                const uint64_t *expected,
                void (*then)(void *arg, uint64_t version, bool new,
                             const struct err *e),
                struct asker *by)
{
	struct err e = { 0 };
	struct matrix copy = matrix_ref(m);
	struct putting *x = written_new(local_journal(d), sizeof *x, 1,
	                                have_put, &e);

	if (x) {
		x->local = local_of(d);
		x->tenant = t;
		x->before.matrix.ndim = MATRIX_ABSENT;
		x->then = then;
		snprintf(x->name, sizeof x->name, "%s", name);
	}
	if (!x || put_here(x, &copy, ttl_ns, expected, &e) || fill(x, &e)) {
		if (x)
			matrix_fini(&x->before.matrix);
		matrix_fini(&copy);
		written_free(x);
		then(by->arg, 0, false, &e);
		return;
	}
	written_submit(x, by);
}

/* --- removing one */

struct discarding {
	struct written written;
	struct local *local;
	const struct tenant *tenant;
	char name[STORE_NAME];
	uint64_t version;
	depot_done_fn *then;
};

/* The matrix stays if the journal still has it, or if a newer one has taken its
 * place meanwhile. */
static void discarded(struct written *w, struct asker *by, const struct err *e)
{
	const struct discarding *const x = (struct discarding *)w;
	const struct stored *s = find(x->local, x->tenant, x->name,
	                              &(struct err){ 0 });

	if (!e->code && s && s->version == x->version)
		store_remove(x->local->depot.store, s);
	if (by)
		x->then(by->arg, e);
}

static void discard(struct depot *d, const struct tenant *t, const char *name,
                    const uint64_t *expected, depot_done_fn *then,
                    struct asker *by)
{
	struct err e = { 0 };
	const struct stored *s = find(local_of(d), t, name, &e);
	struct discarding *x = !s || check_version(s, name, expected, &e) ?
	    NULL : written_new_freeing(local_journal(d), sizeof *x, discarded,
	                               &e);

	if (!x) {
		then(by->arg, &e);
		return;
	}
	x->local = local_of(d);
	x->tenant = t;
	x->version = s->version;
	x->then = then;
	snprintf(x->name, sizeof x->name, "%s", name);
	if (x->written.entry)
		journaled_matrix_row(x->written.entry->row,
		                     JOURNAL_REMOVE_MATRIX, s);
	written_submit(x, by);
}

/* --- the depot */

static const struct depot_calls calls = {
	.accept = local_accept, .reserve = local_reserve,
	.release = local_release,
	.matrices = list, .put = put, .discard = discard,
	.read = local_read, .save = local_save,
};

/* Removes the stored matrices whose time to live has ended. */
static void expire(void *arg)
{
	struct local *const l = arg;
	const int64_t next = store_expire(l->depot.store);

	if (next < INT64_MAX)
		loop_timer_set(l->loop, &l->expiry, next, expire, l);
}

static void on_expiry(void *arg, const struct stored *s)
{
	struct journal *const j = local_journal(arg);
	struct journal_entry *entry = j ? journal_entry_new(1) : NULL;

	if (!entry)
		return;		/* the next process finds it expired */
	entry->ordered = true;
	journaled_matrix_row(entry->row, JOURNAL_REMOVE_MATRIX, s);
	journal_submit(j, entry);
}

struct depot *local_new(struct loop *loop, struct engine *g,
                        int64_t store_ttl_ns, struct err *e)
{
	struct local *l = calloc(1, sizeof *l);

	if (!l) {
		err_set(e, ERR_MEMORY, "no memory for the service");
		return NULL;
	}
	l->loop = loop;
	l->depot.engine = g;
	if (depot_init(&l->depot, &calls, store_ttl_ns, e)) {
		free(l);
		return NULL;
	}
	store_on_put(l->depot.store, expire, l);
	store_on_expiry(l->depot.store, on_expiry, l);
	return &l->depot;
}

void local_free(struct depot *d)
{
	struct local *const l = local_of(d);

	if (!d)
		return;
	loop_timer_clear(l->loop, &l->expiry);
	depot_fini(d);
	saved_fini(&l->pipelines);
	free(l);
}
