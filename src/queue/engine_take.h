/* engine_take.h - what takes new jobs, those of an earlier process, and those
 * of a fleet have in common: for src/queue/engine*.c alone. */
#ifndef QUEUE_ENGINE_TAKE_H
#define QUEUE_ENGINE_TAKE_H

#include "queue/state.h"

void engine_set_deadline(struct engine *g, struct job *j);

#endif
