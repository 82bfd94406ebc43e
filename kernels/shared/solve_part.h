/* solve_part.h - parts of a matrix, for kernels/solve/structure.cl and the
 * host. Both triangles include the diagonal. */
#ifndef KERNELS_SHARED_SOLVE_PART_H
#define KERNELS_SHARED_SOLVE_PART_H

enum solve_part { SOLVE_LOWER = 1, SOLVE_UPPER = 2,
                  SOLVE_ALL = SOLVE_LOWER | SOLVE_UPPER };

#endif
