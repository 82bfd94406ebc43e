/* pages.h - maps shared memory in large (2 MiB) pages where the system provides
 * them: faulting small pages in, one by one and in every process, takes longer
 * than writing the data.
 */
#ifndef MATRIX_PAGES_H
#define MATRIX_PAGES_H

#include <stdbool.h>
#include <stddef.h>

enum { PAGES_LARGE = 2 << 20 };		/* bytes of a large page */

/* Maps fd's first `bytes` bytes, at least one, for reading or, if writable, for
 * writing, too. NULL with errno. */
void *pages_map(int fd, size_t bytes, bool writable);

/* Faults in the pages of mapped memory, as many as some 50 ms suffice for, so
 * that a worker can be told to leave the call. The contents stay, and other
 * threads may write meanwhile. Failures are ignored, since a page is faulted in
 * anyway when it is first used. */
void pages_bring(void *at, size_t bytes, bool writable);

/* Returns memory that free() frees, or NULL. Blocks of 32 MiB and more, which
 * malloc() maps anew each time, are in large pages, because faulting in small
 * ones takes long. */
void *pages_new(size_t bytes);

#endif
