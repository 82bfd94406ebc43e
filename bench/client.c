/* client.c - see client.h. It implements as much of HTTP/1.1 as finds the end
 * of an answer. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "bench/client.h"

enum { LINE = 1024 };

struct client {
	int port;
	FILE *in;			/* owns the socket; or NULL */
};

/* An answer's head. */
struct head {
	int status;
	size_t length;
	bool chunked;
};

static int connect_to(struct client *h, struct err *e)
{
	const struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)h->port),
		.sin_addr = { htonl(INADDR_LOOPBACK) },
	};
	const struct timeval patience = { .tv_sec = CLIENT_SECONDS };
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	h->in = NULL;
	if (fd >= 0 &&
	    connect(fd, (const struct sockaddr *)&to, sizeof to) == 0)
		h->in = fdopen(fd, "r");
	if (!h->in) {
		err_set(e, ERR_NOT_FOUND, "bench: port %d: %s", h->port,
		        strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	return 0;
}

struct client *client_open(int port, struct err *e)
{
	struct client *h = calloc(1, sizeof *h);

	if (!h) {
		err_set(e, ERR_MEMORY, "bench: out of memory");
		return NULL;
	}
	h->port = port;
	if (connect_to(h, e) == 0)
		return h;
	free(h);
	return NULL;
}

void client_close(struct client *h)
{
	if (h && h->in)
		fclose(h->in);
	free(h);
}

void client_head(struct text *t, const char *request, const char *type,
               const char *accept, const char *more, size_t length)
{
	text_printf(t, "%s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: %s\r\n%s",
	            request, accept, more);
	if (type)
		text_printf(t, "Content-Type: %s\r\nContent-Length: %zu\r\n",
		            type, length);
	text_puts(t, "\r\n");
}

/* Returns the value of a header line, or NULL if the header has another
 * name. */
static const char *value_of(const char *line, const char *name)
{
	const size_t n = strlen(name);

	if (strncasecmp(line, name, n) != 0 || line[n] != ':')
		return NULL;
	return line + n + 1 + strspn(line + n + 1, " \t");
}

static bool read_head(struct client *h, struct head *head)
{
	char line[LINE];
	const char *value;

	*head = (struct head){ 0 };
	if (!fgets(line, sizeof line, h->in) ||
	    sscanf(line, "HTTP/1.1 %d", &head->status) != 1)
		return false;
	while (fgets(line, sizeof line, h->in)) {
		if (line[0] == '\r' || line[0] == '\n')
			return true;
		if ((value = value_of(line, "Content-Length")))
			head->length = strtoull(value, NULL, 10);
		if ((value = value_of(line, "Transfer-Encoding")))
			head->chunked = strncasecmp(value, "chunked", 7) == 0;
	}
	return false;
}

static bool read_bytes(struct client *h, size_t n, struct text *to)
{
	char *at = text_reserve(to, n);

	if (!at || fread(at, 1, n, h->in) != n)
		return false;
	text_grew(to, n);
	return true;
}

/* Reads a chunked body: a size in hexadecimal, that many bytes and an empty
 * line, until size 0. */
static bool read_chunks(struct client *h, struct text *to)
{
	char line[LINE];

	while (fgets(line, sizeof line, h->in)) {
		const size_t n = strtoull(line, NULL, 16);

		if (n > 0 && !read_bytes(h, n, to))
			return false;
		if (!fgets(line, sizeof line, h->in))
			return false;
		if (n == 0)
			return true;
	}
	return false;
}

/* Returns whether the service has closed the connection, as it does with one
 * that was idle for long. */
static bool is_closed(const struct client *h)
{
	char byte;

	return recv(fileno(h->in), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 ||
	       (errno != EAGAIN && errno != EWOULDBLOCK);
}

/* Returns 0 if there is a connection, which is opened anew where necessary, or
 * -1. */
static int connection_keep(struct client *h, struct err *e)
{
	if (h->in && !is_closed(h))
		return 0;
	if (h->in)
		fclose(h->in);
	return connect_to(h, e);
}

static bool send_all(struct client *h, const struct text *head,
                     const struct text *body)
{
	const int fd = fileno(h->in);

	return io_write_all(fd, head->data, head->length) == 0 &&
	       io_write_all(fd, body->data, body->length) == 0;
}

int client_ask(struct client *h, const struct text *head,
             const struct text *body, struct text *answer, struct err *e)
{
	struct head got;
	bool ok;

	if (connection_keep(h, e) < 0)
		return -1;
	ok = send_all(h, head, body);
	text_clear(answer);
	ok = ok && read_head(h, &got) &&
	     (got.chunked ? read_chunks(h, answer) :
	                    read_bytes(h, got.length, answer));
	return ok ? got.status : err_set(e, ERR_NOT_FOUND,
	    "bench: the connection broke: %s", strerror(errno));
}
