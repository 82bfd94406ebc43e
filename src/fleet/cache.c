/* cache.c - see cache.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/cache.h"
#include "fleet/chunks.h"
#include "fleet/form.h"
#include "fleet/matrices.h"

/* --- copies */

const struct stored *cache_find(struct fleet *f, const char *tenant,
                                const char *name, uint64_t version)
{
	const struct stored *s = store_find(f->copies, tenant, name,
	                                    &(struct err){ 0 });

	if (!s || (version && s->version != version))
		return NULL;
	store_use(f->copies, s);
	return s;
}

const struct stored *cache_find_version(struct fleet *f, const char *tenant,
                                        uint64_t version)
{
	size_t i, end;

	store_range(f->copies, tenant, &i, &end);
	for (; i < end; i++)
		if (store_at(f->copies, i)->version == version)
			return cache_find(f, tenant,
			                  store_at(f->copies, i)->name,
			                  version);
	return NULL;
}

void cache_add(struct fleet *f, const struct stored *s)
{
	struct stored copy = *s;
	struct err e = { 0 };

	copy.matrix = matrix_ref(&s->matrix);
	if (store_keep(f->copies, &copy, &e))
		matrix_fini(&copy.matrix);
	else
		cache_find(f, s->tenant, s->name, 0);
}

/* Versions are unique in the fleet, so they also serve as the numbers by which
 * devices know elements. */
void cache_mark(struct matrix *m, uint64_t version)
{
	if (m->memory && !m->memory->stored)
		m->memory->stored = 2 * version;
	if (m->index && !m->index->stored)
		m->index->stored = 2 * version + 1;
}

static bool is_same(const struct matrix *a, const struct matrix *b)
{
	return a->memory == b->memory && a->index == b->index &&
	       a->dtype == b->dtype && a->layout == b->layout &&
	       a->nnz == b->nnz && a->ndim == b->ndim &&
	       a->coordinates == b->coordinates && a->text == b->text &&
	       a->rounded == b->rounded &&
	       memcmp(a->dim, b->dim, (size_t)a->ndim * sizeof *a->dim) == 0;
}

uint64_t cache_version(const struct fleet *f, const char *tenant,
                       const struct matrix *m)
{
	size_t i, end;

	if (m->ndim == MATRIX_ABSENT || !m->memory || !m->memory->stored)
		return 0;
	store_range(f->copies, tenant, &i, &end);
	for (; i < end; i++)
		if (is_same(&store_at(f->copies, i)->matrix, m))
			return store_at(f->copies, i)->version;
	return 0;
}

static bool is_used(const struct stored *s)
{
	return (s->matrix.memory && s->matrix.memory->refs > 1) ||
	       (s->matrix.index && s->matrix.index->refs > 1);
}

static const struct stored *least_recent(const struct store *s)
{
	const struct stored *least = NULL;

	for (size_t i = 0; i < store_count(s); i++) {
		const struct stored *const at = store_at(s, i);

		if (!is_used(at) && (!least || at->used_ns < least->used_ns))
			least = at;
	}
	return least;
}

void matrices_make_room(struct fleet *f, uint64_t bytes)
{
	struct memory_pool *const p = f->options.memory;
	const size_t limit = memory_pool_limit(p);
	const struct stored *s;

	if (bytes > limit)
		bytes = limit;
	while (memory_pool_used(p) > limit - bytes &&
	       (s = least_recent(f->copies))) {
		f->counts.evicted++;
		store_remove(f->copies, s);
	}
}

/* --- fetches */

struct wanting {
	void (*then)(void *arg, const struct stored *s, const struct err *e);
	void *arg;
	struct wanting *next;
};

struct fetching {
	struct call call;
	struct fleet *fleet;
	struct memory_pool *memory;
	struct shared *shared;
	uint64_t version;
	struct stored stored;		/* work()'s */
	bool there;			/* its name still has this version */
	struct wanting *first;
	struct fetching *next;
};

static int read_elements(struct fetching *x, const struct pg_answer *a,
                         struct pg *p, struct err *e)
{
	const uint64_t bytes = (uint64_t)pg_integer(a, 0, FORM_PAYLOAD_COLUMN);
	const char *file = pg_get(a, 0, FORM_FILE_COLUMN);
	struct matrix *const m = &x->stored.matrix;
	size_t n = 0;

	m->ndim = MATRIX_ABSENT;
	if (!pg_is_null(a, 0, FORM_DATA_COLUMN))
		return payload_unpack(pg_get(a, 0, FORM_DATA_COLUMN),
		                      pg_length(a, 0, FORM_DATA_COLUMN),
		                      x->stored.name, m, 1, &n, x->memory, e);
	if (*file)
		return shared_read(x->shared, file, bytes, m, 1, &n, x->memory,
		                   e);
	return chunks_read(p, CHUNK_MATRIX, (int64_t)x->version, bytes, m, 1,
	                   &n, x->memory, e);
}

static int fetch(struct call *c, struct pg *p, struct err *e)
{
	struct fetching *const x = (struct fetching *)c;
	char version[PG_DIGITS];
	const struct pg_value v[] = {
		pg_number((int64_t)x->version, version),
	};
	struct pg_answer *a = pg_ask(p, S_MATRIX_VERSION, v, e);
	int rc = a ? 0 : -1;

	if (a && pg_rows(a) == 0)
		rc = err_set(e, ERR_GONE, "a stored matrix was replaced or "
		             "removed");
	if (rc == 0)
		rc = form_read_row(&x->stored, a, 0,
		                   pg_get(a, 0, FORM_TENANT_COLUMN), e);
	if (rc == 0) {
		x->there = pg_integer(a, 0, FORM_THERE_COLUMN);
		rc = read_elements(x, a, p, e);
	}
	if (rc == 0)
		cache_mark(&x->stored.matrix, x->version);
	pg_answer_free(a);
	return rc;
}

static void leave(struct fetching *x)
{
	struct fetching **at = &x->fleet->fetches;

	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
}

static void fetched(struct call *c)
{
	struct fetching *const x = (struct fetching *)c;
	struct fleet *const f = x->fleet;

	leave(x);
	f->counts.fetched += c->err.code == ERR_NONE;
	if (!c->err.code && x->there)
		cache_add(f, &x->stored);
	for (struct wanting *w = x->first, *next; w; w = next) {
		next = w->next;
		w->then(w->arg, c->err.code ? NULL : &x->stored, &c->err);
		free(w);
	}
	if (!c->err.code)
		matrix_fini(&x->stored.matrix);
	free(x);
}

static struct fetching *fetch_begin(struct fleet *f, uint64_t version,
                                    uint64_t bytes)
{
	struct fetching *x = calloc(1, sizeof *x);

	if (!x)
		return NULL;
	matrices_make_room(f, bytes);
	x->call = (struct call){ .work = fetch, .done = fetched,
	                         .slow = bytes > CHUNK_SLOW };
	x->fleet = f;
	x->memory = f->options.memory;
	x->shared = f->shared;
	x->version = version;
	x->next = f->fetches;
	f->fetches = x;
	crew_submit(f->front, &x->call);
	return x;
}

void cache_fetch(struct fleet *f, uint64_t version, uint64_t bytes,
                 void (*then)(void *arg, const struct stored *s,
                              const struct err *e), void *arg)
{
	struct wanting *w = malloc(sizeof *w);
	struct fetching *x = f->fetches;
	struct err e = { 0 };

	while (x && x->version != version)
		x = x->next;
	if (w && !x && !f->closed)
		x = fetch_begin(f, version, bytes);
	if (!w || !x) {
		free(w);
		err_set(&e, f->closed ? ERR_STATE : ERR_MEMORY, f->closed ?
		        "the service is stopping" :
		        "no memory to fetch a stored matrix");
		then(arg, NULL, &e);
		return;
	}
	*w = (struct wanting){ then, arg, x->first };
	x->first = w;
}
