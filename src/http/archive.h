/* archive.h - the outputs of a job as one npz. */
#ifndef HTTP_ARCHIVE_H
#define HTTP_ARCHIVE_H

#include "http/server.h"
#include "queue/job.h"

struct archive;

/* Refers to the job; NULL without memory. */
struct archive *archive_new(struct job *j);
void archive_free(struct archive *a);		/* NULL is fine */

/* Reads all elements, for the checksums; any thread. */
int archive_fill(struct archive *a, struct err *e);

/* Replies with a filled one, which is taken over: as a stream out of the
 * outputs' own memory; a small one in one piece. */
void archive_send(struct exchange *x, struct archive *a);
void archive_send_whole(struct exchange *x, struct archive *a);

#endif
