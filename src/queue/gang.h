/* gang.h - jobs that several devices compute together (struct gang in
 * ops/op.h): which devices can, and how long that takes.
 *
 * The parts of such a job exchange panels while they run, so all begin at once
 * or none, and if the worker of one is lost, the job begins anew with other
 * memory to exchange them through (split.h). A job is computed so
 *
 *     if its request says how many devices shall;
 *     if none of its devices could hold it alone, by the fewest that can;
 *     else only if nothing else waits and it would be done much sooner.
 */
#ifndef QUEUE_GANG_H
#define QUEUE_GANG_H

#include "queue/job.h"

/* What the operation says of so many devices; false: they cannot compute the
 * call together. */
bool gang_plan(const struct args *a, int parts, struct gang_plan *g);

/* The devices that the request asks for; 0: it does not say. */
int gang_asked(const struct args *a);

/* How many devices compute a job, or the job of which this is a part: 1 if it
 * is not computed by a gang. */
int gang_size(const struct job *j);

#endif
