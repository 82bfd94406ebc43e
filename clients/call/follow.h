/* follow.h - shows the progress of a request in a line on the terminal, while
 * the request is sent and while its job waits and runs. */
#ifndef CLIENTS_CALL_FOLLOW_H
#define CLIENTS_CALL_FOLLOW_H

#include "clients/call/http.h"

struct bar {
	int64_t since_ns;		/* clock_ns() at bar_begin() */
	char stage[24];			/* the stage that is shown */
	double fraction;
	bool drawn;
	struct text line;		/* the last line of the events, as far
					 * as it has arrived */
};

struct bar bar_begin(void);

/* Draws "stage [#####     ] 50%", unless bar_begin() was only just called. */
void bar_draw(struct bar *b, const char *stage, double fraction);

/* For struct http_request: the callback progress(), whose `bar` is a struct
 * bar. */
void bar_progress(void *bar, uint64_t sent, uint64_t all);

/* Erases the line from the terminal. */
void bar_end(struct bar *b);

/* Receives the job's events, and draws its progress, until the job has
 * ended. */
enum http_end follow(struct http *h, const char *job, struct bar *b,
                     struct http_reply *r);

#endif
