/* records.h - every job that can be found: by id, by key, by age.
 *
 * A job without a result to fetch (any more) is forgotten when `limit` others
 * have ended after it; one that waits, runs or keeps a result stays. The table
 * holds a reference to each.
 */
#ifndef QUEUE_RECORDS_H
#define QUEUE_RECORDS_H

#include "queue/list.h"

enum { RECORD_BUCKETS = 1 << 15 };

struct records {
	size_t limit, n;
	uint32_t seed;			/* of the hashes: random, so that no
					 * client can choose keys that meet
					 * in one bucket */
	struct job *newest, *oldest;
	struct job_list forgettable;	/* the one that ended first, first */
	struct job *by_id[RECORD_BUCKETS], *by_key[RECORD_BUCKETS];
};

void records_add(struct records *r, struct job *j);
void records_remove(struct records *r, struct job *j);

/* The job has nothing to fetch; may forget the oldest of its kind. */
void records_forgettable(struct records *r, struct job *j);

struct job *records_find(const struct records *r, const char *id);
struct job *records_find_key(const struct records *r, const char *key);

#endif
