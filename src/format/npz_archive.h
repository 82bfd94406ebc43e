/* npz_archive.h - one member of an npz archive, for npz.c and npz_sparse.c. */
#ifndef FORMAT_NPZ_ARCHIVE_H
#define FORMAT_NPZ_ARCHIVE_H

#include <zip.h>

#include "format/part.h"

/* Inflates member i, an npy file, into the operand that the part names.
 * p->length is the member's. */
int npz_read_member(zip_t *z, zip_uint64_t i, const struct part *p,
                    struct err *e);

/* Was the archive written by scipy.sparse.save_npz()? Its arrays are then the
 * lists of one sparse matrix: format, shape, data, and two lists of places. If
 * the part has no name, none of these is an operand's. */
bool npz_is_sparse(const struct part *p, zip_t *z);

/* Reads that matrix into the operand that the part names. */
int npz_read_sparse(zip_t *z, const struct part *p, struct err *e);

#endif
