/* wanted.c - see wanted.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/wanted.h"

int wanted_init(struct wanted *w, struct exchange *x, struct err *e)
{
	const struct api *a = exchange_context(x);
	struct depot *const d = a->options.depot;

	*w = (struct wanted){
		.x = x, .tenant = exchange_tenant(x), .store = d->store,
	};
	if (!d->calls->seek)
		return 0;
	w->depot = d;
	w->store = store_new(e);
	if (!w->store)
		return -1;
	store_set_ttl(w->store, store_ttl(d->store));
	return 0;
}

void wanted_fini(struct wanted *w)
{
	ask_cancel(&w->by);
	if (w->depot)
		store_free(w->store);
	free(w->name);
	*w = (struct wanted){ 0 };
}

static bool is_noted(const struct wanted *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->name[i], name) == 0)
			return true;
	return false;
}

int wanted_note(struct wanted *w, const char *name, struct err *e)
{
	if (!w || !w->depot || w->looked)
		return 0;
	if (store_check_name(name, e))
		return -1;
	if (is_noted(w, name))
		return 1;
	if (w->n == w->room) {
		const size_t room = 2 * w->room + 4;
		void *more = reallocarray(w->name, room, sizeof *w->name);

		if (!more)
			return err_set(e, ERR_MEMORY, "no memory for a name");
		w->name = more;
		w->room = room;
	}
	strcpy(w->name[w->n++], name);
	return 1;
}

static void go_on(struct wanted *w, const struct err *why)
{
	struct err e = *why;

	w->looked = true;
	if (!e.code)
		w->then(w->arg, &e);
	if (w->holds)
		exchange_go_on(w->x, &e);
	else if (e.code)
		exchange_reply_problem(w->x, &e, NULL);
}

static void on_found(void *arg, bool stale, const struct err *e)
{
	struct wanted *const w = arg;

	if (stale)
		exchange_reply_header(w->x, "Linalgd-Queue", "away");
	go_on(w, e);
}

void wanted_look(struct wanted *w, enum wanted_how how,
                 int (*then)(void *arg, struct err *e), void *arg)
{
	const struct sought what = {
		.names = (const char (*)[STORE_NAME])w->name, .n = w->n,
		.elements = how != WANTED_ROWS, .stale = how == WANTED_STALE,
	};

	w->then = then;
	w->arg = arg;
	w->by.arg = w;
	if (!w->depot || !w->n || w->looked)
		go_on(w, &(struct err){ 0 });
	else
		w->depot->calls->seek(w->depot, w->tenant, &what, w->store,
		                      on_found, &w->by);
}

void wanted_hold(struct wanted *w, int (*then)(void *arg, struct err *e),
                 void *arg)
{
	w->holds = true;
	exchange_hold(w->x);
	wanted_look(w, WANTED_ROWS, then, arg);
}

const struct stored *wanted_found(const struct wanted *w, const char *name,
                                  struct err *e)
{
	return store_find(w->store, w->tenant->name, name, e);
}

void wanted_make_room(const struct exchange *x)
{
	const struct api *const a = exchange_context(x);
	const uint64_t length = exchange_length(x);

	if (length != UINT64_MAX)
		depot_make_room(a->options.depot, length);
}
