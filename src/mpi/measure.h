/* measure.h - norms of a distributed matrix and its products with a vector, by
 * which answers are judged. They are computed in double precision, in O(m n)
 * operations, and every process gets the result. Vectors are whole ones. */
#ifndef MPI_MEASURE_H
#define MPI_MEASURE_H

#include "mpi/dist.h"

enum measure_part {
	MEASURE_ALL,
	MEASURE_UPPER,			/* with the diagonal */
	MEASURE_LOWER			/* below it, with ones on it */
};

/* y = M x, where M is that part of d; y has d->m elements, or min(m, n) for
 * MEASURE_UPPER, x d->n, or min(m, n) for MEASURE_LOWER. */
void measure_times(const struct dist *d, enum measure_part part,
                   const double *x, double *y);

/* The same with the absolute values of all elements of d and of x. */
void measure_times_moduli(const struct dist *d, const double *x, double *y);

/* Column j of d. */
void measure_column(const struct dist *d, size_t j, double *x);

/* The sums of absolute values of every column, or every row; and the largest of
 * n numbers. */
void measure_columns(const struct dist *d, double *sums);
void measure_rows(const struct dist *d, double *sums);
double measure_largest(const double *x, size_t n);

/* The sums of the squares of every column. */
void measure_squares(const struct dist *d, double *sums);

/* Element i of a fixed vector of signs. */
double measure_sign(size_t i);

#endif
