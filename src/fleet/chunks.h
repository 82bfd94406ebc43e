/* chunks.h - reads and writes the matrices of jobs in the fleet's database.
 *
 * A job's operands are one payload (journal/payload.h), its results another. A
 * small payload is a value in the job's own row. A larger one is divided into
 * chunks of 1 MiB, each a row of the table linalgd.chunk, which is dropped by
 * the hour (schema.c). That table's column
 * `run` is 0 for operands; for results it is the epoch of the run that made
 * them. These functions are called on a crew's threads (crew.h). */
#ifndef FLEET_CHUNKS_H
#define FLEET_CHUNKS_H

#include "fleet/pg.h"
#include "journal/payload.h"

enum {
	CHUNK_BYTES = 1 << 20,
	CHUNK_INLINE = 16 << 10,	/* largest payload in the job's row */
	CHUNK_SLOW = 8 << 20,		/* a call that transfers a larger
					 * payload is `slow` (crew.h) */
	CHUNK_OPERANDS = 0,		/* the `run` of operands */
};

/* The `job` of stored matrices, whose `run` is their version. */
#define CHUNK_MATRIX "matrix"

/* Writes n matrices as chunks. To be called within a transaction. */
int chunks_write(struct pg *p, const char *job, int64_t run,
                 const struct matrix *m, size_t n, struct err *e);

/* Reads a payload of `bytes` bytes from its chunks into m[0 .. *n), as
 * payload_read() does. ERR_GONE if some of the chunks have been removed. */
int chunks_read(struct pg *p, const char *job, int64_t run, uint64_t bytes,
                struct matrix *m, size_t most, size_t *n,
                struct memory_pool *pool, struct err *e);

#endif
