/* peers.c - see peers.h. */
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "http/peers.h"

enum { BATCH = 64 };

static const int64_t second = 1000000000;
static const int64_t look_for_slow_ns = 1000000000;
static const int64_t look_for_left_ns = 50000000;
static const int64_t idle_most_ns = 75000000000;
static const int64_t headers_most_ns = 20000000000;
static const int64_t body_grace_ns = 20000000000;
static const int64_t body_least_bytes_per_s = 1000;

/* Does the client take longer than it may? */
static bool is_slow(const struct peer *p, int64_t now)
{
	const struct exchange *x = p->x;
	int64_t spare;

	if (!x)
		return now - p->since_ns > idle_most_ns;
	switch (x->phase) {
	case PHASE_HEADERS:
		return now - x->first_byte_ns > headers_most_ns;
	case PHASE_BODY:
	case PHASE_DRAIN:
		spare = now - x->first_byte_ns - body_grace_ns;
		return spare > 0 && x->received / (uint64_t)
		       body_least_bytes_per_s < (uint64_t)(spare / second);
	default:
		return false;
	}
}

/* Has the client closed its end in the middle of its request? After a read
 * that did not fill its buffer libmicrohttpd waits for the next edge, which
 * an end that had already come does not give. */
static bool has_left(const struct peer *p)
{
	char byte;

	return p->x && p->x->phase < PHASE_WAIT &&
	       recv(p->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void cut_slow(void *arg)
{
	struct peers *p = arg;
	const int64_t now = clock_ns();

	for (struct peer *one = p->first; one; one = one->next)
		if (is_slow(one, now) || has_left(one))
			shutdown(one->fd, SHUT_RDWR);
	if (p->first)
		loop_timer_set(p->loop, &p->slow, now + look_for_slow_ns,
		               cut_slow, p);
}

/* Looks at up to BATCH of them; where the next batch begins. */
static struct exchange *find_left(struct exchange *x)
{
	struct exchange *asked[BATCH];
	struct pollfd fds[BATCH];
	nfds_t n = 0;

	for (; x && n < BATCH; x = x->next) {
		asked[n] = x;
		fds[n++] = (struct pollfd){ x->peer->fd, POLLRDHUP, 0 };
	}
	if (poll(fds, n, 0) <= 0)
		return x;
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].revents && asked[i]->suspended)
			exchange_lost(asked[i]);
	return x;
}

static void report_left(void *arg)
{
	struct peers *p = arg;

	for (struct exchange *x = p->suspended; x;)
		x = find_left(x);
	if (p->suspended)
		loop_timer_set(p->loop, &p->left,
		               clock_ns() + look_for_left_ns, report_left, p);
}

struct peer *peers_add(struct peers *p, int fd)
{
	struct peer *one = calloc(1, sizeof *one);

	if (!one)
		return NULL;
	*one = (struct peer){ fd, clock_ns(), NULL, p->first, NULL };
	if (p->first)
		p->first->previous = one;
	p->first = one;
	if (!p->slow.fn)
		loop_timer_set(p->loop, &p->slow,
		               one->since_ns + look_for_slow_ns, cut_slow, p);
	return one;
}

void peers_remove(struct peers *p, struct peer *one)
{
	if (!one)
		return;
	if (one->next)
		one->next->previous = one->previous;
	if (one->previous)
		one->previous->next = one->next;
	else
		p->first = one->next;
	free(one);
}

void peers_suspended(struct peers *p, struct exchange *x)
{
	x->suspended = true;
	x->previous = NULL;
	x->next = p->suspended;
	if (x->next)
		x->next->previous = x;
	p->suspended = x;
	if (!p->left.fn)
		loop_timer_set(p->loop, &p->left,
		               clock_ns() + look_for_left_ns, report_left, p);
}

void peers_resumed(struct peers *p, struct exchange *x)
{
	x->suspended = false;
	if (x->next)
		x->next->previous = x->previous;
	if (x->previous)
		x->previous->next = x->next;
	else
		p->suspended = x->next;
}

bool peers_busy(const struct peers *p)
{
	for (const struct peer *one = p->first; one; one = one->next)
		if (one->x)
			return true;
	return false;
}

void peers_fini(struct peers *p)
{
	while (p->first)
		peers_remove(p, p->first);
	if (p->loop) {
		loop_timer_clear(p->loop, &p->slow);
		loop_timer_clear(p->loop, &p->left);
	}
}
