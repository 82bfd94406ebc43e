/* ask.h - questions to a depot (depot.h), each of which is answered by a call
 * of a function, at once or later.
 *
 *     struct asker by = { .arg = arg };
 *     depot_find(..., then, &by);
 *     then(by.arg, ...)              before depot_find() returns, or later
 *     ask_cancel(&by);               instead: then() is not called any more
 *
 * A change that is asked for is made even if nobody waits for its answer. An
 * asker asks one question at a time: a second one cancels the first.
 */
#ifndef QUEUE_ASK_H
#define QUEUE_ASK_H

#include <stddef.h>

struct asker {
	void *arg;			/* what then() gets */
	struct ask *ask;		/* NULL: no answer is awaited */
};

/* The question, within the struct of whoever answers it later. */
struct ask {
	struct asker *by;		/* NULL: the answer is not wanted */
};

/* Ends a question, and returns who gets the answer; NULL: nobody. */
static inline struct asker *ask_end(struct ask *a)
{
	struct asker *const by = a->by;

	if (by)
		by->ask = NULL;
	a->by = NULL;
	return by;
}

static inline void ask_cancel(struct asker *by)
{
	if (by->ask)
		ask_end(by->ask);
}

static inline void ask_begin(struct ask *a, struct asker *by)
{
	ask_cancel(by);
	a->by = by;
	by->ask = a;
}

#endif
