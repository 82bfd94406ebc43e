/* http.h - requests to the service by libcurl, one after another on one
 * connection. For one thread. */
#ifndef CLIENTS_CALL_HTTP_H
#define CLIENTS_CALL_HTTP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <curl/curl.h>

#include "base/text.h"

/* The ends of a request. */
enum http_end {
	HTTP_DONE,			/* a reply, of any status, has come */
	HTTP_LOST,			/* no reply; http.why has the reason */
	HTTP_STOPPED,			/* stopped by SIGINT or SIGTERM */
	HTTP_UNWRITTEN,			/* the sink cannot write the output */
};

struct http {
	CURL *curl;
	struct curl_slist *headers;	/* sent with every request */
	const char *url;		/* "http://127.0.0.1:8080" */
	char why[CURL_ERROR_SIZE];
};

/* Takes n bytes of the body of a reply with status 200. If it returns false,
 * the request ends with HTTP_UNWRITTEN. */
typedef bool http_sink(void *arg, const char *bytes, size_t n);

struct http_request {
	const char *method;		/* NULL: GET, or POST with a form */
	const char *path;		/* "/lu" */
	curl_mime *form;		/* NULL: no body */
	const char *accept;		/* NULL: no header Accept */
	bool asynchronous;
	http_sink *sink;		/* NULL: reply.body gets the body */
	void *arg;			/* the argument of sink() */
	/* Called about every second, and when bytes have been sent: sent counts
	 * the bytes of the form sent so far, all those of the whole form, or 0
	 * without a form. May be NULL. */
	void (*progress)(void *bar, uint64_t sent, uint64_t all);
	void *bar;
};

struct http_reply {
	long status;
	struct text body;		/* empty if a sink has taken it */
	char type[80];			/* Content-Type */
	char job[64];			/* Linalgd-Job; "" if there is none */
};

/* Prepares requests to url, which begins with http://, https:// or unix:/PATH.
 * token may be NULL. Returns 0, or -1. */
int http_open(struct http *h, const char *url, const char *token);
void http_close(struct http *h);

/* Sends a request and fills in *r, which the caller passes to
 * http_reply_fini(). */
enum http_end http_do(struct http *h, const struct http_request *q,
                      struct http_reply *r);
void http_reply_fini(struct http_reply *r);

/* After http_hear_signals(), SIGINT and SIGTERM stop the current request and
 * those that follow. http_heard() returns the number of the signal that has
 * come, or 0. After http_hear_again() requests run again, so that a job can be
 * dismissed, and the next signal ends the process. */
void http_hear_signals(void);
int http_heard(void);
void http_hear_again(void);

#endif
