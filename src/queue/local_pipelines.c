/* local_pipelines.c - the saved pipelines of a local depot (local.h). */
#include <stdlib.h>
#include <string.h>

#include "queue/local_state.h"
#include "queue/written.h"

void local_read(struct depot *d, const struct tenant *t, const char *name,
                void (*visit)(void *arg, const char *name, const char *text),
                depot_done_fn *then, struct asker *by)
{
	const struct saved_list *const l = &local_of(d)->pipelines;
	struct err e = { 0 };
	const struct saved *s = name ? saved_find(l, t, name, &e) : NULL;

	if (s)
		visit(by->arg, s->name, s->text);
	for (int i = 0; !name && i < l->n; i++)
		if (l->at[i].tenant == t)
			visit(by->arg, l->at[i].name, l->at[i].text);
	then(by->arg, &e);
}

struct saving {
	struct written written;
	bool new;
	void (*then)(void *arg, bool new, const struct err *e);
};

static void have_saved(struct written *w, struct asker *by,
                       const struct err *e)
{
	const struct saving *const x = (const struct saving *)w;

	if (by)
		x->then(by->arg, x->new, e);
}

static int fill(struct journal_entry *entry, const struct tenant *t,
                const char *name, const char *text, struct err *e)
{
	struct journal_row *const r = entry->row;

	entry->must = true;
	r->verb = text ? JOURNAL_PUT_PIPELINE : JOURNAL_REMOVE_PIPELINE;
	strcpy(r->tenant, t->name);
	strcpy(r->name, name);
	text_puts(&r->text, text ? text : "");
	return r->text.failed ? err_set(e, ERR_MEMORY, "no memory for the "
	                                "journal") : 0;
}

/* Returns whether the name is new, or -1. */
static int save(struct saved_list *l, const struct tenant *t, const char *name,
                const char *text, enum depot_when when, const char *was,
                struct err *e)
{
	struct err none = { 0 };
	const struct saved *s = saved_find(l, t, name, text ? &none : e);

	if (e->code || depot_check_when(when, was, s ? s->text : NULL, e))
		return -1;
	if (text)
		return saved_put(l, t, name, text, e);
	saved_remove(l, s);
	return 0;
}

void local_save(struct depot *d, const struct tenant *t, const char *name,
                const char *text, enum depot_when when, const char *was,
                void (*then)(void *arg, bool new, const struct err *e),
                struct asker *by)
{
	struct err e = { 0 };
	struct saving *x = written_new(local_journal(d), sizeof *x, 1,
	                               have_saved, &e);
	int new = -1;

	if (x && (!x->written.entry ||
	          fill(x->written.entry, t, name, text, &e) == 0))
		new = save(&local_of(d)->pipelines, t, name, text, when, was,
		           &e);
	if (new < 0) {
		written_free(x);
		then(by->arg, false, &e);
		return;
	}
	x->new = new;
	x->then = then;
	written_submit(x, by);
}
