/* touch.h - the pages of a large piece of memory, brought by threads that end
 * by themselves: one by one, as the piece is written, takes longer than the
 * writing. Small pieces are left alone.
 */
#ifndef MATRIX_TOUCH_H
#define MATRIX_TOUCH_H

#include "matrix/memory.h"

/* From `got` bytes on, n more are about to be written. The rest is touched
 * once a good part has come: who only promises a large body gets none. */
void touch_ahead(struct memory *m, size_t got, size_t n);

/* The whole piece, which is to be written soon. */
void touch_all(struct memory *m);

#endif
