/* find.c - see matrices.h: finds and lists stored matrices. One statement reads
 * which versions the names have. Elements of which this host has no copy come
 * with that statement if they are small; else they are fetched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fleet/asking.h"
#include "fleet/cache.h"
#include "fleet/chunks.h"
#include "fleet/form.h"
#include "fleet/matrices.h"

/* How often a find is repeated, because a version was replaced before its
 * elements were fetched. */
enum { FIND_TRIES = 4 };

struct finding;

/* One of the names. */
struct one {
	struct finding *finding;
	char name[STORE_NAME];
	struct stored copy;		/* this host's, a reference; version 0:
					 * none */
	struct stored got;		/* what the database has; version 0:
					 * none */
	bool has_elements;		/* those of `got` came with it */
	uint64_t payload_bytes;
};

struct finding {
	struct asking asking;
	struct memory_pool *memory;
	bool elements, stale;
	struct store *into;
	void (*then)(void *arg, bool stale, const struct err *e);
	int tries;
	size_t left;			/* fetches that have not ended */
	struct err err;			/* of fetches */
	size_t n;
	struct one one[];
};

static void drop(struct stored *s)
{
	if (s->version)
		matrix_fini(&s->matrix);
	*s = (struct stored){ 0 };
}

static void finding_free(struct finding *x)
{
	for (size_t i = 0; i < x->n; i++) {
		drop(&x->one[i].copy);
		drop(&x->one[i].got);
	}
	free(x);
}

/* --- on a thread of the crew */

static struct one *one_of(struct finding *x, const char *name)
{
	for (size_t i = 0; i < x->n; i++)
		if (strcmp(x->one[i].name, name) == 0)
			return &x->one[i];
	return NULL;
}

static int read_row(struct finding *x, const struct pg_answer *a, int row,
                    struct err *e)
{
	struct one *const o = one_of(x, pg_get(a, row, FORM_NAME_COLUMN));
	size_t n;

	if (!o || o->got.version)
		return 0;
	if (form_read_row(&o->got, a, row, x->asking.tenant, e))
		return -1;
	o->payload_bytes = (uint64_t)pg_integer(a, row, FORM_PAYLOAD_COLUMN);
	o->has_elements = !pg_is_null(a, row, FORM_DATA_COLUMN);
	if (!o->has_elements)
		return 0;
	if (payload_unpack(pg_get(a, row, FORM_DATA_COLUMN),
	                   pg_length(a, row, FORM_DATA_COLUMN), o->name,
	                   &o->got.matrix, 1, &n, x->memory, e)) {
		o->got.version = 0;
		return -1;
	}
	cache_mark(&o->got.matrix, o->got.version);
	return 0;
}

static void print_arrays(const struct finding *x, struct text *names,
                         struct text *versions)
{
	for (size_t i = 0; i < x->n; i++) {
		text_printf(names, "%s\"%s\"", i ? "," : "{", x->one[i].name);
		text_printf(versions, "%s%llu", i ? "," : "{",
		            (unsigned long long)x->one[i].copy.version);
	}
	text_puts(names, "}");
	text_puts(versions, "}");
}

static int find(struct call *c, struct pg *p, struct err *e)
{
	struct finding *const x = (struct finding *)c;
	struct text names = { 0 }, versions = { 0 };
	struct pg_answer *a = NULL;
	int rc;

	for (size_t i = 0; i < x->n; i++)
		drop(&x->one[i].got);
	print_arrays(x, &names, &versions);
	rc = names.failed || versions.failed ?
	     err_set(e, ERR_MEMORY, "no memory for a query") : 0;
	if (rc == 0) {
		const struct pg_value v[] = {
			pg_text(x->asking.tenant), pg_text(names.data),
			pg_text(versions.data),
			pg_text(x->elements ? "t" : "f"),
		};

		a = pg_ask(p, S_MATRIX_FIND, v, e);
		rc = a ? 0 : -1;
	}
	for (int i = 0; rc == 0 && i < pg_rows(a); i++)
		rc = read_row(x, a, i, e);
	pg_answer_free(a);
	text_fini(&names);
	text_fini(&versions);
	return rc;
}

/* --- on the loop's thread */

/* Gives the client, if there is one, what was found or the copies. Frees x. */
static void give(struct finding *x, bool copies)
{
	struct asker *const by = ask_end(&x->asking.ask);

	for (size_t i = 0; by && i < x->n && !x->err.code; i++) {
		struct stored *const s = copies ? &x->one[i].copy :
		                                  &x->one[i].got;
		const bool there = s->version != 0;

		if (there && store_keep(x->into, s, &x->err) == 0)
			*s = (struct stored){ 0 };
	}
	if (by)
		x->then(by->arg, copies, &x->err);
	finding_free(x);
}

static void submit(struct finding *x);

static void ended(struct finding *x)
{
	if (x->left)
		return;
	if (x->err.code == ERR_GONE && ++x->tries < FIND_TRIES &&
	    x->asking.ask.by)
		submit(x);
	else
		give(x, false);
}

static void on_fetched(void *arg, const struct stored *s, const struct err *e)
{
	struct one *const o = arg;

	if (s)
		o->got.matrix = matrix_ref(&s->matrix);
	else if (!o->finding->err.code)
		o->finding->err = *e;
	o->finding->left--;
	ended(o->finding);
}

/* Gives the version that was found its elements. */
static void complete(struct finding *x, struct one *o)
{
	struct fleet *const f = x->asking.fleet;
	const struct stored *s = o->copy.version == o->got.version ? &o->copy :
	    cache_find(f, x->asking.tenant, o->name, o->got.version);

	if (o->has_elements) {
		f->counts.fetched++;
		cache_add(f, &o->got);
	} else if (s) {
		f->counts.cached++;
		o->got.matrix = matrix_ref(&s->matrix);
	} else {
		x->left++;
		cache_fetch(f, o->got.version, o->payload_bytes, on_fetched,
		            o);
	}
}

/* May the copies serve, although the database did not answer? */
static bool copies_serve(const struct finding *x, const struct err *e)
{
	bool all = x->stale && e->code == ERR_STATE;

	for (size_t i = 0; i < x->n; i++)
		all &= x->one[i].copy.version &&
		       x->one[i].copy.until_ns > clock_ns();
	return all;
}

static void found(struct call *c)
{
	struct finding *const x = (struct finding *)c;

	if (c->err.code || !x->asking.ask.by) {
		const bool copies = copies_serve(x, &c->err);

		x->err = copies ? (struct err){ 0 } : c->err;
		give(x, copies);
		return;
	}
	x->left = 1;			/* until all were begun */
	for (size_t i = 0; x->elements && i < x->n; i++)
		if (x->one[i].got.version)
			complete(x, &x->one[i]);
	x->left--;
	ended(x);
}

/* Notes which copies this host has. */
static void take_copies(struct finding *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct one *const o = &x->one[i];
		const struct stored *s = cache_find(x->asking.fleet,
		    x->asking.tenant, o->name, 0);

		drop(&o->copy);
		if (!s)
			continue;
		o->copy = *s;
		o->copy.matrix = matrix_ref(&s->matrix);
	}
}

static void submit(struct finding *x)
{
	x->err = (struct err){ 0 };
	take_copies(x);
	crew_submit(x->asking.fleet->front, &x->asking.call);
}

static struct finding *finding_new(struct depot *d, const struct tenant *t,
                                   const struct sought *what, struct err *e)
{
	struct finding *x = calloc(1, sizeof *x +
	                           what->n * sizeof x->one[0]);

	if (!x) {
		err_set(e, ERR_MEMORY, "no memory for a query");
		return NULL;
	}
	asking_init(&x->asking, d, "", t, find, found);
	x->memory = x->asking.fleet->options.memory;
	x->elements = what->elements;
	x->stale = what->stale;
	for (; x->n < what->n; x->n++) {
		x->one[x->n].finding = x;
		memcpy(x->one[x->n].name, what->names[x->n], STORE_NAME);
	}
	return x;
}

void matrices_seek(struct depot *d, const struct tenant *t,
                   const struct sought *what, struct store *into,
                   void (*then)(void *arg, bool stale, const struct err *e),
                   struct asker *by)
{
	struct err e = { 0 };
	struct finding *x = finding_new(d, t, what, &e);
	bool copies;

	if (!x) {
		then(by->arg, false, &e);
		return;
	}
	x->into = into;
	x->then = then;
	ask_begin(&x->asking.ask, by);
	if (fleet_is_well(x->asking.fleet, &e)) {
		submit(x);
		return;
	}
	take_copies(x);
	copies = copies_serve(x, &e);
	x->err = copies ? (struct err){ 0 } : e;
	give(x, copies);
}

/* --- the list */

struct listing {
	struct asking asking;
	void (*then)(void *arg, struct store *all, const struct err *e);
	struct pg_answer *rows;
};

static int list(struct call *c, struct pg *p, struct err *e)
{
	struct listing *const x = (struct listing *)c;
	const struct pg_value v[] = { pg_text(x->asking.tenant) };

	pg_answer_free(x->rows);
	x->rows = pg_ask(p, S_MATRIX_LIST, v, e);
	return x->rows ? 0 : -1;
}

/* Leaves out what this version of linalgd cannot read. */
static void tell_listed(const struct listing *x, void *arg)
{
	struct err e = x->asking.call.err;
	struct store *all = e.code ? NULL : store_new(&e);

	for (int i = 0; !e.code && i < pg_rows(x->rows); i++) {
		struct stored s;

		if (form_read_row(&s, x->rows, i, x->asking.tenant,
		                  &(struct err){ 0 }) == 0)
			store_keep(all, &s, &e);
	}
	x->then(arg, all, &e);
	store_free(all);
}

static void listed(struct call *c)
{
	struct listing *const x = (struct listing *)c;
	struct asker *const by = ask_end(&x->asking.ask);

	if (by)
		tell_listed(x, by->arg);
	pg_answer_free(x->rows);
	free(x);
}

void matrices_list(struct depot *d, const struct tenant *t,
                   void (*then)(void *arg, struct store *all,
                                const struct err *e),
                   struct asker *by)
{
	struct err e = { 0 };
	struct listing *x = asking_new(d, sizeof *x, "", t, list, listed, &e);

	if (!x) {
		then(by->arg, NULL, &e);
		return;
	}
	x->then = then;
	asking_submit(&x->asking, by);
}
