/* touch.h - the pages of a large piece of memory, brought by threads that end
 * by themselves while one other writes it from its start: page by page, as it
 * gets there, takes longer than the writing.
 */
#ifndef MATRIX_TOUCH_H
#define MATRIX_TOUCH_H

#include "matrix/memory.h"

/* From `got` bytes on, n more are about to be written. The rest is touched
 * once a good part has come: who only promises a large body gets none. */
void touch_ahead(struct memory *m, size_t got, size_t n);

#endif
