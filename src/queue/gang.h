/* gang.h - jobs that several devices compute together (struct gang in
 * ops/op.h).
 *
 * The parts of such a job exchange panels while they run. So either all parts
 * begin at once or none does, and if the worker of one part is lost, the whole
 * job begins anew, with a new board (split.h). A job becomes a gang
 *
 *     if its request says how many devices shall compute it;
 *     if no device could hold it alone: of the fewest devices that can;
 *     else only if nothing else waits and it would be done much sooner.
 */
#ifndef QUEUE_GANG_H
#define QUEUE_GANG_H

#include "queue/job.h"

/* Sets *g to the operation's plan for a gang of `parts` devices. Returns false
 * if such a gang cannot compute the call. */
bool gang_plan(const struct args *a, int parts, struct gang_plan *g);

/* The devices that the request asks for; 0: it does not say. */
int gang_asked(const struct args *a);

/* How many devices compute a job, or the job of which this is a part: 1 if it
 * is not computed by a gang. */
int gang_size(const struct job *j);

#endif
