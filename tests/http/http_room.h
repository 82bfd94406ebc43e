/* http_room.h - an HTTP server with a handler of every kind on the test's
 * thread, and a client that blocks on another. */
#ifndef TESTS_HTTP_HTTP_ROOM_H
#define TESTS_HTTP_HTTP_ROOM_H

#include <semaphore.h>

#include "http/server.h"
#include "tests/test.h"

struct http_room {
	struct loop *loop;
	struct server *server;
	int port;
	int gone, ended;		/* calls of GET /wait's hooks */
	struct exchange *waiting;	/* the one that GET /wake answers, */
	sem_t waits;			/* posted when it is there */
	char lasting[100000];		/* the body of GET /bytes, */
	int released;			/* and how often it was let go */
	sem_t released_stream;		/* posted when GET /endless is */
};
extern struct http_room http;

/* Fixtures: as it is meant to be, and one that waits 0.3 s for anything and
 * serves HTTP_FEW connections. */
enum { HTTP_FEW = 32 };
void http_setup(void);
void http_setup_hasty(void);
void http_teardown(void);

/* Runs the script on a thread of its own, the server here. */
void http_serve(void (*script)(void));

/* The client. */
#define CLOSE "Host: x\r\nConnection: close\r\n"
int http_dial(void);
void http_put(int fd, const void *bytes, size_t n);
void http_say(int fd, const char *text);

/* Reads until the other side closes, or until `enough` is in it. */
struct text http_get(int fd, const char *enough);

/* One request on a connection of its own, which the server closes. */
struct text http_ask(const char *request);

/* Sends a request for GET /wait; its connection, when the handler has it. */
int http_wait(const char *request);
bool http_starts(const struct text *t, const char *with);
void http_expect(const char *request, const char *status, const char *body);

#endif
