/* sort.c - see sort.h: runs of BLOCK elements are sorted, then two at a time
 * are merged, from x to the memory beside it and back. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/slice.h"
#include "base/sort.h"

enum { BLOCK = 4096 };			/* elements: well below 1 ms */

struct sort {
	size_t n, bytes;
	int (*compare)(const void *a, const void *b);
};

static int sort_blocks(const struct sort *s, char *x, struct err *e)
{
	for (size_t i = 0; i < s->n; i += BLOCK) {
		qsort(x + i * s->bytes, size_min(BLOCK, s->n - i), s->bytes,
		      s->compare);
		if (slice_next(e))
			return -1;
	}
	return 0;
}

/* The runs that begin at `left` and at `right` and end before `right` and
 * `end` become one, in `to`. */
static int merge(const struct sort *s, const char *x, char *to, size_t left,
                 size_t right, size_t end, struct err *e)
{
	const size_t middle = right, bytes = s->bytes;

	for (size_t k = left; k < end; k++) {
		const bool first = left < middle &&
		    (right == end || s->compare(x + left * bytes,
		                                x + right * bytes) <= 0);

		memcpy(to + k * bytes, x + (first ? left++ : right++) * bytes,
		       bytes);
		if (slice_every(k, e))
			return -1;
	}
	return 0;
}

static int merge_all(const struct sort *s, char *x, char *room, struct err *e)
{
	char *from = x, *to = room;

	for (size_t run = BLOCK; run < s->n; run *= 2) {
		char *const unused = from;

		for (size_t i = 0; i < s->n; i += 2 * run)
			if (merge(s, from, to, i, size_min(i + run, s->n),
			          size_min(i + 2 * run, s->n), e))
				return -1;
		from = to;
		to = unused;
	}
	for (size_t i = 0; i < s->n && from != x; i += BLOCK) {
		memcpy(x + i * s->bytes, from + i * s->bytes,
		       size_min(BLOCK, s->n - i) * s->bytes);
		if (slice_next(e))
			return -1;
	}
	return 0;
}

int sort_sliced(void *x, size_t n, size_t bytes,
                int (*compare)(const void *a, const void *b), struct err *e)
{
	const struct sort s = { n, bytes, compare };
	char *room;
	int rc;

	if (n <= BLOCK) {
		qsort(x, n, bytes, compare);
		return 0;
	}
	room = malloc(n * bytes);
	if (!room)
		return err_set(e, ERR_MEMORY, "no memory to sort %zu elements",
		               n);
	rc = sort_blocks(&s, x, e) < 0 ? -1 : merge_all(&s, x, room, e);
	free(room);
	return rc;
}
