/* blacs.h - what linalgd-mpi calls of the BLACS, the communication layer of
 * ScaLAPACK, which installs no header. */
#ifndef MPI_BLACS_H
#define MPI_BLACS_H

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int cols);
void Cblacs_gridinfo(int context, int *rows, int *cols, int *row, int *col);
void Cblacs_gridexit(int context);

#endif
