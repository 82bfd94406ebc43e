/* blocks.c - see blocks.h. */
#include <sys/mman.h>

#include "base/clock.h"
#include "base/size.h"
#include "matrix/blocks.h"
#include "matrix/pages.h"

enum { KEPT = 8, SLACK = 64 << 10 };

static struct {
	void *data;			/* NULL: no block */
	size_t room;
	int64_t given_ns;
} kept[KEPT];

static void *map(size_t room)
{
	void *data = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	                  MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (data == MAP_FAILED)
		return NULL;
	if (room >= PAGES_LARGE)
		madvise(data, room, MADV_HUGEPAGE);
	return data;
}

/* Of the kept blocks that are large enough, this takes the one that was given
 * back last, because it is most likely to be in a cache. */
void *blocks_take(size_t bytes, size_t *room)
{
	int best = -1;
	void *data;

	for (int i = 0; i < KEPT; i++)
		if (kept[i].data && kept[i].room >= bytes &&
		    kept[i].room <= 2 * bytes + SLACK &&
		    (best < 0 || kept[i].given_ns > kept[best].given_ns))
			best = i;
	if (best < 0) {
		*room = size_round_up(size_max(bytes, 1), 4096);
		return map(*room);
	}
	data = kept[best].data;
	*room = kept[best].room;
	kept[best].data = NULL;
	return data;
}

void blocks_give(void *data, size_t room)
{
	int oldest = 0;

	for (int i = 0; i < KEPT && kept[oldest].data; i++)
		if (!kept[i].data || kept[i].given_ns < kept[oldest].given_ns)
			oldest = i;
	if (kept[oldest].data)
		munmap(kept[oldest].data, kept[oldest].room);
	kept[oldest].data = data;
	kept[oldest].room = room;
	kept[oldest].given_ns = clock_ns();
}

bool blocks_trim(int64_t before_ns)
{
	bool some = false;

	for (int i = 0; i < KEPT; i++) {
		if (!kept[i].data)
			continue;
		if (kept[i].given_ns >= before_ns) {
			some = true;
			continue;
		}
		munmap(kept[i].data, kept[i].room);
		kept[i].data = NULL;
	}
	return some;
}
