/* written.c - see written.h. */
#include <stdlib.h>

#include "http/written.h"

void written_init(struct written *w, struct exchange *x,
                  void (*free)(void *state))
{
	*w = (struct written){ .x = x, .free = free };
}

int written_begin(struct exchange *x, void **state, struct err *e)
{
	struct written *w = malloc(sizeof *w);

	if (!w)
		return err_set(e, ERR_MEMORY, "no memory for the request");
	written_init(w, x, free);
	*state = w;
	return 0;
}

void written_end(struct exchange *x, void *state)
{
	struct written *w = state;

	(void)x;
	if (!w)
		return;
	w->x = NULL;
	w->ended = true;
	if (!w->waiting)
		w->free(w);
}

int written_check(const struct api *a, struct err *e)
{
	return journal_is_well(a->options.journal, e) ? 0 : -1;
}

struct journal_entry *written_entry(const struct api *a, size_t n,
                                    struct err *e)
{
	struct journal_entry *entry;

	if (!a->options.journal)
		return NULL;
	entry = journal_entry_new(n);
	if (!entry)
		err_set(e, ERR_MEMORY, "no memory for the journal");
	else
		entry->ordered = true;
	return entry;
}

static void on_written(void *arg, const struct err *e)
{
	struct written *w = arg;

	w->waiting = false;
	w->reply(w, e);
	if (w->ended)
		w->free(w);
}

void written_reply(struct written *w, struct api *a,
                   struct journal_entry *entry,
                   void (*reply)(struct written *w, const struct err *e))
{
	if (!entry) {
		reply(w, &(struct err){ 0 });
		return;
	}
	w->reply = reply;
	w->waiting = true;
	entry->then = on_written;
	entry->arg = w;
	journal_submit(a->options.journal, entry);
}

void written_reply_204(struct written *w, const struct err *e)
{
	struct text none = { 0 };

	if (!w->x)
		return;
	if (e->code)
		exchange_reply_problem(w->x, e, NULL);
	else
		exchange_reply_text(w->x, 204, NULL, &none);
}
