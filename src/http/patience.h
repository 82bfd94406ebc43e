/* patience.h - looks at the peers by a timer: who is too slow, who has left. */
#ifndef HTTP_PATIENCE_H
#define HTTP_PATIENCE_H

#include "http/peers.h"

/* From now on, as long as there are peers. */
void patience_look_for_slow(struct peers *p);

/* From now on, as long as there are suspended exchanges. */
void patience_look_for_left(struct peers *p);

#endif
