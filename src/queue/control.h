/* control.h - makes the memory that the front shares with one worker. */
#ifndef QUEUE_CONTROL_H
#define QUEUE_CONTROL_H

#include "wire/call.h"

/* Maps zeroed memory of a size that cannot change; the caller unmaps
 * *control. Returns its descriptor, which the caller closes, or -1. */
int control_open(struct control **control, struct err *e);

#endif
