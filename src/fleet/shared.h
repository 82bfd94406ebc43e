/* shared.h - payloads as files in a directory that the hosts of a fleet share,
 * for instance on NFS (--shared-dir).
 *
 * A payload that is large enough becomes a file (journal/payload.h), and its
 * row in the database has the file's name instead of chunks. The name is
 * random. The file is on the disk before its row is committed, so a row that
 * others see always names a whole file. What the row says of the payload's
 * length, and the checksums in the file, are compared at each reading.
 *
 *     shared_write() ─▶ BEGIN ─▶ row with the name ─▶ COMMIT
 *                                 └▶ it fails: shared_drop()
 *     the row is deleted or changed ─▶ a trigger adds the name to
 *                       linalgd.dropped ─▶ shared_look() removes the file
 *
 * A process that dies between shared_write() and COMMIT leaves a file that no
 * row names. shared_look() removes such files when they are old.
 *
 * The directory has a file that identifies it, the marker. The first host of a
 * fleet writes the marker, and writes the same text to the database. If a host
 * does not find the marker, either nothing is mounted there or another file
 * system. The host then does not use the directory: it writes payloads to the
 * database, and claims no jobs that need the files.
 *
 * A struct shared may be used by several threads at a time. As all functions
 * but the first two wait for the file system, they are for a crew's threads.
 * Except shared_new(), all take NULL, which is a directory that is never
 * there. */
#ifndef FLEET_SHARED_H
#define FLEET_SHARED_H

#include "fleet/pg.h"
#include "journal/payload.h"

enum {
	SHARED_NAME = 33,	/* bytes of a file's name, with its NUL */
	SHARED_HOURS = 6,	/* the age of files that no row names, at which
				 * they are removed */
};

struct shared;

/* Payloads of more than `above` bytes are to become files. The directory need
 * not exist yet. */
struct shared *shared_new(const char *path, uint64_t above, struct err *e);
void shared_free(struct shared *s);

/* Did the last shared_look() find the directory? */
bool shared_is_there(struct shared *s);

/* Writes n matrices, a payload of `bytes` bytes, to a file, and sets `name` to
 * its name. Sets it to "" if the payload must be written as chunks, because it
 * is small or because the file could not be written, which is logged. If `name`
 * is not "" on entry, the same call has written that file before; it is then
 * written only if it is missing. */
void shared_write(struct shared *s, uint64_t bytes, const struct matrix *m,
                  size_t n, char name[SHARED_NAME]);

/* Reads a file into m[0 .. *n), as payload_read() does. ERR_GONE if the file is
 * missing or damaged, or its length is not `bytes`: the payload is lost.
 * ERR_NOT_READY if this host does not see the directory, or the file system has
 * refused the reading. */
int shared_read(struct shared *s, const char *name, uint64_t bytes,
                struct matrix *m, size_t most, size_t *n,
                struct memory_pool *pool, struct err *e);

/* Removes a file that no row names, and sets `name` to "", which it may be
 * already. */
void shared_drop(struct shared *s, char name[SHARED_NAME]);

/* Called regularly, outside of a transaction: looks whether the directory is
 * there, and removes files that are not needed any more. -1 with ERR_STATE if
 * the database does not answer. */
int shared_look(struct shared *s, struct pg *p, struct err *e);

#endif
