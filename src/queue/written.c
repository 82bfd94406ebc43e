/* written.c - see written.h. */
#include <stdlib.h>

#include "queue/written.h"

static struct written *make(struct journal *j, size_t size, size_t n,
                            void (*done)(struct written *w, struct asker *by,
                                         const struct err *e), struct err *e)
{
	struct written *w = calloc(1, size);

	if (w && j)
		w->entry = journal_entry_new(n);
	if (!w || (j && !w->entry)) {
		free(w);
		err_set(e, ERR_MEMORY, "no memory for a change");
		return NULL;
	}
	if (w->entry)
		w->entry->ordered = true;
	w->journal = j;
	w->done = done;
	return w;
}

void *written_new(struct journal *j, size_t size, size_t n,
                  void (*done)(struct written *w, struct asker *by,
                               const struct err *e), struct err *e)
{
	return journal_is_well(j, e) ? make(j, size, n, done, e) : NULL;
}

void *written_new_freeing(struct journal *j, size_t size,
                          void (*done)(struct written *w, struct asker *by,
                                       const struct err *e), struct err *e)
{
	struct written *const w = make(j, size, 1, done, e);

	if (w && w->entry)
		w->entry->frees = true;
	return w;
}

void written_free(void *change)
{
	struct written *const w = change;

	if (w)
		journal_entry_free(w->entry);
	free(w);
}

static void on_written(void *arg, const struct err *e)
{
	struct written *const w = arg;

	w->done(w, ask_end(&w->ask), e);
	free(w);
}

void written_submit(void *change, struct asker *by)
{
	struct written *const w = change;

	ask_begin(&w->ask, by);
	if (!w->entry) {
		on_written(w, &(struct err){ 0 });
		return;
	}
	w->entry->then = on_written;
	w->entry->arg = w;
	journal_submit(w->journal, w->entry);
}
