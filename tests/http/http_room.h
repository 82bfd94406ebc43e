/* http_room.h - an HTTP server on the test's thread, with a handler of every
 * kind, and a blocking client on another thread. */
#ifndef TESTS_HTTP_HTTP_ROOM_H
#define TESTS_HTTP_HTTP_ROOM_H

#include <semaphore.h>

#include "http/server.h"
#include "tests/test.h"

struct http_room {
	struct loop *loop;
	struct memory_pool *memory;
	struct server *server;
	int port;
	int gone, ended;		/* calls of GET /wait's hooks */
	struct exchange *waiting;	/* GET /wait, until GET /wake */
	sem_t waits;			/* posted when that has come */
	char lasting[100000];		/* the body of GET /bytes */
	int released;			/* how often that was released */
	sem_t released_stream;		/* posted when GET /endless is */
};
extern struct http_room http;

/* Fixtures: a server with the usual settings, and one that waits at most 0.3 s
 * for anything and serves HTTP_FEW connections. */
enum { HTTP_FEW = 32 };
void http_setup(void);
void http_setup_hasty(void);
void http_teardown(void);

/* Runs the script on a thread of its own, and the server on this one. */
void http_serve(void (*script)(void));

/* The client. */
#define CLOSE "Host: x\r\nConnection: close\r\n"
int http_dial(void);
void http_put(int fd, const void *bytes, size_t n);
void http_say(int fd, const char *text);

/* Reads until the other side closes, or until the text contains `enough`. */
struct text http_get(int fd, const char *enough);

/* Makes one request on a connection of its own, which the server closes. */
struct text http_ask(const char *request);

/* Sends a request for GET /wait; returns its connection when the handler has
 * it. */
int http_wait(const char *request);
bool http_starts(const struct text *t, const char *with);
void http_expect(const char *request, const char *status, const char *body);

#endif
