/* listen.h - receives the notifications (NOTIFY) of all hosts of the fleet. */
#ifndef FLEET_LISTEN_H
#define FLEET_LISTEN_H

#include "base/loop.h"

struct listener;

/* Calls hear(arg, channel, text) on the loop's thread for each notification.
 * Calls hear(arg, "", "") when some may have been missed, because the
 * connection was closed for a while or too many arrived at once. Reconnects by
 * itself. */
struct listener *listener_new(struct loop *l, const char *url,
                              const char *name,
                              void (*hear)(void *arg, const char *channel,
                                           const char *text), void *arg,
                              struct err *e);
void listener_free(struct listener *l);		/* NULL is fine */

#endif
