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
	j->waiting = true;
	job_list_append(list_of(q, j), j);
	q->n++;
}

void waiting_add_again(struct waiting *q, struct job *j)
{
	struct job_list *const l = list_of(q, j);
	struct job *younger = l->first;

	j->waiting = true;
	while (younger && younger->accepted_ns < j->accepted_ns)
		younger = younger->next;
	if (younger)
		job_list_insert(l, j, younger);
	else
		job_list_append(l, j);
	q->n++;
}

void waiting_remove(struct waiting *q, struct job *j)
{
	j->waiting = false;
	job_list_remove(list_of(q, j), j);
	q->n--;
}

/* Returns the first job that may run now on one of the devices, from j on in
 * the list of priority p, then in the lists of lower priority; NULL: none. */
static struct job *from(const struct waiting *q, struct job *j, int p,
                        uint64_t devices)
{
	for (;;) {
		for (; j; j = j->next)
			if (job_devices(j) & devices)
				return j;
		if (++p >= PRIORITIES)
			return NULL;
		j = q->at[p].first;
	}
}

struct job *waiting_any(const struct waiting *q)
{
	for (int p = 0; p < PRIORITIES; p++)
		if (q->at[p].first)
			return q->at[p].first;
	return NULL;
}

void waiting_warmed(struct waiting *q, uint64_t devices, int64_t now_ns)
{
	for (int p = 0; p < PRIORITIES; p++)
		for (struct job *j = q->at[p].first; j; j = j->next) {
			const bool cold = j->cold != 0;

			j->cold &= ~devices;
			if (!j->cold)
				job_go_on(j, now_ns);
			if (cold && !j->cold)
				job_changed(j);
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
