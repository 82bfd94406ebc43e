/* stages.h - the stages of a job, and how long each took. */
#ifndef QUEUE_STAGES_H
#define QUEUE_STAGES_H

#include "queue/job.h"

/* In the order in which they happen. `total` is the whole job: from the
 * request's first byte until the reply or, for an asynchronous job, until the
 * job's end. */
#define STAGES(X)     \
	X(queue)      \
	X(parse)      \
	X(compile)    \
	X(upload)     \
	X(compute)    \
	X(host)       \
	X(download)   \
	X(total)

enum stage {
#define X(name) STAGE_##name,
	STAGES(X)
#undef X
	STAGE_COUNT
};

const char *stage_name(enum stage s);		/* "queue" */
const char *stage_field(enum stage s);		/* "queue_ms" */

/* Returns how long job j was in stage s, or 0 if it did not reach it. */
int64_t stage_ns(enum stage s, const struct job *j);

/* Do only some jobs have this stage, so that a reply omits it when it is 0? */
bool stage_is_rare(enum stage s);

#endif
