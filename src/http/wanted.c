/* wanted.c - see wanted.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/matrices.h"
#include "http/etag.h"
#include "http/wanted.h"

int wanted_init(struct wanted *w, struct api *a, struct exchange *x,
                const struct tenant *t, struct err *e)
{
	*w = (struct wanted){ .fleet = a->options.fleet, .x = x, .tenant = t,
	                      .store = a->store };
	if (!w->fleet)
		return 0;
	w->store = store_new(e);
	if (!w->store)
		return -1;
	store_set_ttl(w->store, a->options.store_ttl_ns);
	return 0;
}

void wanted_fini(struct wanted *w)
{
	ask_cancel(&w->by);
	if (w->fleet)
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
	if (!w || !w->fleet || w->looked)
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

	etag_set_service(matrices_service(w->fleet));
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
	if (!w->fleet || !w->n || w->looked)
		go_on(w, &(struct err){ 0 });
	else
		matrices_seek(fleet_depot(w->fleet), w->tenant, &what,
		              w->store, on_found, &w->by);
}

void wanted_hold(struct wanted *w, int (*then)(void *arg, struct err *e),
                 void *arg)
{
	w->holds = true;
	exchange_hold(w->x);
	wanted_look(w, WANTED_ROWS, then, arg);
}

const struct stored *wanted_found(const struct wanted *w, struct err *e)
{
	return store_find(w->store, w->tenant->name, w->name[0], e);
}

void wanted_make_room(const struct exchange *x)
{
	const struct api *const a = exchange_context(x);
	const uint64_t length = exchange_length(x);

	if (a->options.fleet && length != UINT64_MAX)
		matrices_make_room(a->options.fleet, length);
}

int wanted_check(const struct api *a, struct err *e)
{
	return !a->options.fleet || fleet_is_well(a->options.fleet, e) ? 0 :
	       -1;
}
