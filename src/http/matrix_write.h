/* matrix_write.h - stores a matrix under the name in the request's path, and
 * replies when it is on the disk or, with a fleet, in its database.
 *
 * Without a fleet, the matrix is in the store before it is on the disk. If the
 * disk refuses it, what it replaced is put back, and the reply is the problem.
 */
#ifndef HTTP_MATRIX_WRITE_H
#define HTTP_MATRIX_WRITE_H

#include "http/wanted.h"
#include "http/written.h"
#include "matrix/store.h"

/* The first member of the handler's state. */
struct matrix_write {
	struct written written;
	struct api *api;
	struct tenant *tenant;
	char name[STORE_NAME];
	uint64_t version;		/* of the matrix, once it is stored */
	struct stored before;		/* what it replaced; its matrix is
					 * absent if there was none */
	/* With a fleet: */
	struct matrix matrix;
	int64_t ttl_ns;
	struct wanted target;		/* what the name has */
	struct asker by;
};

/* free() frees the handler's state and calls matrix_write_fini(). The name must
 * be one that store_check_name() accepts. */
void matrix_write_init(struct matrix_write *w, struct exchange *x,
                       void (*free)(void *state));
void matrix_write_fini(struct matrix_write *w);

/* To be called by the handler's begin(): with a fleet, checks the request's
 * preconditions before its body is read. */
int matrix_write_check(struct matrix_write *w, struct err *e);

/* Takes *m over, which is stored for ttl_ns (0: no limit), and replies 201 or
 * 204, later. -1 with an error if it cannot be stored. */
int matrix_write(struct matrix_write *w, struct matrix *m, int64_t ttl_ns,
                 struct err *e);

#endif
