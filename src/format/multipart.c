/* multipart.c - reads multipart/form-data (RFC 7578) as curl -F sends it.
 *
 *     --B CRLF header lines CRLF CRLF bytes CRLF --B ... CRLF --B--
 *
 * The search for "CRLF--B" resumes at any byte. A carriage return stands only
 * at the delimiter's beginning, so a mismatch needs no backtracking: what
 * matched so far was data, and only the present byte can begin a new match.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "format/form_part.h"
#include "format/formats.h"

enum {
	BOUNDARY_MOST = 70,		/* RFC 2046 */
	HEADER_MOST = 8 << 10,		/* bytes of one part's header */
	PARTS_MOST = 64,
};

enum where { PREAMBLE, AFTER_DELIMITER, HEADER, BODY, EPILOGUE };

struct held {
	struct form_part part;
	bool rest;			/* its reader must be finished */
	struct held *next;
};

struct multipart {
	struct reader base;
	const struct sink *sink;
	uint64_t length;		/* of the body */
	char delimiter[4 + BOUNDARY_MOST + 1];
	size_t n_delimiter;
	size_t matched;			/* bytes of the delimiter */
	size_t implied;			/* of these: assumed, not in the body */
	enum where where;
	struct text line;		/* the present line */
	size_t header_bytes;
	struct held *parts;		/* the newest, the present one, first */
	int n_parts;
};

static struct multipart *self(struct reader *base)
{
	return (struct multipart *)base;
}

/* --- the boundary */

static const char *find_boundary(const char *media)
{
	const char *p = media;

	while ((p = strchr(p, ';'))) {
		p += 1 + strspn(p + 1, " \t");
		if (strncasecmp(p, "boundary=", 9) == 0)
			return p + 9;
	}
	return NULL;
}

static int set_boundary(struct multipart *r, const char *media,
                        struct err *e)
{
	const char *p = find_boundary(media);
	size_t n = 0;

	if (p)
		n = *p == '"' ? strcspn(++p, "\"") : strcspn(p, "; \t");
	if (n < 1 || n > BOUNDARY_MOST || memchr(p, '\r', n))
		return err_set(e, ERR_REQUEST, "multipart: the media type "
		               "needs a boundary of 1 to %d characters",
		               BOUNDARY_MOST);
	r->n_delimiter = (size_t)snprintf(r->delimiter, sizeof r->delimiter,
	                                  "\r\n--%.*s", (int)n, p);
	return 0;
}

/* --- parts */

static int new_part(struct multipart *r, struct err *e)
{
	struct held *h;

	if (++r->n_parts > PARTS_MOST)
		return err_set(e, ERR_REQUEST, "multipart: more than %d parts",
		               PARTS_MOST);
	h = calloc(1, sizeof *h);
	if (!h)
		return err_set(e, ERR_MEMORY, "no memory for a part");
	h->next = r->parts;
	r->parts = h;
	r->header_bytes = 0;
	return 0;
}

static int begin_part(struct multipart *r, struct err *e)
{
	struct form_part *f = &r->parts->part;

	for (const struct held *h = r->parts->next; h; h = h->next)
		if (strcmp(h->part.name, f->name) == 0)
			return err_set(e, ERR_REQUEST, "multipart: two parts "
			               "are named \"%s\"", f->name);
	return form_part_begin(f, r->sink, r->length, e);
}

static int part_data(struct multipart *r, const char *bytes, size_t n,
                     struct err *e)
{
	if (n == 0 || r->where == PREAMBLE)
		return 0;
	return form_part_feed(&r->parts->part, bytes, n, e);
}

static int end_part(struct multipart *r, struct err *e)
{
	if (r->where == PREAMBLE)
		return 0;
	return form_part_end(&r->parts->part, &r->parts->rest, e);
}

/* --- the search: each returns where it stopped, or NULL with *e */

/* Passes the delimiter's first n bytes on as data: they matched, but turned out
 * not to begin a delimiter, and the piece that they came with is gone. */
static int unmatch(struct multipart *r, size_t n, struct err *e)
{
	return part_data(r, r->delimiter + r->implied, n - r->implied, e);
}

/* Reads the preamble or a part's bytes, up to and including the next
 * delimiter. */
static const char *scan(struct multipart *r, const char *p, const char *end,
                        struct err *e)
{
	const char *from = p;		/* data not yet passed on */

	while (p < end && r->matched < r->n_delimiter) {
		if (*p == r->delimiter[r->matched]) {
			r->matched++;
			p++;
			continue;
		}
		if (r->matched > (size_t)(p - from) &&
		    unmatch(r, r->matched - (size_t)(p - from), e) < 0)
			return NULL;
		r->matched = r->implied = 0;
		if (*p == '\r')
			continue;
		p = memchr(p, '\r', (size_t)(end - p));
		p = p ? p : end;
	}
	if (p - from > (ptrdiff_t)r->matched &&
	    part_data(r, from, (size_t)(p - from) - r->matched, e) < 0)
		return NULL;
	if (r->matched < r->n_delimiter)
		return p;
	if (end_part(r, e) < 0)
		return NULL;
	r->where = AFTER_DELIMITER;
	r->matched = r->implied = 0;
	text_clear(&r->line);
	return p;
}

/* Collects a line in r->line; *whole: its end was reached. */
static const char *gather(struct multipart *r, const char *p,
                          const char *end, bool *whole, struct err *e)
{
	const char *eol = memchr(p, '\n', (size_t)(end - p));
	size_t n = (size_t)((eol ? eol : end) - p);

	r->header_bytes += n;
	if (r->header_bytes > HEADER_MOST) {
		err_set(e, ERR_REQUEST, "multipart: a header of more than %d "
		        "bytes", HEADER_MOST);
		return NULL;
	}
	text_add(&r->line, p, n);
	if (r->line.failed) {
		err_set(e, ERR_MEMORY, "no memory for a header");
		return NULL;
	}
	*whole = eol != NULL;
	n = r->line.length;
	if (eol && n && r->line.data[n - 1] == '\r')
		r->line.data[--r->line.length] = 0;
	return eol ? eol + 1 : end;
}

static bool only_blanks(const struct text *t)
{
	return t->length == 0 ||
	       strspn(t->data, " \t") == t->length;
}

/* Takes what follows a delimiter: "--" ends the form, blanks and the line's end
 * begin a part. */
static const char *after_delimiter(struct multipart *r, const char *p,
                                   const char *end, struct err *e)
{
	const struct text *t = &r->line;
	bool whole;

	if (*p == '-' && (t->length == 0 || strcmp(t->data, "-") == 0)) {
		text_add(&r->line, p, 1);
		if (r->line.length == 2)
			r->where = EPILOGUE;
		return p + 1;
	}
	p = gather(r, p, end, &whole, e);
	if (!p || !whole)
		return p;
	if (!only_blanks(&r->line)) {
		err_set(e, ERR_REQUEST, "multipart: \"%.20s\" after a "
		        "boundary", r->line.data);
		return NULL;
	}
	text_clear(&r->line);
	r->where = HEADER;
	return new_part(r, e) < 0 ? NULL : p;
}

static const char *header(struct multipart *r, const char *p,
                          const char *end, struct err *e)
{
	bool whole;

	p = gather(r, p, end, &whole, e);
	if (!p || !whole)
		return p;
	if (r->line.length) {
		if (form_part_header(&r->parts->part, r->line.data,
		                     r->line.length, e) < 0)
			return NULL;
		text_clear(&r->line);
		return p;
	}
	r->where = BODY;
	/* The delimiter after an empty part may begin with the CRLF that ends
	 * the header. */
	r->matched = r->implied = 2;
	return begin_part(r, e) < 0 ? NULL : p;
}

static const char *epilogue(struct multipart *r, const char *p,
                            const char *end, struct err *e)
{
	(void)r, (void)p, (void)e;
	return end;
}

static int multipart_feed(struct reader *base, const void *bytes, size_t n,
                          struct err *e)
{
	static const char *(*const steps[])(struct multipart *r,
	                                    const char *p, const char *end,
	                                    struct err *e) = {
		[PREAMBLE] = scan, [AFTER_DELIMITER] = after_delimiter,
		[HEADER] = header, [BODY] = scan, [EPILOGUE] = epilogue,
	};
	struct multipart *r = self(base);
	const char *p = bytes, *end = p + n;

	while (p && p < end)
		p = steps[r->where](r, p, end, e);
	return p ? 0 : -1;
}

static int multipart_end(struct reader *base, bool *work, struct err *e)
{
	struct multipart *r = self(base);

	if (r->where != EPILOGUE)
		return err_set(e, ERR_REQUEST, "multipart: the body ends "
		               "before its last boundary");
	*work = false;
	for (const struct held *h = r->parts; h; h = h->next)
		*work |= h->rest;
	return 0;
}

static int multipart_finish(struct reader *base, struct err *e)
{
	for (struct held *h = self(base)->parts; h; h = h->next)
		if (h->rest && reader_finish(h->part.reader, e) < 0)
			return -1;
	return 0;
}

static void multipart_free(struct reader *base)
{
	struct multipart *r = self(base);

	while (r->parts) {
		struct held *h = r->parts;

		r->parts = h->next;
		form_part_fini(&h->part);
		free(h);
	}
	text_fini(&r->line);
	free(r);
}

static double multipart_cost(const struct reader *base)
{
	const struct multipart *r = (const struct multipart *)base;
	double bytes = 0;

	for (const struct held *h = r->parts; h; h = h->next)
		if (h->rest)
			bytes += reader_cost(h->part.reader);
	return bytes;
}

static const struct reader_kind multipart_kind = {
	multipart_feed, multipart_end, multipart_finish, multipart_free,
	multipart_cost,
};

struct reader *multipart_open(const struct sink *k, const char *media,
                              uint64_t length, struct err *e)
{
	struct multipart *r = calloc(1, sizeof *r);

	if (!r) {
		err_set(e, ERR_MEMORY, "no memory for a reader");
		return NULL;
	}
	r->base.kind = &multipart_kind;
	r->sink = k;
	r->length = length;
	r->matched = r->implied = 2;	/* no CRLF precedes the first one */
	if (set_boundary(r, media, e) == 0)
		return &r->base;
	multipart_free(&r->base);
	return NULL;
}
