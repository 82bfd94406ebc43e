/* sheet.h - the properties of the grid as a device, and whether it computes
 * correctly. All functions are collective. */
#ifndef MPI_SHEET_H
#define MPI_SHEET_H

#include "mpi/grid.h"
#include "wire/sheet.h"

/* The memory is that of the process with the least, times their number, because
 * all have equal shares. threads: of this process. */
void sheet_of_grid(const struct ranks *g, int index, int threads,
                   struct sheet *s);

/* Multiplies matrices of small whole numbers, several blocks long, whose
 * product every type holds exactly. -1 with *e if the product is wrong. */
int sheet_canary(const struct ranks *g, struct err *e);

/* Returns how many processes share this one's processors: those on its host
 * that are bound to the same ones, or all of them if none is bound. */
int sheet_sharers(void);

#endif
