/* listen.h - hears what other hosts notify by the database. */
#ifndef FLEET_LISTEN_H
#define FLEET_LISTEN_H

#include "base/loop.h"

struct listener;

/* Calls hear(arg, channel, text) on the loop's thread for each notification,
 * and hear(arg, "", "") when some may have been missed, because the connection
 * was opened again. */
struct listener *listener_new(struct loop *l, const char *url,
                              const char *name,
                              void (*hear)(void *arg, const char *channel,
                                           const char *text), void *arg,
                              struct err *e);
void listener_free(struct listener *l);		/* NULL is fine */

#endif
