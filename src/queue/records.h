/* records.h - the table of all jobs that can be found by id, key or age.
 *
 * A job without a result to fetch (any more) is forgotten when `limit` others
 * have ended after it; a job that waits, runs or has a kept result stays. The
 * table holds a reference to each.
 */
#ifndef QUEUE_RECORDS_H
#define QUEUE_RECORDS_H

#include "queue/list.h"

enum { RECORD_BUCKETS = 1 << 15 };

struct records {
	size_t limit, n;
	uint32_t seed;			/* of the hashes: random, so that no
					 * client can choose keys that all
					 * fall into one bucket */
	struct job *newest, *oldest;
	/* Called before a job is forgotten because there are too many. */
	void (*forget)(void *arg, struct job *j);
	void *forget_arg;
	struct job_list forgettable;	/* in the order in which they ended */
	struct job *by_id[RECORD_BUCKETS], *by_key[RECORD_BUCKETS];
};

void records_add(struct records *r, struct job *j);
void records_remove(struct records *r, struct job *j);

/* Marks a job that has no result to fetch; forgets the oldest such job if there
 * are more than `limit`. */
void records_forgettable(struct records *r, struct job *j);

struct job *records_find(const struct records *r, const char *id);
/* Finds by the key of a tenant; NULL: the house. */
struct job *records_find_key(const struct records *r, const struct tenant *t,
                             const char *key);

#endif
