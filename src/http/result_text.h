/* result_text.h - prints a job's result as JSON, piece by piece as it is
 * sent. */
#ifndef HTTP_RESULT_TEXT_H
#define HTTP_RESULT_TEXT_H

#include "format/writer.h"
#include "http/handler.h"
#include "http/print_ahead.h"
#include "queue/engine.h"

/* The text is: a head, each output's name and values, the failures of a stack,
 * a tail. */
struct result_text {
	struct job *job;		/* a reference */
	struct text piece;		/* to be sent next, from `at` on */
	size_t at;
	struct text tail;		/* what follows the result object */
	struct json_writer values;	/* of output next - 1, while writing */
	struct print_ahead *ahead;	/* used instead for a large output */
	struct exchange *x;
	struct pool *codec;
	bool writing, any, nonfinite, ended;
	int next;			/* index of the next output */
	size_t next_failure;
};

/* Keeps a reference to the job. x and the pool, which prints large results
 * ahead and may be NULL, must outlive it. NULL with ERR_MEMORY. */
struct result_text *result_text_new(const struct engine *g, struct job *j,
                                    struct pool *codec, struct exchange *x,
                                    struct err *e);

/* exchange_reply_stream()'s callbacks; arg is the struct result_text. */
ssize_t result_text_more(void *arg, char *room, size_t most);
void result_text_free(void *arg);

#endif
