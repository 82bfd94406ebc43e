/* listen.h - the socket that connections come from. */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include <stdbool.h>

#include "base/err.h"

/* Opens "host:port", "[v6]:port" or takes "fd:N" over; -1 with *e. */
int listen_open(const char *where, struct err *e);

/* The port it is bound to; -1 for a socket of another family. */
int listen_port(int fd);

/* Can nobody beyond this machine reach it? */
bool listen_is_loopback(int fd);

/* Connections to allow: the descriptors left when the daemon's own are
 * served. */
unsigned listen_connections(void);

#endif
