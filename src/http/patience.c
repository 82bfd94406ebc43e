/* patience.c - see patience.h. */
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "http/patience.h"

enum { BATCH = 64 };

static const int64_t second = 1000000000;
static const int64_t idle_most_ns = 75000000000;
static const int64_t look_for_left_ns = 50000000;

/* Has a connection without a request been silent for too long, since its
 * beginning or its last reply? */
static bool is_silent(const struct peers *p, const struct peer *one,
                      int64_t now)
{
	const int64_t most = one->replied ? idle_most_ns : p->paces.grace_ns;

	return !one->x && !one->head_ns && now - one->since_ns > most;
}

/* Checks that a request's head or body arrives fast enough. Input that lies
 * unread in the socket or in libmicrohttpd waits for us, not for the client. */
static int check_input(const struct peers *p, const struct peer *one,
                       int64_t now, struct err *e)
{
	const struct exchange *x = one->x;

	if (one->head_ns && now - one->head_ns > p->paces.grace_ns)
		return err_set(e, ERR_SLOW, "the head of the request took "
		               "more than %.3g s",
		               (double)p->paces.grace_ns / 1e9);
	if (!x || (x->phase != PHASE_BODY && x->phase != PHASE_DRAIN) ||
	    x->suspended || one->gate.requests != one->replied ||
	    !pace_is_slow(&p->paces, x->received, hygiene_length(&x->framing),
	                  now - x->first_byte_ns) || pace_has_unread(one->fd))
		return 0;
	return err_set(e, ERR_SLOW, "%llu bytes of the body in %lld s are too "
	               "few: all of it must arrive within %.3g s",
	               (unsigned long long)x->received,
	               (long long)((now - x->first_byte_ns) / second),
	               (double)(p->paces.grace_ns + p->paces.whole_ns) / 1e9);
}

static bool reads_slowly(const struct peers *p, struct peer *one, int64_t now)
{
	const struct exchange *x = one->x;

	if (!x || x->phase != PHASE_REPLY)
		return false;
	return x->reply.live ?
	       pace_live_reader(&one->reading, &p->paces, one->fd, now) :
	       pace_reader(&one->reading, &p->paces, one->fd,
	                   x->reply.holds, now);
}

/* Has the client closed its side, within its request or right after it?
 * libmicrohttpd may not notice: after a read that did not fill its buffer it
 * waits for the next edge of epoll, and an end of file that was there before
 * causes none. */
static bool has_left(const struct peer *one, int64_t now)
{
	const bool listens = one->x ? one->x->phase < PHASE_WAIT :
	                     now - one->since_ns < 3 * second;
	char byte;

	return listens &&
	       recv(one->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void look_at(struct peers *p, struct peer *one, int64_t now)
{
	struct err e = { 0 };

	if (one->closing)
		return;
	if (is_silent(p, one, now) || has_left(one, now) ||
	    reads_slowly(p, one, now))
		peers_shut(p, one);
	else if (check_input(p, one, now, &e) && one->x &&
	         one->x->phase == PHASE_DRAIN)
		peers_turn_away(p, one, &one->x->reply,
		                one->x->method == HEAD);
	else if (e.code != ERR_NONE)
		peers_refuse(p, one, &e);
}

static void look_for_slow(void *arg)
{
	struct peers *p = arg;
	const int64_t now = clock_ns();

	for (struct peer *one = p->first; one; one = one->next)
		look_at(p, one, now);
	patience_look_for_slow(p);
}

void patience_look_for_slow(struct peers *p)
{
	if (p->first && !p->slow.fn)
		loop_timer_set(p->loop, &p->slow, clock_ns() + second,
		               look_for_slow, p);
}

/* Checks up to BATCH exchanges from x on; returns where the next batch
 * begins. */
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

static void look_for_left(void *arg)
{
	struct peers *p = arg;

	for (struct exchange *x = p->suspended; x;)
		x = find_left(x);
	patience_look_for_left(p);
}

void patience_look_for_left(struct peers *p)
{
	if (p->suspended && !p->left.fn)
		loop_timer_set(p->loop, &p->left,
		               clock_ns() + look_for_left_ns, look_for_left,
		               p);
}
