/* touch.h - prefaults the pages of a large piece of memory on helper threads.
 *
 * Faulting pages in one at a time while a body is written costs more than the
 * writing itself. The threads stop when they are done, and before the piece is
 * freed or resized. Small pieces are left alone.
 */
#ifndef MATRIX_TOUCH_H
#define MATRIX_TOUCH_H

#include "matrix/memory.h"

/* The bytes from `from` to before `to`, which are to be written soon. */
void touch_range(struct memory *m, size_t from, size_t to);

/* The whole piece, which is to be written soon. */
void touch_all(struct memory *m);

/* Before the piece is let go or resized: they end, which takes a moment. */
void touch_end(struct memory *m);

extern long touch_processors;	/* of tests; 0: as many as there are */

#endif
