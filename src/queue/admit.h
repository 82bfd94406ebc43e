/* admit.h - which devices can run a job at all. */
#ifndef QUEUE_ADMIT_H
#define QUEUE_ADMIT_H

#include "queue/job.h"
#include "wire/sheet.h"

/* Removes from j->devices those that lack the element type, the variant's
 * requirements or the memory; -1 with the last one's reason when none is
 * left. A cluster is kept only if no other device can hold the job, alone or
 * together with others; the latter sets j->gang (gang.h). Devices that can only
 * stream the job's matrices (struct variant) are kept only if no device nor
 * cluster can hold it. */
int admit_devices(struct job *j, const struct sheet *const *sheets, int n,
                  struct err *e);

#endif
