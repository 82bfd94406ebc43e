/* local_state.h - the state of a local depot, for local*.c alone. */
#ifndef QUEUE_LOCAL_STATE_H
#define QUEUE_LOCAL_STATE_H

#include "queue/depot.h"
#include "queue/saved.h"
#include "queue/state.h"

struct local {
	struct depot depot;		/* must be first */
	struct loop *loop;
	struct saved_list pipelines;
	struct timer expiry;		/* removes old stored matrices */
};

static inline struct local *local_of(struct depot *d)
{
	return (struct local *)d;
}

/* NULL: there is none. */
static inline struct journal *local_journal(const struct depot *d)
{
	return d->engine->journal;
}

/* local_accept.c */
depot_accept_fn local_accept;
depot_reserve_fn local_reserve;
depot_release_fn local_release;

/* local_pipelines.c */
depot_read_fn local_read;
depot_save_fn local_save;

#endif
