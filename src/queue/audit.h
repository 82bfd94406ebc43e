/* audit.h - the audit log: one line for every job, when it has ended.
 *
 *     job 1f0c... successful op=lu shapes=a:3x3 tenant=ann bytes_in=72
 *         bytes_out=96 device=0 variant=... attempts=1 queue_ms=0.05 ...
 *
 * It tells how a job ended, whoever waited for it: nobody does for an
 * asynchronous one, or when the client has left. The jobs of a split one have
 * no lines of their own. Elements are never told. For the loop's thread only.
 */
#ifndef QUEUE_AUDIT_H
#define QUEUE_AUDIT_H

#include "queue/job.h"

/* Notes what the job was asked to compute. To be called when its operands are
 * known, and not while a pool thread prepares them. */
void audit_note(struct job *j);

/* Writes the line of a job that has just ended. */
void audit_write(struct job *j);

/* Puts the shapes of a call's operands into words, "a:3x3,b:3", cut off where
 * the room ends; of a pipeline's steps, "matmul(a:2x3,b:3x1),lu(a:2x1)". */
void audit_shapes(const struct args *a, char *text, size_t room);

#endif
