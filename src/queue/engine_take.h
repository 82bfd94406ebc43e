/* engine_take.h - what engine.c, which takes new jobs, and engine_take.c, which
 * takes those of an earlier process or of a fleet, have in common. Private to
 * src/queue/engine*.c. */
#ifndef QUEUE_ENGINE_TAKE_H
#define QUEUE_ENGINE_TAKE_H

#include "queue/state.h"

/* Starts the timer for the job's deadline, if it has one. */
void engine_set_deadline(struct engine *g, struct job *j);

#endif
