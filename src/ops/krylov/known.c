/* known.c - what the host has found out about the stored matrices that it
 * solved systems with last; see krylov.h. Contents with a number do not change,
 * and a worker computes one call at a time. */
#include <stdlib.h>

#include "base/size.h"
#include "ops/krylov/krylov.h"

/* The matrices that are remembered, and the most rows of one. */
enum { MATRICES = 8, ROWS = 8 << 20 };

static struct krylov_known known[MATRICES];
static uint64_t stamp;

static void forget(struct krylov_known *w)
{
	free(w->look.corner);
	for (int i = 0; i < 4; i++) {
		free(w->made[i / 2][i % 2].lower.begin);
		free(w->made[i / 2][i % 2].upper.begin);
	}
	*w = (struct krylov_known){ 0 };
}

struct krylov_known *krylov_known(const struct matrix *m)
{
	const uint64_t stored = m->memory ? m->memory->stored : 0;
	struct krylov_known *oldest = known;

	if (stored == 0 || m->dim[0] > ROWS)
		return NULL;
	for (int i = 0; i < MATRICES; i++) {
		struct krylov_known *w = &known[i];

		if (w->stored == stored && w->dtype == m->dtype) {
			w->stamp = ++stamp;
			return w;
		}
		if (w->stamp < oldest->stamp)
			oldest = w;
	}
	forget(oldest);
	oldest->stored = stored;
	oldest->dtype = m->dtype;
	oldest->stamp = ++stamp;
	return oldest;
}
