/* mm_banner.h - reads the first line of a Matrix Market file. */
#ifndef FORMAT_MM_BANNER_H
#define FORMAT_MM_BANNER_H

#include "format/mm_layout.h"

/* What the line says of the matrix. The symmetry of a hermitian one is that of
 * its real part, MM_SYMMETRIC; `hermitian` is set if it is complex. */
struct mm_banner {
	bool coordinate, pattern, integers, complex, hermitian;
	enum mm_symmetry symmetry;
};

/* Returns NULL, or what the line must be. */
const char *mm_banner_read(struct mm_banner *b, const char *p,
                           const char *end);

#endif
