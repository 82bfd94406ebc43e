/* gate.c - see gate.h. */
#include <string.h>
#include <sys/types.h>

#include "base/size.h"
#include "http/gate.h"

enum { CHUNK_DIGITS = 15 };		/* hexadecimal: below 2^60 */

/* Resets the gate for the next request. */
static void end_request(struct gate *g)
{
	g->state = g->head.closes ? GATE_CLOSED : GATE_START;
	g->bytes = 0;
	g->requests++;
}

static void begin_chunk(struct gate *g)
{
	g->state = GATE_CHUNK;
	g->bytes = 0;
}

static int end_head(struct gate *g, struct err *e)
{
	if (hygiene_end(&g->head, e))
		return -1;
	g->heads++;
	g->left = g->head.length;
	if (g->head.chunked)
		begin_chunk(g);
	else if (g->left)
		g->state = GATE_BODY;
	else
		end_request(g);
	return 0;
}

/* Takes the first line. One empty line before it is ignored (RFC 9112, 2.2). */
static int start_line(struct gate *g, const char *line, size_t n,
                      struct err *e)
{
	if (n == 0 && g->bytes > 2)
		return err_set(e, ERR_REQUEST, "empty lines before a request");
	if (n == 0)
		return 0;
	g->head = (struct hygiene){ 0 };
	g->state = GATE_FIELDS;
	return hygiene_request_line(&g->head, line, n, e);
}

static int field_line(struct gate *g, const char *line, size_t n,
                      struct err *e)
{
	return n ? hygiene_field_line(&g->head, line, n, e) : end_head(g, e);
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 :
	       c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Checks "1a" or "1a;name=value" as far as it has arrived. libmicrohttpd checks
 * such lines before their end, too, and would reply by itself. */
static int chunk_part(struct gate *g, const char *line, size_t n,
                      struct err *e)
{
	size_t i;

	g->left = 0;
	for (i = 0; i < n && hex(line[i]) >= 0; i++) {
		if (i == CHUNK_DIGITS)
			return err_set(e, ERR_TOO_LARGE, "a chunk's size has "
			               "more than %d digits", CHUNK_DIGITS);
		g->left = g->left << 4 | (uint64_t)hex(line[i]);
	}
	if (i < n && (i == 0 || (line[i] != ';' && line[i] != '\r')))
		return err_set(e, ERR_REQUEST, "a chunk's size is %.*s, must "
		               "be hexadecimal digits",
		               (int)size_min(n, 20), line);
	return 0;
}

static int chunk_line(struct gate *g, const char *line, size_t n,
                      struct err *e)
{
	if (n == 0)
		return err_set(e, ERR_REQUEST, "a chunk without a size");
	if (chunk_part(g, line, n, e))
		return -1;
	for (size_t i = 0; i < n; i++)
		if ((line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
			return err_set(e, ERR_REQUEST, "a chunk's extension "
			               "has control characters");
	g->bytes = 0;
	g->state = g->left ? GATE_DATA : GATE_TRAILER;
	return 0;
}

static int data_end_part(struct gate *g, const char *line, size_t n,
                         struct err *e)
{
	(void)g;
	if (n == 1 && line[0] == '\r')
		return 0;
	return err_set(e, ERR_REQUEST, "a chunk has more bytes than its size "
	               "says");
}

static int data_end_line(struct gate *g, const char *line, size_t n,
                         struct err *e)
{
	if (n)
		return data_end_part(g, line, n, e);
	begin_chunk(g);
	return 0;
}

static int trailer_line(struct gate *g, const char *line, size_t n,
                        struct err *e)
{
	if (n)
		return hygiene_trailer_line(line, n, e);
	end_request(g);
	return 0;
}

/* The input of each state. A state with `line` takes a line, and all lines of
 * that kind together may have a limited number of bytes; `part`, if not NULL,
 * checks the beginning of an incomplete line. A state without `line` takes the
 * bytes that are left. */
static const struct {
	int (*line)(struct gate *g, const char *line, size_t n,
	            struct err *e);
	int (*part)(struct gate *g, const char *line, size_t n,
	            struct err *e);
	size_t most;
	enum err_code beyond;
	const char *what;
} states[] = {
	[GATE_START] = { start_line, NULL, GATE_HEAD, ERR_TARGET,
	                 "the request line" },
	[GATE_FIELDS] = { field_line, NULL, GATE_HEAD, ERR_HEAD,
	                  "the request's head" },
	[GATE_CHUNK] = { chunk_line, chunk_part, GATE_CHUNK_LINE, ERR_REQUEST,
	                 "the line of a chunk's size" },
	[GATE_DATA_END] = { data_end_line, data_end_part, 2, ERR_REQUEST,
	                    "the end of a chunk" },
	[GATE_TRAILER] = { trailer_line, NULL, GATE_TRAILERS, ERR_HEAD,
	                   "the trailer" },
	[GATE_CLOSED] = { 0 },
};

static size_t skip(struct gate *g, size_t n)
{
	const size_t took = g->left < n ? (size_t)g->left : n;

	g->left -= took;
	if (g->left)
		return took;
	if (g->state == GATE_BODY) {
		end_request(g);
	} else {
		g->state = GATE_DATA_END;
		g->bytes = 0;
	}
	return took;
}

/* Checks a line of n bytes, including its LF if that has arrived. */
static int judge(struct gate *g, const char *line, size_t n, bool whole,
                 struct err *e)
{
	if (!whole)
		return states[g->state].part ?
		       states[g->state].part(g, line, n, e) : 0;
	if (n < 2 || line[n - 2] != '\r')
		return err_set(e, ERR_REQUEST, "a line ends with LF alone, "
		               "must end with CR LF");
	return states[g->state].line(g, line, n - 2, e);
}

/* Takes bytes up to the end of the line, which may arrive in pieces. */
static ssize_t take_line(struct gate *g, const char *bytes, size_t n,
                         struct err *e)
{
	const char *lf = memchr(bytes, '\n', n);
	const size_t took = lf ? (size_t)(lf - bytes) + 1 : n;
	int rc;

	g->bytes += took;
	if (g->bytes > states[g->state].most)
		return err_set(e, states[g->state].beyond,
		               "%s has more than %zu bytes",
		               states[g->state].what, states[g->state].most);
	if (lf && !g->line.length)
		return judge(g, bytes, took, true, e) ? -1 : (ssize_t)took;
	text_add(&g->line, bytes, took);
	if (g->line.failed)
		return err_set(e, ERR_MEMORY, "no memory for a request's head");
	rc = judge(g, g->line.data, g->line.length, lf, e);
	if (lf)
		text_fini(&g->line);
	return rc ? -1 : (ssize_t)took;
}

size_t gate_feed(struct gate *g, const char *bytes, size_t n, struct err *e)
{
	size_t at = 0, whole = 0;

	while (at < n && g->state != GATE_CLOSED) {
		const unsigned before = g->requests;
		const ssize_t took = states[g->state].line ?
		    take_line(g, bytes + at, n - at, e) :
		    (ssize_t)skip(g, n - at);

		if (took < 0)
			return whole;
		at += (size_t)took;
		if (g->requests != before)
			whole = at;
	}
	return at;
}

bool gate_in_head(const struct gate *g)
{
	return g->state == GATE_FIELDS ||
	       (g->state == GATE_START && g->bytes);
}

void gate_fini(struct gate *g)
{
	text_fini(&g->line);
}
