/* pages.h - shared memory in the system's large pages, where it lends them:
 * small ones take longer to come, one by one and in every process, than what
 * is written there.
 */
#ifndef MATRIX_PAGES_H
#define MATRIX_PAGES_H

#include <stdbool.h>
#include <stddef.h>

enum { PAGES_LARGE = 2 << 20 };		/* bytes of a large page */

/* Maps the descriptor's first bytes, at least one, to be read, or to be
 * written as well; NULL: errno says why not. */
void *pages_map(int fd, size_t bytes, bool writable);

/* Has all pages of mapped bytes come; contents stay, and others may write
 * meanwhile. A page that does not come now comes when it is touched. */
void pages_bring(void *at, size_t bytes, bool writable);

#endif
