/* timers.c - see timers.h. */
#include <stdbool.h>
#include <stddef.h>

#include "base/timers.h"

static bool is_earlier(const struct timer *a, const struct timer *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns :
	                              a->order < b->order;
}

/* Merges two heaps; either may be NULL. */
static struct timer *merge(struct timer *a, struct timer *b)
{
	if (!a || !b)
		return a ? a : b;
	if (is_earlier(b, a)) {
		struct timer *const t = a;

		a = b;
		b = t;
	}
	b->before = a;
	b->next = a->child;
	if (a->child)
		a->child->before = b;
	a->child = b;
	return a;
}

static struct timer *take_root(struct timer **siblings)
{
	struct timer *const t = *siblings;

	if (!t)
		return NULL;
	*siblings = t->next;
	t->next = t->before = NULL;
	return t;
}

/* Merges a list of siblings into one heap: first in pairs from the left, then
 * the pairs from the right. The bound of O(log n) depends on this order. */
static struct timer *merge_siblings(struct timer *siblings)
{
	struct timer *pairs = NULL, *root = NULL;

	while (siblings) {
		struct timer *const a = take_root(&siblings);
		struct timer *const pair = merge(a, take_root(&siblings));

		pair->next = pairs;
		pairs = pair;
	}
	while (pairs)
		root = merge(root, take_root(&pairs));
	return root;
}

static void cut_from_siblings(struct timer *t)
{
	if (t->before->child == t)
		t->before->child = t->next;
	else
		t->before->next = t->next;
	if (t->next)
		t->next->before = t->before;
}

void timers_add(struct timers *h, struct timer *t)
{
	t->order = h->added++;
	t->child = t->next = t->before = NULL;
	h->first = merge(h->first, t);
}

void timers_remove(struct timers *h, struct timer *t)
{
	struct timer *const rest = merge_siblings(t->child);

	if (t == h->first) {
		h->first = rest;
	} else {
		cut_from_siblings(t);
		h->first = merge(h->first, rest);
	}
	t->fn = NULL;
	t->child = t->next = t->before = NULL;
}
