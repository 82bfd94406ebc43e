/* result_text.h - a job's JSON answer, made piece by piece as it leaves. */
#ifndef HTTP_RESULT_TEXT_H
#define HTTP_RESULT_TEXT_H

#include "format/writer.h"
#include "http/print_ahead.h"
#include "http/server.h"
#include "queue/engine.h"

/* head, then each output's name and values, then the failures of a stack, then
 * tail. */
struct result_text {
	struct job *job;		/* a reference */
	struct text piece;		/* goes out next, from `at` */
	size_t at;
	struct text tail;		/* what follows the result object */
	struct json_writer values;	/* of output next - 1, while writing */
	struct print_ahead *ahead;	/* or its, where it is large */
	struct exchange *x;
	struct pool *codec;
	bool writing, any, nonfinite, ended;
	int next;			/* output */
	size_t next_failure;
};

/* Takes a reference to the job. x, and the pool that prints large results
 * ahead, which may be NULL, outlive it. ERR_MEMORY. */
struct result_text *result_text_new(const struct engine *g, struct job *j,
                                    struct pool *codec, struct exchange *x,
                                    struct err *e);

/* exchange_reply_stream()'s callbacks; arg is the struct result_text. */
ssize_t result_text_more(void *arg, char *room, size_t most);
void result_text_free(void *arg);

#endif
