/* matrix_write.h - stores a matrix under the name in the request's path, and
 * replies when it is in the service's depot (queue/depot.h). */
#ifndef HTTP_MATRIX_WRITE_H
#define HTTP_MATRIX_WRITE_H

#include "http/wanted.h"

/* { 0 } has not begun. */
struct matrix_write {
	struct exchange *x;
	struct api *api;
	struct matrix matrix;
	int64_t ttl_ns;
	struct wanted target;		/* what the name has */
	struct asker by;
};

/* The name must be one that store_check_name() accepts. */
void matrix_write_init(struct matrix_write *w, struct exchange *x);
void matrix_write_fini(struct matrix_write *w);

/* To be called by the handler's begin(): checks the request's preconditions
 * before its body is read. */
int matrix_write_check(struct matrix_write *w, struct err *e);

/* Takes *m over, which is stored for ttl_ns (0: no limit), and replies 201 or
 * 204, maybe later. -1 with an error if it cannot be stored. */
int matrix_write(struct matrix_write *w, struct matrix *m, int64_t ttl_ns,
                 struct err *e);

#endif
