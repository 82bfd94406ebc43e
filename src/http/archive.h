/* archive.h - packs the outputs of a job into one npz. */
#ifndef HTTP_ARCHIVE_H
#define HTTP_ARCHIVE_H

#include "http/handler.h"
#include "queue/job.h"

struct archive;

/* Makes an archive with a reference to the job; NULL without memory. */
struct archive *archive_new(struct job *j);
void archive_free(struct archive *a);		/* NULL is fine */

/* Builds the archive's frame, which reads all elements for the checksums; on
 * any thread. */
int archive_fill(struct archive *a, struct err *e);

/* Reply with a filled archive, which is taken over: as a stream that copies
 * elements from the outputs, or, if it is small, in one piece. */
void archive_send(struct exchange *x, struct archive *a);
void archive_send_whole(struct exchange *x, struct archive *a);

#endif
