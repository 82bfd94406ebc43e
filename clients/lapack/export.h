/* export.h - how the files symbols_*.c define what the library exports.
 *
 * Fortran passes every argument by address, and after the last one the length
 * of each CHARACTER argument. C programs often leave these lengths out, so they
 * are not read here; the next library gets them. */
#ifndef CLIENTS_LAPACK_EXPORT_H
#define CLIENTS_LAPACK_EXPORT_H

#include "clients/lapack/routines.h"
#include "clients/lapack/symbol.h"

#define EXPORT __attribute__((visibility("default")))

/* The function that symbol_next() returns, of that type. */
#define NEXT(type, symbol) ((type *)symbol_next(symbol))

/* Complex routines have an argument more after LWORK. A macro that defines a
 * routine takes it as `rest`, to declare it, and as `pass`, to pass it on. */
#define NONE
#define RWORK void *rwork,
#define PASS_RWORK rwork,

/* Stores lwork, which suffices, where a routine answers the best length of its
 * workspace. */
void export_store_work(const struct kind *k, void *work, fint lwork);

#endif
