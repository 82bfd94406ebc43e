/* listen_unix.h - a listening Unix socket, and its file. */
#ifndef HTTP_LISTEN_UNIX_H
#define HTTP_LISTEN_UNIX_H

#include "base/err.h"

#define LISTEN_UNIX "unix:"		/* the prefix in unix:/path */

/* Opens a listening socket at path, with permissions 0660: for its owner and
 * its group. A socket file on which no process listens any more is replaced; a
 * socket that is in use, or a file of another kind, is an error. Returns the
 * socket, or -1 with *e. */
int listen_unix_open(const char *path, struct err *e);

/* Does the same for a socket of messages (SOCK_SEQPACKET). */
int listen_unix_packets(const char *path, struct err *e);

/* Removes the file if it is a socket on which nobody listens. */
void listen_unix_remove(const char *path);

#endif
