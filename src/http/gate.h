/* gate.h - checks the input of a connection, byte by byte, before libmicrohttpd
 * reads it (inlet.h).
 *
 *     START -> FIELDS -> BODY -----------------------------> START
 *                  |                                          ^
 *                  +---> CHUNK -> DATA -> DATA_END -> CHUNK   |
 *                          +----> TRAILER --------------------+
 *
 * libmicrohttpd 0.9.75 is lenient without saying so: it ends lines at a bare
 * LF, joins a continued line to the *name* of the header before it, skips
 * headers with a space before the colon, and sends its own refusals twice. The
 * gate checks the grammar in its strict form (hygiene.h), so that only requests
 * pass that every parser reads in the same way. It keeps no bytes but the
 * beginning of a line whose end has not arrived.
 */
#ifndef HTTP_GATE_H
#define HTTP_GATE_H

#include "base/text.h"
#include "http/hygiene.h"

enum {
	GATE_HEAD = 32 << 10,		/* bytes of a head, at most */
	GATE_CHUNK_LINE = 512,		/* of a chunk's size and extensions */
	GATE_TRAILERS = 8 << 10,
};

enum gate_state {
	GATE_START, GATE_FIELDS, GATE_BODY, GATE_CHUNK, GATE_DATA,
	GATE_DATA_END, GATE_TRAILER,
	GATE_CLOSED,		/* after the last request: drops all input */
};

/* { 0 } for a new connection. */
struct gate {
	enum gate_state state;
	uint64_t left;			/* bytes left of a body or a chunk */
	size_t bytes;			/* so far of head, line or trailers */
	struct text line;		/* beginning of an incomplete line */
	struct hygiene head;
	unsigned heads, requests;	/* that passed completely */
};

/* Takes the next n bytes. Returns how many of them may be passed on: all, or,
 * if *e is set, those of the complete requests before the refused one. */
size_t gate_feed(struct gate *g, const char *bytes, size_t n, struct err *e);

/* Has a head begun whose end has not arrived? */
bool gate_in_head(const struct gate *g);
void gate_fini(struct gate *g);

#endif
