/* flow.c - see flow.h. */
#include "queue/flow.h"

static int place_of(const struct job *j)
{
	const int p = j->priority;

	return p < 0 ? 0 : p < PRIORITIES ? p : PRIORITIES - 1;
}

void flow_add(struct flow *f, struct job *j)
{
	job_list_append(&f->at[place_of(j)], j);
	f->n++;
}

void flow_add_again(struct flow *f, struct job *j)
{
	struct job_list *const l = &f->at[place_of(j)];
	struct job *younger = l->first;

	while (younger && younger->accepted_ns < j->accepted_ns)
		younger = younger->next;
	if (younger)
		job_list_insert(l, j, younger);
	else
		job_list_append(l, j);
	f->n++;
}

void flow_remove(struct flow *f, struct job *j)
{
	job_list_remove(&f->at[place_of(j)], j);
	f->n--;
}

void flow_begin(struct flow *f)
{
	for (int p = 0; p < PRIORITIES; p++)
		f->to_come[p] = f->at[p].first;
}

static int64_t rank(const struct job *j, int p)
{
	return j->accepted_ns + p * FLOW_AGEING_NS;
}

/* Returns the priority whose next job is the first of all; -1: none is left. */
static int first_of(const struct flow *f)
{
	int first = -1;

	for (int p = 0; p < PRIORITIES; p++)
		if (f->to_come[p] && (first < 0 || rank(f->to_come[p], p) <
		                      rank(f->to_come[first], first)))
			first = p;
	return first;
}

struct job *flow_next(struct flow *f, uint64_t devices)
{
	int p;

	while ((p = first_of(f)) >= 0) {
		struct job *const j = f->to_come[p];

		f->to_come[p] = j->next;
		if (job_devices(j) & devices)
			return j;
	}
	return NULL;
}
