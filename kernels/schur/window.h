/* window.h - the window of a chain of bulges: the rows and columns on which its
 * reflections act during a launch of schur_chase. */
#ifndef KERNELS_SCHUR_WINDOW_H
#define KERNELS_SCHUR_WINDOW_H

#include "shared/schur_tile.h"

/* A bulge at position p is the reflection of the rows p + 1 to p + 3 that makes
 * zeros in column p. Its positions are top - 1, where it is introduced, to
 * bottom - 2. The bulges of a chain are three positions apart; `front` is the
 * position of the first one at the beginning of the launch. */
struct window {
	int lo, hi;		/* the first and the last row that reflections
				 * act on */
};

/* Returns whether a bulge of the chain is between top and bottom during the
 * launch, and sets *w if so. */
static bool window_of(int top, int bottom, int front, struct window *w)
{
	const int last = front - 3 * (SCHUR_BULGES - 1);

	w->lo = max(top, last + 1);
	w->hi = min(bottom, front + SCHUR_STEPS + 2);
	return front + SCHUR_STEPS >= top && last <= bottom - 2;
}

#endif
