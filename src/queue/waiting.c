/* waiting.c - see waiting.h. */
#include <string.h>

#include "queue/tenant.h"
#include "queue/waiting.h"

/* Sums of predicted times do not grow beyond this (31 years), so that they do
 * not overflow. */
static const int64_t most_ns = 1000000000000000000;

static const int64_t credit_rounds = WAITING_CREDIT_NS / WAITING_QUANTUM_NS;

static struct flow *flow_of(struct waiting *q, const struct job *j)
{
	return j->tenant ? &j->tenant->flow : &q->house;
}

static unsigned weight_of(const struct job *j)
{
	return j->tenant && j->tenant->limits.weight ?
	       j->tenant->limits.weight : 1;
}

/* When nobody waits, nobody owes anything to anybody: all rounds that anyone
 * has paid in are so long over that everyone has the same credit. */
static void forgive(struct waiting *q)
{
	for (int i = 0; i < SHEETS; i++)
		q->round[i] = q->last_round[i] + credit_rounds;
	q->shared = false;
}

/* A flow that gets its first job takes its place behind the others. */
static void enter(struct waiting *q, struct flow *f, const struct job *j)
{
	if (q->n_flows == 0 && q->shared)
		forgive(q);
	f->weight = weight_of(j);
	f->next = NULL;
	f->previous = q->last;
	if (q->last)
		q->last->next = f;
	else
		q->first = f;
	q->last = f;
	if (++q->n_flows > 1)
		q->shared = true;
}

static void leave(struct waiting *q, struct flow *f)
{
	if (f->previous)
		f->previous->next = f->next;
	else
		q->first = f->next;
	if (f->next)
		f->next->previous = f->previous;
	else
		q->last = f->previous;
	f->next = f->previous = NULL;
	q->n_flows--;
}

static void add(struct waiting *q, struct job *j,
                void (*to)(struct flow *f, struct job *j))
{
	struct flow *const f = flow_of(q, j);

	if (f->n == 0)
		enter(q, f, j);
	j->waiting = true;
	to(f, j);
	q->n++;
}

void waiting_add(struct waiting *q, struct job *j)
{
	add(q, j, flow_add);
}

void waiting_add_again(struct waiting *q, struct job *j)
{
	add(q, j, flow_add_again);
}

void waiting_remove(struct waiting *q, struct job *j)
{
	struct flow *const f = flow_of(q, j);

	j->waiting = false;
	flow_remove(f, j);
	q->n--;
	if (f->n == 0)
		leave(q, f);
}

static int64_t cost_of(const struct waiting *q, const struct job *j,
                       int device)
{
	int64_t ns = 0;

	if (j->paid)
		return 0;
	if (q->predict)
		ns = q->predict(q->predict_arg, j, device);
	return ns > 0 ? ns : WAITING_DEFAULT_NS;
}

/* Returns a flow's credit when it has paid the cost and taken part in as many
 * more rounds as make up for it. Of the rounds in which a flow did not take
 * part, as it had no jobs or they waited for another device, it makes up for
 * the last credit_rounds; the others are lost to it. */
static struct credit pay(const struct waiting *q, const struct flow *f,
                         int device, int64_t cost_ns)
{
	const int64_t quantum = f->weight * WAITING_QUANTUM_NS;
	const int64_t first = q->round[device] - credit_rounds;
	struct credit c = f->credit[device];
	int64_t rounds;

	if (c.round < first)
		c = (struct credit){ .round = first };
	c.deficit_ns -= cost_ns;
	rounds = c.deficit_ns < 0 ? (quantum - 1 - c.deficit_ns) / quantum : 0;
	c.deficit_ns += rounds * quantum;
	c.round += rounds;
	return c;
}

static void charge(struct waiting *q, struct flow *f, int device,
                   int64_t cost_ns)
{
	const int64_t round = pay(q, f, device, 0).round;

	if (q->round[device] < round)
		q->round[device] = round;
	f->credit[device] = pay(q, f, device, cost_ns);
	if (q->last_round[device] < f->credit[device].round)
		q->last_round[device] = f->credit[device].round;
}

void waiting_take(struct waiting *q, struct job *j, int device)
{
	if (q->shared)
		charge(q, flow_of(q, j), device, cost_of(q, j, device));
	j->paid = true;
	waiting_remove(q, j);
}

struct job *waiting_any(const struct waiting *q)
{
	const struct flow *const f = q->first;

	for (int p = 0; f && p < PRIORITIES; p++)
		if (f->at[p].first)
			return f->at[p].first;
	return NULL;
}

static void warmed(struct job *j, uint64_t devices, int64_t now_ns)
{
	const bool cold = j->cold != 0;

	j->cold &= ~devices;
	if (!j->cold)
		job_go_on(j, now_ns);
	if (cold && !j->cold)
		job_changed(j);
}

void waiting_warmed(struct waiting *q, uint64_t devices, int64_t now_ns)
{
	for (struct flow *f = q->first; f; f = f->next)
		for (int p = 0; p < PRIORITIES; p++)
			for (struct job *j = f->at[p].first; j; j = j->next)
				warmed(j, devices, now_ns);
}

/* Finds the idle device, or if the head may run on none, any of its devices, on
 * which its turn comes first. */
static void find_turn(const struct waiting *q, struct flow *f, uint64_t idle)
{
	const uint64_t may = job_devices(f->head);

	f->rounds = INT64_MAX;
	for (uint64_t left = may & idle ? may & idle : may; left;
	     left &= left - 1) {
		const int i = __builtin_ctzll(left);
		const int64_t rounds = pay(q, f, i, f->ahead_ns).round -
		                       q->round[i];

		if (rounds >= f->rounds)
			continue;
		f->rounds = rounds;
		f->device = i;
	}
}

static void go_on(const struct waiting *q, struct flow *f, uint64_t devices,
                  uint64_t idle)
{
	f->head = flow_next(f, devices);
	if (f->head)
		find_turn(q, f, idle);
}

static struct job *choose(struct waiting *q)
{
	q->turn = NULL;
	for (struct flow *f = q->first; f; f = f->next)
		if (f->head && (!q->turn || f->rounds < q->turn->rounds))
			q->turn = f;
	return q->turn ? q->turn->head : NULL;
}

struct job *waiting_first(struct waiting *q, uint64_t devices, uint64_t idle)
{
	q->turn = q->first;
	for (struct flow *f = q->first; f; f = f->next) {
		flow_begin(f);
		f->ahead_ns = 0;
		if (q->n_flows > 1)
			go_on(q, f, devices, idle);
	}
	return q->n_flows > 1 ? choose(q) : waiting_fellow(q, devices);
}

struct job *waiting_next(struct waiting *q, uint64_t devices, uint64_t idle)
{
	struct flow *const f = q->turn;

	if (q->n_flows <= 1)
		return waiting_fellow(q, devices);
	if (f->ahead_ns < most_ns)
		f->ahead_ns += cost_of(q, f->head, f->device);
	go_on(q, f, devices, idle);
	return choose(q);
}

struct job *waiting_fellow(struct waiting *q, uint64_t devices)
{
	return q->turn ? flow_next(q->turn, devices) : NULL;
}
