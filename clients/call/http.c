/* http.c - see http.h. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/size.h"
#include "clients/call/http.h"

#define UNIX "unix:"

static volatile sig_atomic_t heard;
static bool heed = true;

static void on_signal(int number)
{
	heard = number;
}

void http_hear_signals(void)
{
	const struct sigaction a = { .sa_handler = on_signal,
	                             .sa_flags = SA_RESTART };

	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

int http_heard(void)
{
	return heard;
}

void http_hear_again(void)
{
	heed = false;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

/* --- opening */

static int add_header(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (!longer)
		return -1;
	*list = longer;
	return 0;
}

static int set_token(struct http *h, const char *token)
{
	struct text t = { 0 };
	int rc;

	text_printf(&t, "Authorization: Bearer %s", token);
	rc = t.failed ? -1 : add_header(&h->headers, t.data);
	text_fini(&t);
	return rc;
}

int http_open(struct http *h, const char *url, const char *token)
{
	const size_t n = strlen(UNIX);

	*h = (struct http){ .url = url };
	if (curl_global_init(CURL_GLOBAL_DEFAULT))
		return -1;
	h->curl = curl_easy_init();
	if (!h->curl || (token && set_token(h, token)))
		return -1;
	if (strncmp(url, UNIX, n))
		return 0;
	h->url = "http://localhost";
	return curl_easy_setopt(h->curl, CURLOPT_UNIX_SOCKET_PATH,
	                        url + n) ? -1 : 0;
}

void http_close(struct http *h)
{
	curl_slist_free_all(h->headers);
	if (h->curl)
		curl_easy_cleanup(h->curl);
	*h = (struct http){ 0 };
}

/* --- one request */

struct exchange {
	struct http *http;
	const struct http_request *request;
	struct http_reply *reply;
	bool unwritten;
	int64_t stop_ns;		/* when it is stopped; 0: no signal */
};

static size_t on_body(char *bytes, size_t one, size_t n, void *arg)
{
	struct exchange *x = arg;
	long status = 0;

	(void)one;
	curl_easy_getinfo(x->http->curl, CURLINFO_RESPONSE_CODE, &status);
	if (!x->request->sink || status != 200) {
		text_add(&x->reply->body, bytes, n);
		return x->reply->body.failed ? 0 : n;
	}
	if (x->request->sink(x->request->arg, bytes, n))
		return n;
	x->unwritten = true;
	return 0;
}

/* Time for the reply to an asynchronous request that the service has as a whole
 * when a signal comes: the job may run already, and only the reply names it. */
#define REPLY_NS INT64_C(2000000000)

static bool is_stopped(struct exchange *x, bool all_sent)
{
	if (!heed || !heard)
		return false;
	if (x->stop_ns == 0)
		x->stop_ns = clock_ns() + (x->request->asynchronous &&
		                           all_sent ? REPLY_NS : 0);
	return clock_ns() >= x->stop_ns;
}

static int on_progress(void *arg, curl_off_t total, curl_off_t now,
                       curl_off_t to_send, curl_off_t sent)
{
	struct exchange *x = arg;

	(void)total;
	(void)now;
	if (x->request->progress)
		x->request->progress(x->request->bar, (uint64_t)sent,
		                     (uint64_t)to_send);
	return is_stopped(x, to_send > 0 && sent == to_send);
}

/* If the line is the header of that name, copies its value to `to`. */
static void take_header(const char *line, size_t n, const char *name,
                        char *to, size_t room)
{
	const size_t k = strlen(name);

	if (n <= k || strncasecmp(line, name, k) || line[k] != ':')
		return;
	for (line += k + 1, n -= k + 1; n && *line == ' '; line++)
		n--;
	while (n && (line[n - 1] == '\r' || line[n - 1] == '\n'))
		n--;
	snprintf(to, room, "%.*s", (int)n, line);
}

static size_t on_header(char *line, size_t one, size_t n, void *arg)
{
	struct exchange *x = arg;

	(void)one;
	take_header(line, n, "Content-Type", x->reply->type,
	            sizeof x->reply->type);
	take_header(line, n, "Linalgd-Job", x->reply->job,
	            sizeof x->reply->job);
	return n;
}

/* Returns a list of the headers of this request, which the caller frees. */
static struct curl_slist *headers_of(const struct http *h,
                                     const struct http_request *q)
{
	struct curl_slist *list = NULL;
	char accept[128];

	for (const struct curl_slist *s = h->headers; s; s = s->next)
		add_header(&list, s->data);
	snprintf(accept, sizeof accept, "Accept: %s",
	         q->accept ? q->accept : "application/json");
	add_header(&list, accept);
	if (q->asynchronous)
		add_header(&list, "Prefer: respond-async");
	return list;
}

static void set_up(struct exchange *x, const char *url,
                   struct curl_slist *headers)
{
	CURL *const c = x->http->curl;
	const struct http_request *q = x->request;

	/* CURLOPT_MIMEPOST, even NULL, makes the request a POST. */
	curl_easy_setopt(c, CURLOPT_MIMEPOST, q->form);
	if (!q->form)
		curl_easy_setopt(c, CURLOPT_HTTPGET, 1L);
	curl_easy_setopt(c, CURLOPT_CUSTOMREQUEST, q->method);
	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_ERRORBUFFER, x->http->why);
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, x);
	curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(c, CURLOPT_HEADERDATA, x);
	curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, on_progress);
	curl_easy_setopt(c, CURLOPT_XFERINFODATA, x);
}

static enum http_end end_of(const struct exchange *x, CURLcode code)
{
	struct http *h = x->http;

	if (code == CURLE_OK)
		return HTTP_DONE;
	if (x->unwritten)
		return HTTP_UNWRITTEN;
	if (code == CURLE_ABORTED_BY_CALLBACK && heard)
		return HTTP_STOPPED;
	if (!h->why[0])
		snprintf(h->why, sizeof h->why, "%s",
		         curl_easy_strerror(code));
	return HTTP_LOST;
}

/* The length of an address without the slashes at its end, which is where a
 * path begins. */
static int base_length(const char *url)
{
	size_t n = strlen(url);

	while (n && url[n - 1] == '/')
		n--;
	return (int)n;
}

enum http_end http_do(struct http *h, const struct http_request *q,
                      struct http_reply *r)
{
	struct exchange x = { .http = h, .request = q, .reply = r };
	struct curl_slist *headers = headers_of(h, q);
	struct text url = { 0 };
	CURLcode code = CURLE_OUT_OF_MEMORY;

	*r = (struct http_reply){ 0 };
	h->why[0] = 0;
	text_printf(&url, "%.*s%s", base_length(h->url), h->url, q->path);
	if (!url.failed) {
		set_up(&x, url.data, headers);
		code = curl_easy_perform(h->curl);
		curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &r->status);
	}
	curl_easy_setopt(h->curl, CURLOPT_MIMEPOST, NULL);
	curl_easy_setopt(h->curl, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	text_fini(&url);
	return end_of(&x, code);
}

void http_reply_fini(struct http_reply *r)
{
	text_fini(&r->body);
	*r = (struct http_reply){ 0 };
}
