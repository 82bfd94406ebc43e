/* nearest.h - the known name that a mistyped one was probably meant to be.
 *
 *     struct nearest n = nearest_to(typed);
 *
 *     for each known name: nearest_add(&n, name);
 *     err_set(e, ..., "no %s, there are %s%s", typed, nearest_list(&n),
 *             nearest_hint(&n));
 *     nearest_fini(&n);
 *
 * Names are compared without case, '-' and '_'. A name is near when it is the
 * typed one then, when one of both begins with the other (three characters or
 * more), or when at most a third of its characters must be inserted, deleted,
 * replaced or swapped with their neighbour (F. J. Damerau, 1964).
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/text.h"

enum { NEAREST_NAME = 48, NEAREST_HINT = NEAREST_NAME + 24 };

struct nearest {
	const char *typed;		/* borrowed, as the names tried are */
	const char *name;		/* the nearest; NULL: none is near */
	int distance;			/* of that one */
	struct text list;
	char hint[NEAREST_HINT];
};

struct nearest nearest_to(const char *typed);
void nearest_fini(struct nearest *n);

/* Look at known names, of NULL-terminated lists; nearest_add() and its like
 * keep them for the list, too. */
void nearest_try(struct nearest *n, const char *name);
void nearest_try_all(struct nearest *n, const char *const *names);
void nearest_add(struct nearest *n, const char *name);
void nearest_add_all(struct nearest *n, const char *const *names);

/* The names that were added: "a, b, c", or "none". */
const char *nearest_list(const struct nearest *n);

/* "; did you mean tol?", or "" when no name is near. */
const char *nearest_hint(struct nearest *n);

/* The same before a further sentence: "." when no name is near. */
const char *nearest_hint_and(struct nearest *n);

#endif
