/* resident.h - kernels that keep a panel of LU_NB columns in the registers
 * of one work-group (kernels/lu/resident.cl).
 */
#ifndef OPS_LU_RESIDENT_H
#define OPS_LU_RESIDENT_H

#include <stddef.h>

struct lu_resident {
	const char *kernel;
	int items[2], rows[2];		/* of float32 and float64 */
	int columns;			/* of the matrix, at most */
};

/* Returns the kernel of fewest rows that holds a panel of `rows` rows, of a
 * matrix of `columns` columns with elements of `each` bytes, or NULL if none
 * does. */
const struct lu_resident *lu_resident_for(size_t rows, size_t columns,
                                          size_t each);

#endif
