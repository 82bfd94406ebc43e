/* chunks.h - matrices in the fleet's database, as a payload (journal/payload.h)
 * in a column of the job's row if it is small, else in pieces of 1 MiB, which
 * are rows of a table of their own. They belong to a run of the job: the
 * operands to run 0, the results to the run, by its epoch, that made them. To
 * be called on the crew's threads. */
#ifndef FLEET_CHUNKS_H
#define FLEET_CHUNKS_H

#include "fleet/pg.h"
#include "journal/payload.h"

enum {
	CHUNK_BYTES = 1 << 20,
	CHUNK_INLINE = 16 << 10,	/* a payload up to this size is in the
					 * job's row */
	CHUNK_OPERANDS = 0,		/* the run that operands belong to */
};

/* Writes the pieces of n matrices, within a transaction. */
int chunks_write(struct pg *p, const char *job, int64_t run,
                 const struct matrix *m, size_t n, struct err *e);

/* Reads a payload of `bytes` bytes into m[0 .. *n), as payload_read(); ERR_GONE
 * when pieces of it are not there any more. */
int chunks_read(struct pg *p, const char *job, int64_t run, uint64_t bytes,
                struct matrix *m, size_t most, size_t *n,
                struct memory_pool *pool, struct err *e);

#endif
