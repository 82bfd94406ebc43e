/* patience.h - checks the peers by timers: which are too slow, and which have
 * left. */
#ifndef HTTP_PATIENCE_H
#define HTTP_PATIENCE_H

#include "http/peers.h"

/* Starts to look for slow peers, as long as there are peers. */
void patience_look_for_slow(struct peers *p);

/* Starts to look for peers that have left, as long as there are suspended
 * exchanges. */
void patience_look_for_left(struct peers *p);

#endif
