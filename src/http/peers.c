/* peers.c - see peers.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/size.h"
#include "http/listen.h"
#include "http/patience.h"
#include "http/peers.h"
#include "queue/tenant.h"

/* 1/FREE_PARTS of the connections stays free, because libmicrohttpd closes a
 * connection a little after it is asked to. */
enum { FREE_PARTS = 16 };

/* An address with more than 1/MANY_PARTS of the connections gives way first. */
enum { MANY_PARTS = 16 };

/* A client that has connected sends its request within that time. */
#define BEGINNING_NS INT64_C(1000000000)

void peers_init(struct peers *p, struct loop *l,
                const struct server_options *o)
{
	*p = (struct peers){
		.loop = l, .options = o, .paces = o->paces,
		.limit = o->connections ? o->connections :
		         listen_connections(),
		.lingers = { .loop = l, .most = o->max_body },
	};
}

static void link_first(struct peers *p, struct peer *one)
{
	one->previous = NULL;
	one->next = p->first;
	if (p->first)
		p->first->previous = one;
	else
		p->last = one;
	p->first = one;
}

static void unlink_one(struct peers *p, struct peer *one)
{
	if (one->next)
		one->next->previous = one->previous;
	else
		p->last = one->previous;
	if (one->previous)
		one->previous->next = one->next;
	else
		p->first = one->next;
}

static void leave(struct peers *p, struct peer *one)
{
	p->leaving += !one->closing;
	one->closing = true;
}

void peers_shut(struct peers *p, struct peer *one)
{
	leave(p, one);
	shutdown(one->fd, SHUT_RDWR);
}

/* Returns whether the peer's request is complete, so that the peer waits for a
 * reply. */
static bool is_served(const struct peer *one)
{
	return one->x && one->x->phase >= PHASE_WAIT;
}

/* Returns the connection of that address and tenant, NULL: of any, that has
 * been silent for the longest time and may be closed; NULL: there is none. */
static struct peer *longest_silent(const struct peers *p,
                                   const struct address *a,
                                   const struct tenant *t)
{
	struct peer *one = p->last;

	while (one && (one->closing || is_served(one) ||
	               (a && one->address != a) || (t && one->tenant != t)))
		one = one->previous;
	return one;
}

/* If no connection of that address may be closed, the newest is. */
static void make_room(struct peers *p, const struct address *a)
{
	struct peer *const one = longest_silent(p, a, NULL);

	peers_shut(p, one ? one : p->first);
}

/* Returns the address that has the most connections, NULL if these are not
 * many. This host's own is never meant, as an edge on it may serve many
 * clients. */
static const struct address *crowded(const struct peers *p)
{
	const struct address *most = NULL;
	unsigned n = p->limit / MANY_PARTS;

	for (const struct peer *one = p->first; one; one = one->next)
		if (one->address && one->address->connections > n) {
			most = one->address;
			n = most->connections;
		}
	return most;
}

static void keep_limits(struct peers *p, const struct peer *newest)
{
	const struct address *a = newest->address;

	if (a && a->connections > p->limit / 2)
		make_room(p, a);
	if (p->n - p->leaving > p->limit - p->limit / FREE_PARTS)
		make_room(p, crowded(p));
}

/* A connection counts for its tenant until it is removed. */
static void disclaim(struct peer *one)
{
	if (one->tenant)
		one->tenant->connections--;
	one->tenant = NULL;
}

void peers_claim(struct peer *one, struct tenant *t)
{
	struct peers *const p = one->peers;
	struct peer *old;

	if (one->tenant == t)
		return;
	disclaim(one);
	old = t->connections >= p->limit - p->limit / 4 ?
	      longest_silent(p, NULL, t) : NULL;
	one->tenant = t;
	t->connections++;
	if (old)
		peers_shut(p, old);
}

/* Makes room in by_fd for that descriptor. */
static bool reach(struct peers *p, size_t fd)
{
	const size_t n = size_max(2 * p->fds, fd + 1);
	struct peer **larger;

	if (fd < p->fds)
		return true;
	larger = realloc(p->by_fd, n * sizeof *larger);
	if (!larger)
		return false;
	memset(larger + p->fds, 0, (n - p->fds) * sizeof *larger);
	p->by_fd = larger;
	p->fds = n;
	return true;
}

/* The client's address; all zeros if it has already left. */
static struct sockaddr_storage address_of(int fd)
{
	struct sockaddr_storage s = { .ss_family = AF_UNSPEC };
	socklen_t size = sizeof s;

	getpeername(fd, (struct sockaddr *)&s, &size);
	return s;
}

struct peer *peers_add(struct peers *p, int fd)
{
	const struct sockaddr_storage from = address_of(fd);
	struct peer *one = reach(p, (size_t)fd) ? calloc(1, sizeof *one) : NULL;

	if (!one)
		return NULL;
	one->fd = fd;
	one->peers = p;
	one->since_ns = clock_ns();
	one->address = address_take(&p->addresses, &from);
	p->by_fd[fd] = one;
	p->n++;
	link_first(p, one);
	keep_limits(p, one);
	patience_look_for_slow(p);
	return one;
}

struct peer *peers_find(const struct peers *p, int fd)
{
	return (size_t)fd < p->fds ? p->by_fd[fd] : NULL;
}

void peers_remove(struct peers *p, struct peer *one)
{
	if (!one)
		return;
	unlink_one(p, one);
	p->by_fd[one->fd] = NULL;
	p->n--;
	p->leaving -= one->closing;
	address_give(&p->addresses, one->address);
	disclaim(one);
	gate_fini(&one->gate);
	free(one->fault);
	free(one);
}

void peers_heard(struct peers *p, struct peer *one)
{
	if (p->first != one) {
		unlink_one(p, one);
		link_first(p, one);
	}
	if (!gate_in_head(&one->gate))
		one->head_ns = 0;
	else if (!one->head_ns)
		one->head_ns = clock_ns();
}

void peers_turn_away(struct peers *p, struct peer *one, struct reply *reply,
                     bool head_only)
{
	struct text message = { 0 };

	reply_print(&message, reply, head_only);
	linger_reply(&p->lingers, one->fd, &message);
	leave(p, one);
}

/* Writes the access log's line; a request that did not pass the gate has no
 * exchange. */
static void record(const struct peers *p, struct peer *one,
                   const struct reply *r, const struct err *e)
{
	struct exchange none = {
		.options = p->options, .peer = one, .method = METHOD_OTHER,
		.path = "?", .first_byte_ns = one->head_ns ? one->head_ns :
		                              clock_ns(),
	};
	struct exchange *x = one->x ? one->x : &none;

	access_problem(x, e);
	x->access.status = r->status;
	x->sent = r->head.length;
	if (!one->x && p->options->ended)
		p->options->ended(x, p->options->arg);
}

static void tell(struct peers *p, struct peer *one, const struct err *e)
{
	struct reply r = { 0 };

	reply_problem(&r, e, NULL);
	record(p, one, &r, e);
	peers_turn_away(p, one, &r, false);
	text_fini(&r.headers);
	text_fini(&r.head);
}

void peers_refuse(struct peers *p, struct peer *one, const struct err *e)
{
	if (one->closing || one->fault)
		return;
	if (one->gate.requests == one->replied) {
		tell(p, one, e);
		return;
	}
	one->fault = malloc(sizeof *e);
	if (one->fault)
		*one->fault = *e;
	else
		peers_shut(p, one);
}

void peers_replied(struct peers *p, struct peer *one)
{
	one->x = NULL;
	one->since_ns = clock_ns();
	one->reading = (struct pace){ 0 };
	one->replied++;
	peers_heard(p, one);
	if (one->fault && !one->closing &&
	    one->gate.requests == one->replied)
		tell(p, one, one->fault);
}

void peers_suspended(struct peers *p, struct exchange *x)
{
	x->suspended = true;
	x->previous = NULL;
	x->next = p->suspended;
	if (x->next)
		x->next->previous = x;
	p->suspended = x;
	patience_look_for_left(p);
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

/* Has it connected, or begun the head of a request, a moment ago? Then its
 * request comes soon, and would be lost if the connection were closed. */
static bool is_beginning(const struct peer *one, int64_t now)
{
	if (one->head_ns)
		return now - one->head_ns < BEGINNING_NS;
	return !one->replied && now - one->since_ns < BEGINNING_NS;
}

bool peers_busy(const struct peers *p)
{
	const int64_t now = clock_ns();

	for (const struct peer *one = p->first; one; one = one->next)
		if (one->x || is_beginning(one, now))
			return true;
	return lingers_sending(&p->lingers);
}

void peers_fini(struct peers *p)
{
	while (p->first)
		peers_remove(p, p->first);
	free(p->by_fd);
	lingers_fini(&p->lingers);
	if (p->loop) {
		loop_timer_clear(p->loop, &p->slow);
		loop_timer_clear(p->loop, &p->left);
	}
}
