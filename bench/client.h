/* client.h - a client with one kept connection to a service on this
 * machine: a request, and the whole answer. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include "base/err.h"
#include "base/text.h"

enum { CLIENT_SECONDS = 300 };		/* of silence that are waited for */

struct client;

/* NULL with *e when nobody listens there. */
struct client *client_open(int port, struct err *e);
void client_close(struct client *h);

/* What goes before a request's body; type NULL: it has none. `more` is other
 * header lines, each with its end, or "". */
void client_head(struct text *t, const char *request, const char *type,
               const char *accept, const char *more, size_t length);

/* Sends head and body, reads the answer's body into `answer`, which is
 * emptied first: its status, or -1. */
int client_ask(struct client *h, const struct text *head,
             const struct text *body, struct text *answer, struct err *e);

#endif
