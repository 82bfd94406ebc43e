/* bytes.h - how many bytes a job's operands and outputs take. */
#ifndef QUEUE_BYTES_H
#define QUEUE_BYTES_H

#include "queue/job.h"

/* Of the request's operands; an operand that several steps of a pipeline have
 * counts once. stored: with those that are stored matrices. */
uint64_t bytes_operands(const struct job *j, bool stored);

/* Of the outputs, and of what a pipeline's steps pass on, which have a shape,
 * but no memory in the front. */
uint64_t bytes_outputs(const struct job *j);

/* Of the outputs that the client gets. */
uint64_t bytes_answer(const struct job *j);

#endif
