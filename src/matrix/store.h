/* store.h - stored matrices: matrices that are kept under a name, to be
 * operands of many jobs.
 *
 * A name is one of a tenant: the same name of another tenant is another matrix.
 * A stored matrix stays until it is removed, its time to live ends, or the
 * store is freed. Its bytes count against the pool that its memory comes from.
 * A stored matrix is never overwritten: a new one of the same name replaces it,
 * and jobs that refer to the old one keep its memory. Only the loop's thread
 * uses the store.
 */
#ifndef MATRIX_STORE_H
#define MATRIX_STORE_H

#include "matrix/matrix.h"

enum { STORE_NAME = 129, STORE_TENANT = 40 };

struct stored {
	char tenant[STORE_TENANT];
	char name[STORE_NAME];
	struct matrix matrix;
	uint64_t version;		/* a number that no other matrix of this
					 * store, of any name, has or had */
	int64_t created_ms;		/* clock_wall_ms() */
	int64_t expires_ms;		/* clock_wall_ms(); 0: never */
	int64_t until_ns;		/* clock_ns(); INT64_MAX: never */
	int64_t used_ns;		/* clock_ns() of the last store_use() */
};

/* A matrix to be stored. */
struct store_entry {
	const char *tenant;
	const char *name;
	struct matrix *matrix;
	int64_t ttl_ns;			/* time to live; 0: no limit */
};

/* The room of store_largest()'s text, in bytes. */
enum { STORE_LARGEST_TEXT = 120 };

struct store;

struct store *store_new(struct err *e);
void store_free(struct store *s);

/* Is the name 1 to 128 characters of A-Z a-z 0-9 . _ -, the first not a dot? -1
 * with ERR_REQUEST if not. */
int store_check_name(const char *name, struct err *e);

/* Stores a matrix under a tenant's name, with the default time to live. Takes
 * the matrix over: *m becomes absent. Returns 1 if the name is new, 0 if a
 * matrix was replaced, -1 without memory. */
int store_put(struct store *s, const char *tenant, const char *name,
              struct matrix *m, struct err *e);

/* Stores n matrices, whose names must differ, and takes them over. Returns 0,
 * or -1 without memory: then none is stored or taken over. */
int store_put_all(struct store *s, const struct store_entry *x, size_t n,
                  struct err *e);

/* Sets the default time to live, in nanoseconds; 0: no limit. */
void store_set_ttl(struct store *s, int64_t ttl_ns);
int64_t store_ttl(const struct store *s);

/* Makes the store call fn(arg) after each call that stored matrices. */
void store_on_put(struct store *s, void (*fn)(void *arg), void *arg);

/* Makes the store call fn(arg, s) before it removes a matrix whose time to live
 * has ended. */
void store_on_expiry(struct store *s,
                     void (*fn)(void *arg, const struct stored *s), void *arg);

/* Puts a matrix back that an earlier process stored, or that was replaced, as
 * it was: with its version and its times (until_ns is computed). Takes the
 * matrix of *was over. Versions given from now on are larger than any that the
 * store has seen. */
int store_restore(struct store *s, struct stored *was, struct err *e);
/* Does the same with a matrix of another store, whose until_ns holds. */
int store_keep(struct store *s, struct stored *was, struct err *e);
/* Notes that the stored matrix is used. */
void store_use(struct store *s, const struct stored *at);
void store_see_version(struct store *s, uint64_t version);

/* Removes the matrices whose time to live has ended. Returns the clock_ns() at
 * which the next matrix expires; INT64_MAX if none will. */
int64_t store_expire(struct store *s);

/* Returns the tenant's stored matrix of that name, valid until the store
 * changes. NULL with ERR_NOT_FOUND if there is none, or if its time to live has
 * ended. */
const struct stored *store_find(const struct store *s, const char *tenant,
                                const char *name, struct err *e);
void store_remove(struct store *s, const struct stored *at);

/* Stored matrix i in the order of tenants and names, 0 <= i < store_count(). */
size_t store_count(const struct store *s);
size_t store_bytes(const struct store *s);	/* of all, with their indices */
const struct stored *store_at(const struct store *s, size_t i);

/* The matrices of a tenant are those from *first to before *end. */
void store_range(const struct store *s, const char *tenant, size_t *first,
                 size_t *end);
/* The bytes of a tenant's matrices, with their indices. */
size_t store_bytes_of(const struct store *s, const char *tenant);

/* The bytes of a stored matrix, its index included. */
size_t stored_bytes(const struct stored *s);

/* Writes the names and sizes of at most three of the tenant's largest matrices,
 * as many as fit, as "a (80000 bytes), b (96 bytes)"; "" if it has none.
 * Returns text. */
const char *store_largest(const struct store *s, const char *tenant,
                          char text[STORE_LARGEST_TEXT]);

#endif
