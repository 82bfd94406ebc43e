/* shelve.h - writes stored matrices within a transaction, for requests that
 * store one (put.c) and for jobs that store their outputs (record.c, put.c).
 *
 *     shelve_files ─▶ BEGIN
 *           ─▶ shelve_write: rows and chunks, which nobody sees
 *           ─▶ shelve_show: locks the names, checks, replaces ─▶ COMMIT
 *
 * The names are locked only for the second, short part. */
#ifndef FLEET_SHELVE_H
#define FLEET_SHELVE_H

#include "fleet/cache.h"
#include "queue/keep.h"

struct shelf {
	char name[STORE_NAME];
	struct matrix matrix;		/* a reference */
	bool insists;			/* the name must have that version: */
	uint64_t expected;		/* 0: none */
	uint64_t version;		/* once it was written; 0: not yet */
	char file[SHARED_NAME];		/* the elements' file in the shared
					 * directory; "": there is none */
};

struct shelving {
	char tenant[STORE_TENANT];
	uint64_t limit;			/* bytes that the tenant may store; 0:
					 * any number */
	int64_t ttl_ns;			/* 0: no limit */
	struct shared *shared;
	bool new;			/* the first name had no matrix */
	int n;
	struct shelf shelf[OP_OUTPUTS];
};

/* Adds a matrix, of which it takes a reference. */
struct shelf *shelving_add(struct shelving *s, const char *name,
                           const struct matrix *m);
/* Sets s to what the job's outputs are to be stored as (keep_outputs()). */
void shelving_of_job(struct shelving *s, const struct fleet *f,
                     const struct keeping *k);
void shelving_fini(struct shelving *s);

/* Bytes of the matrices. */
uint64_t shelving_bytes(const struct shelving *s);

/* Writes large matrices to the shared directory, if it is there. */
void shelve_files(struct shelving *s);
/* Removes these files, which no row names. */
void shelve_drop_files(struct shelving *s);

/* Within a transaction, in this order; -1 with *e, then the transaction must be
 * rolled back. shelve_show(): ERR_PRECONDITION, ERR_QUOTA, ERR_TOO_LARGE. */
int shelve_write(struct shelving *s, struct pg *p, struct err *e);
int shelve_show(struct shelving *s, struct pg *p, struct err *e);

/* Did an earlier transaction, whose answer to COMMIT was lost, write the
 * matrices? */
int shelve_check(const struct shelving *s, struct pg *p, bool *written,
                 struct err *e);

/* Keeps copies of what was written, on the loop's thread. */
void shelve_keep(struct fleet *f, const struct shelving *s);

#endif
