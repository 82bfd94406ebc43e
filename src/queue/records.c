/* records.c - see records.h. */
#include <string.h>

#include "queue/records.h"

/* FNV-1a (Fowler, Noll, Vo). */
static size_t bucket(const struct records *r, const char *s)
{
	uint32_t h = 2166136261u ^ r->seed;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return (h ^ h >> 16) % RECORD_BUCKETS;
}

void records_add(struct records *r, struct job *j)
{
	struct job **id = &r->by_id[bucket(r, j->id)];
	struct job **key = &r->by_key[bucket(r, j->key)];

	j->same_id = *id;
	*id = j;
	if (*j->key) {
		j->same_key = *key;
		*key = j;
	}
	j->newer = NULL;
	j->older = r->newest;
	if (r->newest)
		r->newest->newer = j;
	else
		r->oldest = j;
	r->newest = j;
	r->n++;
	j->listed = true;
	job_ref(j);
}

static void unlink_age(struct records *r, struct job *j)
{
	if (j->newer)
		j->newer->older = j->older;
	else
		r->newest = j->older;
	if (j->older)
		j->older->newer = j->newer;
	else
		r->oldest = j->newer;
	j->newer = j->older = NULL;
}

static void unlink_hashes(struct records *r, struct job *j)
{
	struct job **p = &r->by_id[bucket(r, j->id)];

	while (*p != j)
		p = &(*p)->same_id;
	*p = j->same_id;
	if (!*j->key)
		return;
	p = &r->by_key[bucket(r, j->key)];
	while (*p != j)
		p = &(*p)->same_key;
	*p = j->same_key;
}

static bool is_forgettable(const struct records *r, const struct job *j)
{
	return j->previous || j->next || r->forgettable.first == j;
}

void records_remove(struct records *r, struct job *j)
{
	if (!j->listed)
		return;
	if (job_state_is_end(j->state) && is_forgettable(r, j))
		job_list_remove(&r->forgettable, j);
	unlink_age(r, j);
	unlink_hashes(r, j);
	r->n--;
	j->listed = false;
	job_unref(j);
}

void records_forgettable(struct records *r, struct job *j)
{
	if (!j->listed)
		return;
	job_list_append(&r->forgettable, j);
	if (r->forgettable.n <= r->limit)
		return;
	if (r->forget)
		r->forget(r->forget_arg, r->forgettable.first);
	records_remove(r, r->forgettable.first);
}

struct job *records_find(const struct records *r, const char *id)
{
	struct job *j = r->by_id[bucket(r, id)];

	while (j && strcmp(j->id, id))
		j = j->same_id;
	return j;
}

struct job *records_find_key(const struct records *r, const struct tenant *t,
                             const char *key)
{
	struct job *j = *key ? r->by_key[bucket(r, key)] : NULL;

	while (j && (j->tenant != t || strcmp(j->key, key)))
		j = j->same_key;
	return j;
}
