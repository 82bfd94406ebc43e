/* symbol.h - the names that the library exports: where the next library has
 * them, and how many calls of each the service answered.
 *
 * LINALGD_LAPACK_LEAST  the least order of a problem that is forwarded
 * LINALGD_LAPACK_NEXT   a library to search for what no library of the program
 *                       has
 * LINALGD_LAPACK_LOG    a file to which the end of the process appends a line
 *                       for each name that was called: the name, the calls that
 *                       the service answered, and those that it did not, which
 *                       the next library did
 *
 * All functions may be called by any thread. */
#ifndef CLIENTS_LAPACK_SYMBOL_H
#define CLIENTS_LAPACK_SYMBOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct symbol {
	const char *name;
	_Atomic(void *) next;		/* NULL: not looked for yet */
	atomic_ulong answered, passed_on;
	struct symbol *listed;		/* the one that was called before */
	atomic_flag is_listed;
};

#define SYMBOL(text) { .name = text, .is_listed = ATOMIC_FLAG_INIT }

/* A function whose type the caller knows, and to which it is cast. */
typedef void symbol_call(void);

/* Returns the next library's function. Ends the process with a message if no
 * library has it, since its caller has no other way to go on. */
symbol_call *symbol_next(struct symbol *s);

/* Counts a call, and returns `answered`. */
bool symbol_count(struct symbol *s, bool answered);

/* Is a problem of that order large enough to be forwarded? The order of a
 * product is the cube root of m n k. */
bool symbol_is_worth(double order);

#endif
