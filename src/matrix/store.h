/* store.h - matrices kept under a name, to be operands of many jobs.
 *
 * They stay until they are removed or the store goes, and count against the
 * pool that their memory comes from. Nobody writes to a stored matrix: a new
 * one takes its place, and who holds the old one keeps it.
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

/* 1 to 128 of A-Z a-z 0-9 . _ -, not beginning with a dot; ERR_REQUEST. */
int store_check_name(const char *name, struct err *e);

/* Takes the matrix, which becomes absent, in place of one of that name:
 * 1 when there was none, 0 when there was, -1 without memory. */
int store_put(struct store *s, const char *name, struct matrix *m,
              struct err *e);

/* Valid until the store changes. NULL with ERR_NOT_FOUND. */
const struct stored *store_find(const struct store *s, const char *name,
                                struct err *e);
void store_remove(struct store *s, const struct stored *at);

/* By name: 0 .. store_count() - 1. */
size_t store_count(const struct store *s);
const struct stored *store_at(const struct store *s, size_t i);

#endif
