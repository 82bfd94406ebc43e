/* inlet.h - passes every received byte through a gate before libmicrohttpd sees
 * it.
 *
 * libmicrohttpd does not show a request's bytes as they were sent, and parses
 * them in place. But it reads sockets by recv(), and a program that defines
 * recv() replaces the C library's, as with malloc(). During inlet_run(), this
 * recv() shows what arrives on the peers' sockets to their gates (gate.h);
 * every other call goes straight to the kernel. The server refuses a request
 * whose head no gate has seen, so that a libmicrohttpd that reads in another
 * way is noticed.
 */
#ifndef HTTP_INLET_H
#define HTTP_INLET_H

#include "http/peers.h"

/* Calls run(arg), which runs libmicrohttpd, for the connections of p. */
void inlet_run(struct peers *p, void (*run)(void *arg), void *arg);

#endif
