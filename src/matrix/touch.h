/* touch.h - prefaults the pages of a large piece of memory on helper threads.
 *
 * Faulting pages in one at a time while a body is written costs more than the
 * writing itself. The threads stop when they are done, and before the piece is
 * freed or resized. Small pieces are not prefaulted, nor is any while the pool
 * still has too many pages to give back (memory_pool_is_behind()).
 */
#ifndef MATRIX_TOUCH_H
#define MATRIX_TOUCH_H

#include "matrix/memory.h"

/* Starts prefaulting the bytes in [from, to), which will be written soon, and
 * returns at once. */
void touch_range(struct memory *m, size_t from, size_t to);

/* Does the same for the whole piece. */
void touch_all(struct memory *m);

/* Stops the threads and waits for them; called before the piece is freed or
 * resized. */
void touch_end(struct memory *m);

/* To be called when the piece has grown: not all of its pages are faulted in
 * any more. */
void touch_forget(struct memory *m);

extern long touch_processors;	/* set by tests; 0: as many as there are */

#endif
