/* waiting.c - see waiting.h. */
#include "queue/waiting.h"

static struct job_list *list_of(struct waiting *q, const struct job *j)
{
	const int p = j->priority;

	return &q->at[p < 0 ? 0 : p < PRIORITIES ? p : PRIORITIES - 1];
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

struct job *waiting_first(const struct waiting *q, uint64_t devices)
{
	if (!q->n)
		return NULL;
	for (int p = 0; p < PRIORITIES; p++)
		for (struct job *j = q->at[p].first; j; j = j->next)
			if (j->devices & devices)
				return j;
	return NULL;
}
