/* files.c - GET /, GET /docs and GET /page/{folder}/{file}: the page for
 * browsers. Its files are those of src/page, embedded by the Makefile.
 *
 * The files need no token: the page asks its user for a token and sends it with
 * its requests to the service. A browser caches the files and revalidates them
 * with If-None-Match, so that a new version of the service never meets an old
 * page. */
#include <string.h>

#include "base/process.h"
#include "base/size.h"
#include "http/accept.h"
#include "http/dates.h"
#include "http/etag.h"
#include "http/service.h"

struct file {
	const char *path;
	const char *etag;		/* with its quotes */
	const char *bytes;
	size_t n;
};

static const struct file files[] = {
#include "page.inc"
};

struct kind {
	const char *suffix, *media_type, *content_type;
};

static const struct kind kinds[] = {
	{ ".html", "text/html", "text/html; charset=utf-8" },
	{ ".js", "text/javascript", "text/javascript; charset=utf-8" },
	{ ".css", "text/css", "text/css; charset=utf-8" },
	{ ".svg", "image/svg+xml", "image/svg+xml" },
	{ ".json", "application/json", "application/json" },
};

/* The Content-Security-Policy lets the page use only the scripts and styles of
 * this service, and send requests only to this service. */
static const char *const headers[][2] = {
	{ "Content-Security-Policy", "default-src 'self'; object-src 'none'; "
	  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cache-Control", "no-cache" },
	{ "Vary", "Accept" },
};

static const struct file *find(const char *path, struct err *e)
{
	for (size_t i = 0; i < COUNT(files); i++)
		if (strcmp(files[i].path, path) == 0)
			return &files[i];
	err_set(e, ERR_NOT_FOUND, "the page has no file %.100s", path);
	return NULL;
}

static const struct kind *kind_of(const struct file *f)
{
	const char *suffix = strrchr(f->path, '.');
	const struct kind *k = kinds;

	while (strcmp(k->suffix, suffix) != 0)
		k++;
	return k;
}

/* Returns the time from which on this service has served the files, which are
 * part of the program, whatever their own age, in milliseconds since 1970. */
static int64_t served_since_ms(void)
{
	return (int64_t)(process_start_seconds() * 1000);
}

/* Is f the version that the client has? (RFC 9110, sections 13.1.2, 13.1.3) */
static bool is_known(const struct exchange *x, const struct file *f)
{
	const char *tags = exchange_header(x, "If-None-Match");

	if (!tags)
		return date_unchanged(x, "If-Modified-Since",
		                      served_since_ms(), NULL);
	return etag_is_in(tags, f->etag, false, true);
}

/* The reply's release function: the files are part of the program. */
static void keep(void *arg)
{
	(void)arg;
}

/* Replies with the file, or with 304 if the client has its current version. */
static int send_file(struct exchange *x, const char *path, struct err *e)
{
	const struct file *f = find(path, e);
	const struct kind *k = f ? kind_of(f) : NULL;

	if (!f || exchange_query(x, refuse_argument, NULL, e))
		return -1;
	if (accept_quality(exchange_accept(x), k->media_type) == 0)
		return err_set(e, ERR_ACCEPT, "%.100s is %s",
		               exchange_path(x), k->media_type);
	for (size_t i = 0; i < COUNT(headers); i++)
		exchange_reply_header(x, headers[i][0], headers[i][1]);
	exchange_reply_header(x, "ETag", f->etag);
	date_reply(x, served_since_ms());
	if (!is_known(x, f)) {
		exchange_reply_bytes(x, 200, k->content_type, NULL, f->bytes,
		                     f->n, keep, NULL);
		return 0;
	}
	exchange_reply_unchanged(x, k->content_type, f->bytes, f->n, f->n);
	return 0;
}

/* The route's argument is the file's path below src/page; if it is NULL, the
 * last two segments of the request's path are. */
static int send(struct exchange *x, void *state, struct err *e)
{
	const char *path = exchange_route(x)->arg;
	struct text t = { 0 };
	int r;

	(void)state;
	if (path)
		return send_file(x, path, e);
	text_printf(&t, "%s/%s", exchange_segment(x, 0),
	            exchange_segment(x, 1));
	r = t.failed ? err_set(e, ERR_MEMORY, "no memory for a path") :
	    send_file(x, t.data, e);
	text_fini(&t);
	return r;
}

const struct handler file_handler = { .done = send };
