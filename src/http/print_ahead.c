/* print_ahead.c - see print_ahead.h.
 *
 *     ring:  | leaving | printed | printing | waiting |      next ->
 *              first                                  n pieces
 *
 * A piece belongs to the pool from pool_submit() to its done(). If the whole is
 * freed meanwhile, the last done() frees it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "format/writer.h"
#include "http/print_ahead.h"
#include "http/handler.h"

enum {
	PIECE = 8192,			/* elements of a piece */
	PIECE_NS = 200000,		/* time to print a piece */
	PIECES = 4,
	STEP = 16 << 10,		/* bytes that its text grows by */
};

struct piece {
	struct print_ahead *whole;
	struct json_writer writer;
	struct text text;
	struct task task;
	bool printing;			/* submitted to the pool */
};

struct print_ahead {
	struct matrix m;		/* a reference */
	size_t elements, next;		/* all; first not given to the pool */
	struct pool *pool;
	void (*ready)(void *arg);
	void *arg;
	struct piece ring[PIECES];
	int first, n;
	size_t at;			/* bytes of the first piece sent */
	bool wanted, nonfinite, freed;
};

/* Prints a piece, on a pool thread. */
static void print(void *arg)
{
	struct piece *p = arg;
	size_t n = 1;

	while (n > 0 && !p->text.failed) {
		char *room = text_reserve(&p->text, STEP);

		n = room ? json_writer_more(&p->writer, room, STEP) : 0;
		if (room)
			text_grew(&p->text, n);
	}
}

static void let_go(struct print_ahead *a)
{
	for (int i = 0; i < PIECES; i++)
		if (a->ring[i].printing)
			return;
	for (int i = 0; i < PIECES; i++)
		text_fini(&a->ring[i].text);
	matrix_fini(&a->m);
	free(a);
}

static void printed(void *arg)
{
	struct piece *p = arg;
	struct print_ahead *a = p->whole;

	p->printing = false;
	if (a->freed) {
		let_go(a);
	} else if (a->wanted && p == &a->ring[a->first]) {
		a->wanted = false;
		a->ready(a->arg);
	}
}

static void fill(struct print_ahead *a)
{
	for (; a->n < PIECES && a->next < a->elements; a->n++) {
		struct piece *p = &a->ring[(a->first + a->n) % PIECES];

		p->whole = a;
		p->printing = true;
		text_clear(&p->text);
		json_writer_range(&p->writer, &a->m, a->next, a->next + PIECE);
		a->next += PIECE;
		pool_submit(a->pool, &p->task, PIECE_NS, print, printed, p);
	}
}

struct print_ahead *print_ahead_new(const struct matrix *m, struct pool *p,
                                    void (*ready)(void *arg), void *arg)
{
	struct print_ahead *a = calloc(1, sizeof *a);

	if (!a)
		return NULL;
	a->m = matrix_ref(m);
	a->elements = matrix_elements(m);
	a->pool = p;
	a->ready = ready;
	a->arg = arg;
	fill(a);
	return a;
}

static void pass_on(struct print_ahead *a)
{
	a->nonfinite |= a->ring[a->first].writer.nonfinite;
	a->first = (a->first + 1) % PIECES;
	a->n--;
	a->at = 0;
	fill(a);
}

ssize_t print_ahead_more(struct print_ahead *a, char *room, size_t most)
{
	size_t used = 0;

	while (used < most && a->n && !a->ring[a->first].printing) {
		const struct text *t = &a->ring[a->first].text;
		const size_t n = size_min(most - used, t->length - a->at);

		if (t->failed)
			return -1;
		memcpy(room + used, t->data + a->at, n);
		used += n;
		a->at += n;
		if (a->at == t->length)
			pass_on(a);
	}
	if (used || !a->n)
		return (ssize_t)used;
	a->wanted = true;
	return STREAM_LATER;
}

bool print_ahead_nonfinite(const struct print_ahead *a)
{
	return a->nonfinite;
}

void print_ahead_free(struct print_ahead *a)
{
	if (!a)
		return;
	a->freed = true;
	for (int i = 0; i < PIECES; i++)
		if (a->ring[i].printing)
			pool_cancel(&a->ring[i].task);
	let_go(a);
}
