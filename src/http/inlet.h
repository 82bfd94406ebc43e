/* inlet.h - the way of every received byte into libmicrohttpd.
 *
 * libmicrohttpd offers no look at a request's bytes as they came, and parses
 * them in place. But it reads sockets by recv(), and a program that defines
 * recv() is called there instead of the C library, as with malloc(). While
 * inlet_run() is under way, this recv() shows what arrives on the peers'
 * sockets to their gates (gate.h); every other call goes straight to the
 * kernel. A request whose head no gate has seen is refused by the server, so
 * that a libmicrohttpd that reads in another way is noticed and not trusted.
 */
#ifndef HTTP_INLET_H
#define HTTP_INLET_H

#include "http/peers.h"

/* Calls run(arg), libmicrohttpd's turn, for the connections of p. */
void inlet_run(struct peers *p, void (*run)(void *arg), void *arg);

#endif
