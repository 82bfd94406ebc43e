/* link.c - see link.h.
 *
 * A thread's connection is the value of a key, whose destructor closes it when
 * the thread ends. A process that was forked must not use its parent's
 * connections, since both would read the same bytes: it leaves them as they are
 * and opens its own. */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

#include "clients/lapack/link.h"

#define UNIX "unix:"

enum {
	CONNECT_MS = 3000,		/* to wait for a connection */
	REST_SECONDS = 10,		/* without one, until the next try */
	PATIENCE_SECONDS = 600,		/* for a whole request, by default */
	PATIENCE_MOST = 1000000,
	BUFFER = 512 << 10,		/* bytes read at a time */
};

struct connection {
	CURL *curl;
	pid_t owner;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static atomic_llong rest_until;		/* seconds of CLOCK_MONOTONIC */

static void close_connection(void *arg)
{
	struct connection *c = arg;

	if (c->owner == getpid())
		curl_easy_cleanup(c->curl);
	free(c);
}

static void prepare(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
	if (pthread_key_create(&key, close_connection))
		abort();
}

static struct connection *open_connection(void)
{
	struct connection *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	*c = (struct connection){ curl_easy_init(), getpid() };
	if (c->curl && !pthread_setspecific(key, c))
		return c;
	if (c->curl)
		curl_easy_cleanup(c->curl);
	free(c);
	return NULL;
}

static CURL *connection(void)
{
	struct connection *c;

	pthread_once(&once, prepare);
	c = pthread_getspecific(key);
	if (!c || c->owner != getpid())
		c = open_connection();
	return c ? c->curl : NULL;
}

/* --- what the environment says */

/* Returns the milliseconds that a request may take; 0: as long as it needs. */
static long patience_ms(void)
{
	const char *text = getenv("LINALGD_LAPACK_TIMEOUT");
	char *end;
	double seconds;

	if (!text || !*text)
		return PATIENCE_SECONDS * 1000L;
	seconds = strtod(text, &end);
	if (*end || !(seconds >= 0) || seconds > PATIENCE_MOST)
		return PATIENCE_SECONDS * 1000L;
	return seconds > 0 && seconds < 0.001 ? 1 : (long)(seconds * 1000);
}

static const char *address(void)
{
	const char *url = getenv("LINALGD_URL");

	return url && *url ? url : "http://127.0.0.1:8080";
}

/* Sets where the request goes; the URL is in *url as long as it lasts. */
static void set_address(CURL *curl, const char *path, struct text *url)
{
	const char *to = address();
	const bool local = strncmp(to, UNIX, strlen(UNIX)) == 0;
	size_t n = strlen(to);

	while (n && to[n - 1] == '/')
		n--;
	text_printf(url, "%.*s%s", local ? INT_MAX : (int)n,
	            local ? "http://localhost" : to, path);
	curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH,
	                 local ? to + strlen(UNIX) : NULL);
}

static struct curl_slist *headers_of(const char *accept)
{
	const char *token = getenv("LINALGD_TOKEN");
	struct curl_slist *list = NULL;
	struct text t = { 0 };

	text_printf(&t, "Accept: %s", accept);
	list = curl_slist_append(list, t.data);
	list = curl_slist_append(list,
	                         "Content-Type: application/octet-stream");
	/* Without this libcurl waits for a leave to send large bodies. */
	list = curl_slist_append(list, "Expect:");
	text_clear(&t);
	text_printf(&t, "Authorization: Bearer %s", token ? token : "");
	if (token && *token)
		list = curl_slist_append(list, t.data);
	text_fini(&t);
	return list;
}

/* --- a request */

static size_t on_body(char *bytes, size_t one, size_t n, void *arg)
{
	struct text *answer = arg;

	(void)one;
	text_add(answer, bytes, n);
	return answer->failed ? 0 : n;
}

static void set_up(CURL *curl, const struct text *body, struct text *answer,
                   const struct curl_slist *headers)
{
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, patience_ms());
	curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, (long)BUFFER);
	curl_easy_setopt(curl, CURLOPT_UPLOAD_BUFFERSIZE, (long)BUFFER);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body->data);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
	                 (curl_off_t)body->length);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
}

static long long seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static bool perform(CURL *curl)
{
	const CURLcode code = curl_easy_perform(curl);
	long status = 0;

	if (code == CURLE_COULDNT_CONNECT || code == CURLE_OPERATION_TIMEDOUT ||
	    code == CURLE_COULDNT_RESOLVE_HOST)
		atomic_store(&rest_until, seconds() + REST_SECONDS);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	return code == CURLE_OK && status == 200;
}

bool link_post(const char *path, const char *accept, const struct text *body,
               struct text *answer)
{
	struct text url = { 0 };
	struct curl_slist *headers;
	CURL *curl;
	bool done;

	if (seconds() < atomic_load(&rest_until) || !(curl = connection()))
		return false;
	headers = headers_of(accept);
	set_address(curl, path, &url);
	set_up(curl, body, answer, headers);
	done = !url.failed &&
	       curl_easy_setopt(curl, CURLOPT_URL, url.data) == CURLE_OK &&
	       perform(curl);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, NULL);
	curl_slist_free_all(headers);
	text_fini(&url);
	return done;
}
