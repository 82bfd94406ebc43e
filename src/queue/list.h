/* list.h - jobs in a row, through their own next and previous: a job is in
 * one list at a time. { 0 } is an empty one. */
#ifndef QUEUE_LIST_H
#define QUEUE_LIST_H

#include "queue/job.h"

struct job_list {
	struct job *first, *last;
	size_t n;
};

static inline void job_list_append(struct job_list *l, struct job *j)
{
	j->next = NULL;
	j->previous = l->last;
	if (l->last)
		l->last->next = j;
	else
		l->first = j;
	l->last = j;
	l->n++;
}

static inline void job_list_prepend(struct job_list *l, struct job *j)
{
	j->previous = NULL;
	j->next = l->first;
	if (l->first)
		l->first->previous = j;
	else
		l->last = j;
	l->first = j;
	l->n++;
}

static inline void job_list_remove(struct job_list *l, struct job *j)
{
	if (j->previous)
		j->previous->next = j->next;
	else
		l->first = j->next;
	if (j->next)
		j->next->previous = j->previous;
	else
		l->last = j->previous;
	j->next = j->previous = NULL;
	l->n--;
}

#endif
