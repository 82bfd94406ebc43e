/* waiting.c - see waiting.h. */
#include "queue/waiting.h"

static int place_of(const struct job *j)
{
	const int p = j->priority;

	return p < 0 ? 0 : p < PRIORITIES ? p : PRIORITIES - 1;
}

static struct job_list *list_of(struct waiting *q, const struct job *j)
{
	return &q->at[place_of(j)];
}

void waiting_add(struct waiting *q, struct job *j)
{
	job_list_append(list_of(q, j), j);
	q->n++;
}

void waiting_add_again(struct waiting *q, struct job *j)
{
	job_list_prepend(list_of(q, j), j);
	q->n++;
}

void waiting_remove(struct waiting *q, struct job *j)
{
	job_list_remove(list_of(q, j), j);
	q->n--;
}

/* From j on in its own list, then in those of lower priority. */
static struct job *from(const struct waiting *q, struct job *j, int p,
                        uint64_t devices)
{
	for (;;) {
		for (; j; j = j->next)
			if (j->devices & devices)
				return j;
		if (++p >= PRIORITIES)
			return NULL;
		j = q->at[p].first;
	}
}

struct job *waiting_first(const struct waiting *q, uint64_t devices)
{
	return q->n ? from(q, NULL, -1, devices) : NULL;
}

struct job *waiting_next(const struct waiting *q, const struct job *j,
                         uint64_t devices)
{
	return from(q, j->next, place_of(j), devices);
}
