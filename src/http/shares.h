/* shares.h - memory that clients on this machine share with the service, so
 * that operands and results need not travel through the connection.
 *
 *     POST /shares?bytes=N ──▶ an id, which nobody can guess
 *     "claim ID" to the share socket ──▶ the memory's descriptor
 *     {"share": ID, ...} as an operand, "into": ID for the outputs
 *     "drop ID", or the end of that connection ──▶ the memory is freed
 *
 * The service makes the memory (memory_new_given()): its size is sealed, so
 * that no access to it can fail, and it counts against the pool. The service
 * takes no descriptor from a client. POST /shares is a request like any other,
 * so that tokens and limits hold for shares; the share socket beside each Unix
 * socket (PATH.share, with the same permissions) only hands descriptors to
 * those who know the ids. A share that nobody claims is freed after
 * SHARE_CLAIM_NS; one that was claimed cannot be claimed again. A job holds the
 * memory that it uses whatever becomes of the share.
 *
 * A client may change a share's elements at any time. Calls whose memory
 * accesses do not depend on elements (changing_in, changing_out of struct op)
 * work on the share itself; for all others an operand is copied first.
 *
 * For the loop's thread only.
 */
#ifndef HTTP_SHARES_H
#define HTTP_SHARES_H

#include "base/loop.h"
#include "matrix/memory.h"

enum {
	SHARE_ID = 33,			/* 32 hexadecimal digits */
	SHARES_MOST = 1024,
	SHARE_CLIENTS = 256,		/* connections of share sockets */
	SHARE_PATH = 128,
};

#define SHARE_CLAIM_NS INT64_C(5000000000)
#define SHARE_SUFFIX ".share"

struct shares;
struct tenant;

/* Makes shares that have at most `limit` bytes together; NULL with *e. */
struct shares *shares_new(struct loop *l, struct memory_pool *p, size_t limit,
                          struct err *e);

/* Ends all connections; what clients map stays theirs as it is. */
void shares_free(struct shares *s);

/* Opens the share socket beside a Unix socket of that path. -1 with *e: there
 * will be none. */
int shares_listen(struct shares *s, const char *path, struct err *e);

/* Does the same beside all Unix sockets of a list as of server_options, and
 * warns of those where it fails. */
void shares_listen_beside(struct shares *s, const char *listen);

/* The first share socket's path; NULL: there is none. */
const char *shares_path(const struct shares *s);

/* Makes a tenant's share of at least that many bytes and returns its memory,
 * which s owns. NULL with ERR_NOT_FOUND if there is no share socket,
 * ERR_TOO_LARGE beyond the limits, ERR_MEMORY beyond what is left of them. */
struct memory *shares_make(struct shares *s, const struct tenant *t,
                           size_t bytes, char id[SHARE_ID], struct err *e);

/* Returns the memory of a share of that tenant, borrowed; NULL with
 * ERR_NOT_FOUND. */
struct memory *shares_find(const struct shares *s, const struct tenant *t,
                           const char *id, struct err *e);

size_t shares_count(const struct shares *s);
size_t shares_bytes(const struct shares *s);	/* of all */

#endif
