/* npy_header.h - the Python dictionary at the head of an npy file.
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 *
 * Source: NumPy Enhancement Proposal 1 and numpy.lib.format, versions 1.0
 * to 3.0. The parser knows just that grammar; nothing is evaluated.
 */
#ifndef FORMAT_NPY_HEADER_H
#define FORMAT_NPY_HEADER_H

#include "matrix/convert.h"

enum { NPY_DICT_MOST = 64 << 10 };

struct npy_header {
	struct element element;
	bool fortran;			/* the first index runs fastest */
	int ndim;
	size_t dim[MATRIX_DIMS];
};

/* Parses the dictionary of n bytes. ERR_FORMAT if it is malformed, or if such
 * an array cannot be an operand. */
int npy_header_parse(struct npy_header *h, const char *label,
                     const char *dict, size_t n, struct err *e);

#endif
