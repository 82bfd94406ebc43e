/* sockets.h - the listening sockets of `linalgd serve`: those that systemd
 * passed, or those of --listen. */
#ifndef COMMAND_SOCKETS_H
#define COMMAND_SOCKETS_H

#include <stdbool.h>

#include "base/err.h"
#include "command/settings.h"

enum { SOCKETS_MOST = 8, SOCKETS_TEXT = 16 * SOCKETS_MOST };

struct sockets {
	int fd[SOCKETS_MOST];
	int n;
	bool handed_in;			/* by systemd */
	const struct option_list *places;	/* of --listen; used unless
					 * handed_in */
	char list[SOCKETS_TEXT];	/* "fd:3,fd:4", for api_options */
};

/* Takes or opens the sockets. Returns STATUS_OK, or the exit status after it
 * has printed the error: a socket cannot be opened, or other machines can reach
 * one and no token is set. */
int sockets_open(struct sockets *s, const struct settings *t);

/* Returns whether only this machine can connect to the sockets. */
bool sockets_are_loopback(const struct sockets *s);

/* Logs a line for each socket. */
void sockets_tell(const struct sockets *s);

/* Removes the files of the Unix sockets that sockets_open() made. To be called
 * after the sockets are closed. */
void sockets_remove(const struct sockets *s);

#endif
