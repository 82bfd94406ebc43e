/* list.h - doubly linked lists of jobs, linked by their next and previous: a
 * job is in one list at a time. { 0 } is an empty list. */
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

/* Inserts j in front of `before`, which is in the list. */
static inline void job_list_insert(struct job_list *l, struct job *j,
                                   struct job *before)
{
	j->previous = before->previous;
	j->next = before;
	if (before->previous)
		before->previous->next = j;
	else
		l->first = j;
	before->previous = j;
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
