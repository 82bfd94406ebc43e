/* npz_index.h - what an archive's index says of its members, before libzip
 * reads it: enough to refuse what has too many of them, and to know how much
 * there is to inflate. The layout is that of PKWARE's APPNOTE.TXT, 4.3.
 */
#ifndef FORMAT_NPZ_INDEX_H
#define FORMAT_NPZ_INDEX_H

#include <stddef.h>

/* What stands for the index's end may stand in several places, of which libzip
 * tries all: the most members that one of them tells, at most 65535. */
size_t npz_index_members(const void *archive, size_t bytes);

/* What the first members, at most so many, are said to hold; 0 where there is
 * no index. */
double npz_index_size(const void *archive, size_t bytes, size_t members);

#endif
