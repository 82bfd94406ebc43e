/* touch.h - the pages of a large piece of memory, brought by threads that end
 * by themselves, or when the piece is let go or resized: one by one, as the
 * piece is written, takes longer than the writing. Small pieces are left alone.
 */
#ifndef MATRIX_TOUCH_H
#define MATRIX_TOUCH_H

#include "matrix/memory.h"

/* From `got` bytes on, n more are about to be written. The rest is touched
 * once a good part has come: who only promises a large body gets none. */
void touch_ahead(struct memory *m, size_t got, size_t n);

/* The whole piece, which is to be written soon. */
void touch_all(struct memory *m);

/* Before the piece is let go or resized: they end, which takes a moment. */
void touch_end(struct memory *m);

extern long touch_processors;	/* of tests; 0: as many as there are */

#endif
