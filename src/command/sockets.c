/* sockets.c - see sockets.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/notify.h"
#include "base/usage.h"
#include "command/sockets.h"
#include "http/listen.h"
#include "http/listen_unix.h"

static const char *path_of(const char *place)
{
	const size_t n = strlen(LISTEN_UNIX);

	return strncmp(place, LISTEN_UNIX, n) == 0 ? place + n : NULL;
}

static void add(struct sockets *s, int fd)
{
	const size_t n = strlen(s->list);

	s->fd[s->n++] = fd;
	snprintf(s->list + n, sizeof s->list - n, "%sfd:%d", n ? "," : "", fd);
}

static int open_all(struct sockets *s, struct err *e)
{
	if (s->places->n > SOCKETS_MOST)
		return err_set(e, ERR_PARAMETER, "--listen has more than %d "
		               "places", SOCKETS_MOST);
	for (size_t i = 0; i < s->places->n; i++) {
		const int fd = listen_open(s->places->item[i], e);

		if (fd < 0)
			return -1;
		add(s, fd);
	}
	return 0;
}

static void take_handed_in(struct sockets *s)
{
	const int n = notify_listen_fds();

	for (int i = 0; i < n && i < SOCKETS_MOST; i++)
		add(s, NOTIFY_LISTEN_FIRST + i);
	s->handed_in = s->n > 0;
}

static void give_up(struct sockets *s)
{
	for (int i = 0; i < s->n; i++)
		close(s->fd[i]);
	sockets_remove(s);
}

int sockets_open(struct sockets *s, const struct settings *t)
{
	struct err e = { 0 };

	s->places = &t->places;
	take_handed_in(s);
	if (!s->handed_in && open_all(s, &e)) {
		give_up(s);
		return usage_fail(&e);
	}
	for (int i = 0; i < s->n; i++) {
		if (!settings_check_exposure(t, s->fd[i], s->handed_in ? NULL :
		                             s->places->item[i], &e))
			continue;
		give_up(s);
		usage_fail(&e);
		fputs(settings_exposure_advice, stderr);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

bool sockets_are_loopback(const struct sockets *s)
{
	for (int i = 0; i < s->n; i++)
		if (!listen_is_loopback(s->fd[i]))
			return false;
	return true;
}

static void tell_address(const char *place, int port)
{
	const char *colon = strrchr(place, ':');
	char address[128];

	snprintf(address, sizeof address, "%.*s",
	         colon ? (int)(colon - place) : 0, place);
	log_with(LOG_LEVEL_INFO, LOG_FIELDS(LOG_TEXT("address", address),
	                                    LOG_NUMBER("port", port)),
	         "listening on %s:%d", address, port);
}

static void tell_path(const char *place)
{
	log_with(LOG_LEVEL_INFO, LOG_FIELDS(LOG_TEXT("address", place)),
	         "listening on %s", place);
}

void sockets_tell(const struct sockets *s)
{
	for (int i = 0; i < s->n; i++) {
		const int port = listen_port(s->fd[i]);

		if (s->handed_in)
			log_with(LOG_LEVEL_INFO, LOG_FIELDS(LOG_NUMBER("port",
			         port)), "listening on a socket that was "
			         "handed in, port %d", port);
		else if (path_of(s->places->item[i]))
			tell_path(s->places->item[i]);
		else
			tell_address(s->places->item[i], port);
	}
}

void sockets_remove(const struct sockets *s)
{
	for (size_t i = 0; !s->handed_in && i < s->places->n; i++)
		if (path_of(s->places->item[i]))
			listen_unix_remove(path_of(s->places->item[i]));
}
