/* cache.h - this host's copies of stored matrices (matrices.h), and the fetches
 * that are under way; for src/fleet alone, on the loop's thread. */
#ifndef FLEET_CACHE_H
#define FLEET_CACHE_H

#include "fleet/fleet_state.h"

/* Returns the copy of a version under the tenant's name, and notes that it is
 * used; NULL if this host has none. version 0: whichever it has. */
const struct stored *cache_find(struct fleet *f, const char *tenant,
                                const char *name, uint64_t version);

/* Does the same whatever its name. */
const struct stored *cache_find_version(struct fleet *f, const char *tenant,
                                        uint64_t version);

/* Keeps a copy, instead of an older one of the same name. Without memory for
 * the entry, does nothing. */
void cache_add(struct fleet *f, const struct stored *s);

/* Marks m as the elements of that version, by which devices that keep copies
 * know them, unless it has the elements of another version. */
void cache_mark(struct matrix *m, uint64_t version);

/* Returns the version of the tenant's stored matrix that m is a reference to,
 * by this host's copies; 0 if it is none. */
uint64_t cache_version(const struct fleet *f, const char *tenant,
                       const struct matrix *m);

/* Calls then(arg, s, e) with the stored matrix of that version, borrowed, even
 * if it was replaced meanwhile, or with NULL and *e: ERR_GONE, ERR_STATE,
 * ERR_MEMORY, ERR_TOO_LARGE. Calls for the same version share one fetch.
 * `bytes`: about how large it is. May call then() before it returns. */
void cache_fetch(struct fleet *f, uint64_t version, uint64_t bytes,
                 void (*then)(void *arg, const struct stored *s,
                              const struct err *e), void *arg);

#endif
