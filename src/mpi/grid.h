/* grid.h - the processes of linalgd-mpi as a grid of rows and columns, over
 * which ScaLAPACK distributes matrices.
 *
 * Every function is collective: all processes call it, in the same order, and
 * those that return a decision return the same one everywhere. Process 0 is at
 * row 0 and column 0; it alone knows the front.
 */
#ifndef MPI_GRID_H
#define MPI_GRID_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct ranks {
	int size, rank;			/* processes; this one's number */
	int context;			/* of the BLACS */
	int rows, cols, row, col;	/* rank is row * cols + col */
	/* In process 0: was the present call cancelled? */
	bool (*cancelled)(void *arg);
	void *arg;
};

/* Makes the grid, as square as the number of processes allows; MPI must have
 * been initialised. */
void grid_init(struct ranks *g);
void grid_fini(struct ranks *g);

/* Returns the largest of the processes' codes: 0 if all have succeeded. */
enum err_code grid_agree(const struct ranks *g, enum err_code code);

/* Returns ERR_DISMISSED if the present call was cancelled, else 0. */
enum err_code grid_look(const struct ranks *g);

/* Adds up n numbers of each process, element by element; takes the largest of
 * them; every process gets the result in place of its own numbers. */
void grid_sum(const struct ranks *g, double *x, size_t n);
void grid_most(const struct ranks *g, double *x, size_t n);
void grid_sum_ints(const struct ranks *g, int *x, size_t n);

/* Gives every process the n numbers of process 0, so that all decide alike: a
 * sum may be rounded differently in each. */
void grid_share(const struct ranks *g, double *x, size_t n);

/* Sends n bytes of process 0 to all others, which wait for them without using
 * the processor. */
void grid_tell(const struct ranks *g, void *bytes, size_t n);

static inline bool grid_is_first(const struct ranks *g)
{
	return g->rank == 0;
}

#endif
