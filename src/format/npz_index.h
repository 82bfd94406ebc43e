/* npz_index.h - scans an archive's index before libzip reads it, to refuse an
 * archive of too many members and to estimate how much there is to inflate. The
 * layout is that of PKWARE's APPNOTE.TXT, 4.3.
 */
#ifndef FORMAT_NPZ_INDEX_H
#define FORMAT_NPZ_INDEX_H

#include <stddef.h>

/* The number of members; 0 if no record ends an index. Several places may look
 * like such a record, all of which libzip tries: the largest number that one of
 * them gives. It is never more than the index has room for. */
size_t npz_index_members(const void *archive, size_t bytes);

/* The sum of the inflated sizes, in bytes, that the index gives for the first
 * `members` members; 0 if there is no index. */
double npz_index_size(const void *archive, size_t bytes, size_t members);

#endif
