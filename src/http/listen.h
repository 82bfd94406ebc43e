/* listen.h - opens the listening socket. */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include <stdbool.h>

#include "base/err.h"

/* Opens a listening socket at "host:port", "[v6]:port" or "unix:/path"; for
 * "fd:N" it takes over the inherited socket N. Returns the socket, or -1 with
 * *e. */
int listen_open(const char *where, struct err *e);

/* The port that the socket is bound to; -1 if it is neither IPv4 nor IPv6. */
int listen_port(int fd);

/* Returns whether only this machine can connect to the socket. */
bool listen_is_loopback(int fd);

/* The number of connections to allow: the process's descriptors minus those
 * that it needs itself. */
unsigned listen_connections(void);

#endif
