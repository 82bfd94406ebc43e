/* nearest.h - the known name that a mistyped one was probably meant to be.
 *
 *     struct nearest n = nearest_to(typed);
 *
 *     for each known name: nearest_add(&n, name);
 *     err_set(e, ..., "no %s, there are %s%s", typed, nearest_list(&n),
 *             nearest_hint(&n));
 *     nearest_fini(&n);
 *
 * Names are compared without regard to case, '-' and '_'. Two names are near if
 * they are equal in this sense, if one begins with the other (of three
 * characters or more), or if inserting, deleting and replacing characters and
 * swapping neighbours makes them equal in at most as many edits as a third of
 * the longer one's length (F. J. Damerau, 1964).
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/text.h"

enum { NEAREST_NAME = 48, NEAREST_HINT = NEAREST_NAME + 24 };

struct nearest {
	const char *typed;		/* borrowed, as the names tried are */
	const char *name;		/* the nearest; NULL: none is near */
	int distance;			/* of name from typed, in edits */
	struct text list;
	char hint[NEAREST_HINT];
};

struct nearest nearest_to(const char *typed);
void nearest_fini(struct nearest *n);

/* Compare a known name, or each of a NULL-terminated list; nearest_add() and
 * nearest_add_all() also append them to nearest_list(). */
void nearest_try(struct nearest *n, const char *name);
void nearest_try_all(struct nearest *n, const char *const *names);
void nearest_add(struct nearest *n, const char *name);
void nearest_add_all(struct nearest *n, const char *const *names);

/* The names that were added: "a, b, c", or "none". */
const char *nearest_list(const struct nearest *n);

/* "; did you mean tol?", or "" when no name is near. */
const char *nearest_hint(struct nearest *n);

/* The same where a further sentence follows: "." when no name is near. */
const char *nearest_hint_and(struct nearest *n);

#endif
