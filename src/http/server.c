/* server.c - libmicrohttpd (0.9.75 and later) on the front's loop.
 *
 * libmicrohttpd has no thread: the loop polls its epoll descriptor and calls
 * MHD_run(). Its own epoll loop would wait again, without a limit, after a
 * batch of exactly 128 events and before serving them; MHD_run() never waits.
 * Its sockets are edge-triggered, so before every poll() it is run until
 * MHD_get_timeout() reports that nothing is pending.
 *
 * A connection's pool holds what is read of a request; a handler gets pieces of
 * a body that are as large as half of the pool. The pool is zeroed after every
 * request on a kept connection, and stays resident. The front's measured CPU
 * time depends on the size of the pool as follows:
 *
 *     pool                        32 KiB   64 KiB   256 KiB   1 MiB
 *     8 MiB in and 4 MiB out      4.2 ms   3.8 ms    3.4 ms   3.5 ms
 *     a product of 64 x 64        53 us    55 us     64 us    110 us
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <poll.h>
#include <microhttpd.h>

#include "http/encode.h"
#include "http/exchange.h"
#include "http/inlet.h"
#include "http/listen.h"
#include "http/listeners.h"
#include "http/peers.h"
#include "http/response.h"

enum {
	POOL_BYTES = 64 << 10,
	POOL_INCREMENT = 16 << 10,
	TIMEOUT_S = 75,		/* without a byte, in or out */
	RUNS = 8,		/* calls of MHD_run() in a turn of the loop */
};

struct server {
	struct server_options options;
	struct MHD_Daemon *daemon;
	struct peers peers;
	int socket, epoll, port;
	struct listeners others;	/* further listening sockets */
	bool resumed;		/* not reported by MHD_get_timeout() */
	bool leaving;
};

void server_suspend(struct exchange *x)
{
	MHD_suspend_connection(x->connection);
	peers_suspended(&x->server->peers, x);
}

static enum MHD_Result send_reply(struct exchange *x)
{
	struct MHD_Response *m;
	enum MHD_Result queued;

	x->reply.close = x->server->leaving;
	encode_reply(x);
	m = response_make(x);
	if (!m)
		return MHD_NO;
	queued = MHD_queue_response(x->connection,
	                            (unsigned)x->reply.status, m);
	MHD_destroy_response(m);
	x->phase = PHASE_REPLY;
	return queued;
}

struct headers {
	struct exchange *x;
	struct err fault;
};

static enum MHD_Result read_header(void *arg, enum MHD_ValueKind kind,
                                   const char *name, size_t name_length,
                                   const char *value, size_t value_length)
{
	struct headers *h = arg;

	(void)kind;
	value_length = exchange_cut_blanks((char *)value, value_length);
	return exchange_take_header(h->x, name, name_length,
	                            value ? value : "", value_length,
	                            &h->fault) ? MHD_NO : MHD_YES;
}

static void on_headers(struct exchange *x, const char *method,
                       const char *version)
{
	struct headers h = { .x = x };

	if (x->peer->gate.heads == x->peer->replied)
		err_set(&h.fault, ERR_INTERNAL, "a request came past the gate");
	x->framing.http_1_0 = strcmp(version, "HTTP/1.0") == 0;
	MHD_get_connection_values_n(x->connection, MHD_HEADER_KIND,
	                            read_header, &h);
	hygiene_end(&x->framing, &h.fault);
	x->method = method_find(method);
	exchange_headers(x, &h.fault);
}

/* Cuts the connection. A staged reply is sent first if it has no bytes that are
 * not its own (reply_print()). */
static enum MHD_Result cut(struct exchange *x)
{
	if (!x->reply.status || x->reply.bytes || x->reply.more)
		return MHD_NO;
	x->access.status = x->reply.status;
	x->sent = x->reply.head.length;
	peers_turn_away(&x->server->peers, x->peer, &x->reply,
	                x->method == HEAD);
	return MHD_NO;
}

static void resume(void *arg)
{
	server_resume(arg);
}

/* Suspends the connection until a later turn, so that the loop serves other
 * connections; libmicrohttpd keeps the bytes that were not taken. */
static void wait_a_turn(struct exchange *x)
{
	server_suspend(x);
	loop_timer_set(x->server->peers.loop, &x->intake.again,
	               exchange_again_ns(x), resume, x);
}

static enum MHD_Result on_end_of_body(struct exchange *x)
{
	exchange_complete(x);
	if (x->phase == PHASE_CUT)
		return MHD_NO;
	if (x->reply.status)
		return send_reply(x);
	if (x->phase == PHASE_BODY)
		wait_a_turn(x);
	else
		server_suspend(x);
	return MHD_YES;
}

/* libmicrohttpd calls this with the headers, with every piece of the body, once
 * more at the body's end, and again after the connection was resumed. */
static enum MHD_Result on_access(void *arg, struct MHD_Connection *c,
                                 const char *url, const char *method,
                                 const char *version, const char *bytes,
                                 size_t *n, void **state)
{
	struct exchange *x = *state;

	(void)arg;
	(void)c;
	(void)url;
	if (!x)
		return MHD_NO;
	if (x->phase == PHASE_HEADERS) {
		on_headers(x, method, version);
		return x->phase == PHASE_CUT ? cut(x) : MHD_YES;
	}
	if (*n == 0)
		return on_end_of_body(x);
	*n -= exchange_bytes(x, bytes, *n);
	if (x->phase == PHASE_CUT)
		return cut(x);
	if (*n)
		wait_a_turn(x);
	return MHD_YES;
}

/* libmicrohttpd calls this when the request line was read; the result becomes
 * the connection's state. */
static void *on_target(void *arg, const char *target, struct MHD_Connection *c)
{
	struct server *s = arg;
	const union MHD_ConnectionInfo *i =
		MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct peer *peer = i ? i->socket_context : NULL;
	struct exchange *x = peer ? exchange_new(s, &s->options,
	                                         strdup(target)) : NULL;

	if (!x)
		return NULL;
	x->connection = c;
	x->peer = peer;
	peer->x = x;
	return x;
}

static void on_completed(void *arg, struct MHD_Connection *c, void **state,
                         enum MHD_RequestTerminationCode how)
{
	struct exchange *x = *state;

	(void)arg;
	(void)c;
	if (!x)
		return;
	*state = NULL;
	x->aborted = how != MHD_REQUEST_TERMINATED_COMPLETED_OK &&
	             !x->access.status;
	if (x->phase != PHASE_REPLY && x->phase != PHASE_CUT)
		exchange_lost(x);
	loop_timer_clear(x->server->peers.loop, &x->intake.again);
	peers_replied(&x->server->peers, x->peer);
	exchange_free(x);
}

static void on_connection(void *arg, struct MHD_Connection *c, void **peer,
                          enum MHD_ConnectionNotificationCode what)
{
	struct server *s = arg;
	const union MHD_ConnectionInfo *i;

	if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
		peers_remove(&s->peers, *peer);
		*peer = NULL;
		s->resumed = true;	/* at its limit it does not accept */
		return;
	}
	i = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
	*peer = i ? peers_add(&s->peers, i->connect_fd) : NULL;
}

const char *server_header(const struct exchange *x, const char *name)
{
	return MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND,
	                                   name);
}

void server_resume(struct exchange *x)
{
	if (!x->suspended)
		return;
	peers_resumed(&x->server->peers, x);
	MHD_resume_connection(x->connection);
	x->server->resumed = true;
}

static void run(void *daemon)
{
	MHD_run(daemon);
}

static void serve(struct server *s)
{
	inlet_run(&s->peers, run, s->daemon);
}

static void on_ready(void *arg, short revents)
{
	(void)revents;
	serve(arg);
}

static int64_t before_poll(void *arg)
{
	struct server *s = arg;
	MHD_UNSIGNED_LONG_LONG ms;

	if (!s->daemon)
		return INT64_MAX;
	for (int i = 0; i < RUNS; i++) {
		if (!s->resumed) {
			if (MHD_get_timeout(s->daemon, &ms) != MHD_YES)
				return INT64_MAX;
			if (ms)
				return (int64_t)ms * 1000000;
		}
		s->resumed = false;
		serve(s);
	}
	return 0;
}

static int start(struct server *s, struct err *e)
{
	const union MHD_DaemonInfo *i;

	s->daemon = MHD_start_daemon(
	    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
	    on_access, s,
	    MHD_OPTION_LISTEN_SOCKET, s->socket,
	    MHD_OPTION_NOTIFY_COMPLETED, on_completed, s,
	    MHD_OPTION_NOTIFY_CONNECTION, on_connection, s,
	    MHD_OPTION_URI_LOG_CALLBACK, on_target, s,
	    MHD_OPTION_CONNECTION_LIMIT, s->peers.limit,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT_S,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES,
	    MHD_OPTION_CONNECTION_MEMORY_INCREMENT, (size_t)POOL_INCREMENT,
	    MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	    MHD_OPTION_END);
	if (!s->daemon)
		return err_set(e, ERR_INTERNAL, "libmicrohttpd: %s",
		               strerror(errno));
	i = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	s->epoll = i ? i->epoll_fd : -1;
	if (loop_watch(s->peers.loop, s->epoll, POLLIN, on_ready, s, e))
		return -1;
	return loop_prepare(s->peers.loop, before_poll, s, e);
}

/* If an added connection's bytes have arrived already, libmicrohttpd's epoll
 * descriptor does not report them; `resumed` lets libmicrohttpd run anyway. */
static void add_connection(void *arg, int fd, const struct sockaddr *from,
                           socklen_t length)
{
	struct server *s = arg;

	MHD_add_connection(s->daemon, fd, from, length);
	s->resumed = true;
}

/* Opens the listening sockets of a list of addresses: libmicrohttpd accepts
 * from the first one, struct listeners from the others. */
static int open_all(struct server *s, const char *places, struct err *e)
{
	const size_t n = strcspn(places, ",");
	char first[256];

	snprintf(first, sizeof first, "%.*s", (int)n, places);
	s->socket = listen_open(first, e);
	if (s->socket < 0)
		return -1;
	s->port = listen_port(s->socket);
	return start(s, e) ? -1 : listeners_open(&s->others, places + n +
	                                         (places[n] == ','), e);
}

struct server *server_new(struct loop *l, const struct server_options *o,
                          struct err *e)
{
	struct server *s = calloc(1, sizeof *s);

	if (!s) {
		err_set(e, ERR_MEMORY, "no memory for the HTTP server");
		return NULL;
	}
	s->options = *o;
	peers_init(&s->peers, l, &s->options);
	s->others = (struct listeners){ .loop = l, .add = add_connection,
	                                .arg = s };
	s->epoll = s->socket = s->port = -1;
	if (open_all(s, o->listen, e) == 0)
		return s;
	server_free(s);
	return NULL;
}

int server_port(const struct server *s)
{
	return s->port;
}

bool server_busy(const struct server *s)
{
	return peers_busy(&s->peers);
}

void server_leave(struct server *s)
{
	s->leaving = true;
}

void server_quiesce(struct server *s)
{
	if (s->socket < 0)
		return;
	MHD_quiesce_daemon(s->daemon);
	close(s->socket);
	s->socket = -1;
	listeners_close(&s->others);
}

/* Resumes all connections, because libmicrohttpd aborts when it is stopped with
 * suspended ones. It handles the resumed ones itself before it closes all; to
 * run it here could call a handler that suspends a connection again. */
void server_free(struct server *s)
{
	if (!s)
		return;
	if (s->epoll >= 0)
		loop_unwatch(s->peers.loop, s->epoll);
	if (s->daemon) {
		server_quiesce(s);
		while (s->peers.suspended)
			exchange_lost(s->peers.suspended);
		MHD_stop_daemon(s->daemon);
	}
	if (s->socket >= 0)
		close(s->socket);
	peers_fini(&s->peers);
	free(s);
}
