/* client.h - a client that keeps one connection to a service on this machine,
 * and exchanges requests and whole answers on it. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include "base/err.h"
#include "base/text.h"

enum { CLIENT_SECONDS = 300 };		/* longest wait for the next byte */

struct client;

/* Connects to the service on that port. Returns NULL with *e when no service
 * listens there. The caller closes the client. */
struct client *client_open(int port, struct err *e);
void client_close(struct client *h);

/* Appends the head of a request, which has no body if type is NULL. `more`
 * holds other header lines, each with its line end, or is "". */
void client_head(struct text *t, const char *request, const char *type,
               const char *accept, const char *more, size_t length);

/* Sends head and body, and reads the answer's body into `answer`, which is
 * emptied first. A connection that the service has closed is opened again.
 * Returns the HTTP status, or -1. */
int client_ask(struct client *h, const struct text *head,
             const struct text *body, struct text *answer, struct err *e);

#endif
