/* matrices.h - the matrices that are stored in a fleet's database, under names
 * that every host finds, and the saved pipelines.
 *
 *     matrices_find() ──▶ S_MATRIX_FIND: versions ──▶ this host's copy, or
 *                                  matrices_fetch() ──▶ the chunks, once
 *
 * A version is written once and never changes. This host keeps copies of those
 * that it has used, as long as there is memory (cache.h). Each use asks the
 * database first which version the name has, by one short statement: so no copy
 * is used after another host has replaced or removed the matrix.
 *
 * What fleet.h says of threads, callbacks and struct fleet_ask holds here.
 */
#ifndef FLEET_MATRICES_H
#define FLEET_MATRICES_H

#include "fleet/fleet.h"
#include "matrix/store.h"
#include "queue/keep.h"

/* What is sought. */
struct sought {
	const char (*names)[STORE_NAME];
	size_t n;
	bool elements;			/* not only versions and shapes */
	bool stale;			/* while the database does not answer,
					 * this host's copies may serve */
};

/* Finds the tenant's stored matrices of these names, and puts those that exist
 * into `into`, which must exist until then() or fleet_cancel(). then(arg,
 * stale, e): with `stale`, they are copies that the database did not confirm.
 * Errors are ERR_STATE, ERR_MEMORY and ERR_TOO_LARGE. */
struct fleet_ask *matrices_find(struct fleet *f, const struct tenant *t,
                                const struct sought *what, struct store *into,
                                void (*then)(void *arg, bool stale,
                                             const struct err *e), void *arg,
                                struct err *e);

/* Puts all of the tenant's stored matrices, without memory, into `into`. */
struct fleet_ask *matrices_list(struct fleet *f, const struct tenant *t,
                                struct store *into,
                                void (*then)(void *arg, const struct err *e),
                                void *arg, struct err *e);

/* Stores a matrix, of which it takes a reference. `expected`: the version that
 * the name must have, 0: none; NULL: any. then() gets the version that the
 * matrix has, and whether the name is new. Errors are ERR_PRECONDITION,
 * ERR_QUOTA, ERR_TOO_LARGE, ERR_STATE. A matrix is stored even if its client
 * leaves (fleet_cancel()). */
struct fleet_ask *matrices_put(struct fleet *f, const struct tenant *t,
                               const char *name, const struct matrix *m,
                               int64_t ttl_ns, const uint64_t *expected,
                               void (*then)(void *arg, uint64_t version,
                                            bool new, const struct err *e),
                               void *arg, struct err *e);

/* Removes a stored matrix: ERR_NOT_FOUND, or with `expected`
 * ERR_PRECONDITION. */
struct fleet_ask *matrices_remove(struct fleet *f, const struct tenant *t,
                                  const char *name, const uint64_t *expected,
                                  void (*then)(void *arg,
                                               const struct err *e),
                                  void *arg, struct err *e);

/* Evicts copies that nothing uses, the one that was used least recently first,
 * until so many bytes of memory are free, or none is left. */
void matrices_make_room(struct fleet *f, uint64_t bytes);

/* Stores the outputs of jobs that this process runs for its own clients. */
struct keeper *matrices_keeper(struct fleet *f);

/* The random number of the database that is part of entity tags; 0 before this
 * host has joined the fleet. */
uint64_t matrices_service(const struct fleet *f);

/* --- saved pipelines */

/* Calls visit(arg, name, text) for the tenant's pipeline of that name, or for
 * all of them if name is NULL; then then(arg, e). ERR_NOT_FOUND if there is
 * none of that name. */
struct fleet_ask *matrices_pipelines(struct fleet *f, const struct tenant *t,
                                     const char *name,
                                     void (*visit)(void *arg,
                                                   const char *name,
                                                   const char *text),
                                     void (*then)(void *arg,
                                                  const struct err *e),
                                     void *arg, struct err *e);

/* Saves a pipeline unless the tenant has `most` others; text NULL: removes it.
 * then() gets whether the name is new. ERR_MEMORY, ERR_NOT_FOUND. */
struct fleet_ask *matrices_pipeline_put(struct fleet *f,
                                        const struct tenant *t,
                                        const char *name, const char *text,
                                        int most,
                                        void (*then)(void *arg, bool new,
                                                     const struct err *e),
                                        void *arg, struct err *e);

#endif
