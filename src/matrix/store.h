/* store.h - stored matrices: kept under a name, to be operands of many jobs.
 *
 * They stay until they are removed or the store is freed, and count against the
 * pool that their memory comes from. A stored matrix is never overwritten: a
 * new one of the same name replaces it, and jobs that refer to the old one keep
 * its memory. Only the loop's thread uses the store.
 */
#ifndef MATRIX_STORE_H
#define MATRIX_STORE_H

#include "matrix/matrix.h"

enum { STORE_NAME = 129 };

struct stored {
	char name[STORE_NAME];
	struct matrix matrix;
};

struct store;

struct store *store_new(struct err *e);
void store_free(struct store *s);

/* Is the name 1 to 128 characters of A-Z a-z 0-9 . _ -, the first not a dot? -1
 * with ERR_REQUEST if not. */
int store_check_name(const char *name, struct err *e);

/* Takes over the matrix, which becomes absent, and stores it under that name: 1
 * if the name is new, 0 if a matrix was replaced, -1 without memory. */
int store_put(struct store *s, const char *name, struct matrix *m,
              struct err *e);

/* Returns the stored matrix of that name, valid until the store changes, or
 * NULL with ERR_NOT_FOUND. */
const struct stored *store_find(const struct store *s, const char *name,
                                struct err *e);
void store_remove(struct store *s, const struct stored *at);

/* Stored matrix i in the order of names, 0 <= i < store_count(). */
size_t store_count(const struct store *s);
size_t store_bytes(const struct store *s);	/* of all, with their indices */
const struct stored *store_at(const struct store *s, size_t i);

#endif
