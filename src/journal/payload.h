/* payload.h - files of matrices that survive the process: operands of accepted
 * jobs, their results, stored matrices.
 *
 * payload_write() returns success only when the file and its name are on the
 * disk: the bytes are written under a temporary name, fdatasync, rename to the
 * final name, fsync of the directory. So a name always stands for a whole file,
 * whenever the process or the host dies. After an error it is unknown what is
 * on the disk: the caller must not acknowledge what it stood for.
 *
 *     header   magic, format, number of matrices, bytes of the file, CRC-32
 *     rows     one a matrix: type, shape, layout; their CRC-32 is the header's
 *     bytes    each matrix's elements, then its index
 *     end      the CRC-32 of these bytes
 *
 * Numbers are little-endian. The functions read and write disks, and so may
 * block for seconds: they are for pool threads and the journal's thread, never
 * for the loop's. Several threads may use a directory at a time, for different
 * names. On a pool thread, long files are done in slices (slice.h), and a task
 * that was cancelled gets ERR_DISMISSED.
 *
 * Errors: ERR_STATE when the system refuses an operation, ERR_NOT_FOUND when
 * there is no such file, ERR_FORMAT when a file is damaged or foreign; all name
 * the file.
 */
#ifndef JOURNAL_PAYLOAD_H
#define JOURNAL_PAYLOAD_H

#include <fcntl.h>
#include <sys/types.h>

#include "matrix/matrix.h"

enum {
	PAYLOAD_NAME = 64,		/* bytes of a name, with its NUL */
	PAYLOAD_MOST = 256,		/* matrices in one file */
	PAYLOAD_PIECE = 256 << 10,	/* bytes of a stream's shortest piece */
};

struct payloads;

/* Opens the directory, which is made (0700) if it does not exist; its parent
 * must. NULL with *e. payloads_close() takes NULL, too. */
struct payloads *payloads_open(const char *path, struct err *e);
void payloads_close(struct payloads *d);

/* Writes n <= PAYLOAD_MOST matrices, of which some may be absent, to the file
 * of that name: 1 to PAYLOAD_NAME - 1 of a-z 0-9 -, which is replaced if it
 * exists. The elements must not be freed meanwhile; if they change, the file
 * has some of the old and some of the new ones. */
int payload_write(const struct payloads *d, const char *name,
                  const struct matrix *m, size_t n, struct err *e);

/* Reads the file into m[0 .. *n), whose memory is of the pool and which the
 * caller frees by matrix_fini(). At most `most` matrices are expected; more are
 * ERR_FORMAT. ERR_MEMORY or ERR_TOO_LARGE when the pool has no room. After an
 * error nothing is left to free. */
int payload_read(const struct payloads *d, const char *name, struct matrix *m,
                 size_t most, size_t *n, struct memory_pool *p,
                 struct err *e);

/* Packs n <= PAYLOAD_MOST matrices into *bytes bytes of memory, laid out as a
 * file, which the caller free()s: for a few small ones, as a value in a
 * database. NULL with *e. */
char *payload_pack(const struct matrix *m, size_t n, size_t *bytes,
                   struct err *e);

/* Reads what payload_pack() made, as payload_read() does; `what` names it in
 * errors. */
int payload_unpack(const void *bytes, size_t size, const char *what,
                   struct matrix *m, size_t most, size_t *n,
                   struct memory_pool *p, struct err *e);

/* A payload as a stream of bytes, for places that are neither files nor memory.
 * payload_bytes() sets *bytes to the length of the stream for n matrices.
 * payload_send() calls take() for each piece of the stream: all pieces have
 * `piece` bytes, at least PAYLOAD_PIECE, but the last, which may be shorter.
 * payload_receive() calls give() for the next n bytes of a stream of `bytes`.
 * Both stop when the callback returns -1, and then return -1, too. */
typedef int payload_take(void *arg, const void *bytes, size_t n,
                         struct err *e);
typedef int payload_give(void *arg, void *to, size_t n, struct err *e);
int payload_bytes(const struct matrix *m, size_t n, uint64_t *bytes,
                  struct err *e);
int payload_send(const struct matrix *m, size_t n, size_t piece,
                 payload_take *take, void *arg, struct err *e);
int payload_receive(payload_give *give, void *arg, uint64_t bytes,
                    const char *what, struct matrix *m, size_t most, size_t *n,
                    struct memory_pool *p, struct err *e);

/* Removes the file; one that does not exist is no error. The removal is on the
 * disk at the next write or, at the latest, when the system writes it: a file
 * that comes back is an orphan, and is found by payloads_list(). */
int payload_remove(const struct payloads *d, const char *name, struct err *e);

/* Renames a damaged file to NAME.damaged, which payloads_list() leaves out, so
 * that it is kept for whoever wants to look into it. */
int payload_set_aside(const struct payloads *d, const char *name,
                      struct err *e);

/* Calls fn(arg, name) for each file of the directory, with what unfinished
 * writes left, but without those set aside. fn may remove the file. Ends at
 * fn's first -1, and returns it. */
int payloads_list(const struct payloads *d,
                  int (*fn)(void *arg, const char *name, struct err *e),
                  void *arg, struct err *e);

/* The system calls that change the directory, so that tests can let each of
 * them fail once. Arguments and results are the system's. */
struct payload_calls {
	int (*openat)(int dir, const char *name, int flags, ...);
	ssize_t (*write)(int fd, const void *bytes, size_t n);
	int (*fdatasync)(int fd);
	int (*fsync)(int fd);
	int (*renameat)(int from_dir, const char *from, int to_dir,
	                const char *to);
	int (*unlinkat)(int dir, const char *name, int flags);
};
extern struct payload_calls payload_calls;

#endif
