/* said.c - see said.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "queue/said.h"

enum { TURN = 64 << 10 };		/* bytes that one call reads at most */

int said_open(struct said *s, struct err *e)
{
	int pipe[2];

	*s = (struct said){ .fd = -1 };
	if (pipe2(pipe, O_CLOEXEC))
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	s->fd = pipe[0];
	io_nonblocking(s->fd, true);
	return pipe[1];
}

static void end_line(struct said *s,
                     void (*line)(void *arg, const char *text), void *arg)
{
	s->text[s->n] = 0;
	if (s->n)
		line(arg, s->text);
	s->n = 0;
}

static void add(struct said *s, const char *bytes, size_t n,
                void (*line)(void *arg, const char *text), void *arg)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == '\n' || bytes[i] == '\r') {
			end_line(s, line, arg);
			continue;
		}
		s->text[s->n++] = bytes[i] ? bytes[i] : ' ';
		if (s->n == SAID_LINE)
			end_line(s, line, arg);
	}
}

bool said_read(struct said *s, void (*line)(void *arg, const char *text),
               void *arg)
{
	char bytes[4096];
	ssize_t n = 1;

	for (size_t all = 0; n > 0 && all < TURN; all += (size_t)n) {
		n = read(s->fd, bytes, sizeof bytes);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		add(s, bytes, (size_t)n, line, arg);
	}
	return n > 0;
}

void said_close(struct said *s, void (*line)(void *arg, const char *text),
                void *arg)
{
	if (s->fd < 0)
		return;
	said_read(s, line, arg);
	end_line(s, line, arg);
	close(s->fd);
	s->fd = -1;
}
