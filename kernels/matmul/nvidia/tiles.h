/* tiles.h - what the kernels have in common that multiply packed operands on
 * Hopper's tensor cores: the ring of stages in local memory through which slabs
 * of both operands come, and the order of the tiles.
 *
 * One item starts the copies of slabs, STAGES ahead; MULTIPLIERS items
 * multiply:
 *
 *     wait until a stage is EMPTY           wait until it is FULL
 *     copy a slab there, which makes   ──▶  multiply
 *     it FULL when it has arrived      ◀──  EMPTY
 *
 * Included with ROWS and COLS, the size of a tile; SLAB_A and SLAB_B, the
 * `packed` elements of a slab; STAGES and MULTIPLIERS. */
#include "lib/ptx.h"

#define STAGE (SLAB_A + SLAB_B)
#define BAND 8			/* rows of tiles computed at the same time */

struct ring {
	const local packed *slab;
	uint full, empty;	/* the addresses of two arrays of
				 * signals, 8 bytes for each stage */
};

INLINE void await(const struct ring *r, int t)
{
	ptx_signal_wait(r->full + 8 * (t % STAGES), t / STAGES & 1);
}

INLINE void release(const struct ring *r, int t)
{
	if (get_local_id(0) % 32 == 0)
		ptx_signal_arrive(r->empty + 8 * (t % STAGES));
}

/* Starts copying slab t of all that the work-group multiplies from a and b, its
 * places in the packed operands, when its stage is free. */
INLINE void produce(const struct ring *r, int t, const global packed *a,
                    const global packed *b)
{
	const int s = t % STAGES;
	const uint to = ptx_local(r->slab + s * STAGE);
	const uint full = r->full + 8 * s;

	if (t >= STAGES)
		ptx_signal_wait(r->empty + 8 * s, (t / STAGES - 1) & 1);
	ptx_signal_expect(full, STAGE * sizeof(packed));
	ptx_copy_bulk(to, a, SLAB_A * sizeof(packed), full);
	ptx_copy_bulk(to + SLAB_A * sizeof(packed), b,
	              SLAB_B * sizeof(packed), full);
}

INLINE struct ring ring_of(const local packed *slab, const local ulong *signals)
{
	const struct ring r = {
		slab, ptx_local(signals), ptx_local(signals + STAGES)
	};

	if (get_local_id(0) == 0)
		for (int s = 0; s < STAGES; s++) {
			ptx_signal_init(r.full + 8 * s, 1);
			ptx_signal_init(r.empty + 8 * s, MULTIPLIERS / 32);
		}
	ptx_fence_local();
	ptx_barrier();
	return r;
}

/* The kernel's arguments. */
struct task {
	const global packed *a, *b;
	int products, down, across, slabs, depth;
};

/* A tile of the task: its first slabs in A and B, its product, its split of k,
 * its number of slabs, and its first row and column in C. */
struct tile {
	const global packed *a, *b;
	int product, part, slabs, i, j;
};

/* Returns tile `id`. Tiles are numbered in bands of BAND rows, column by
 * column, so that those that are computed at the same time share operands.
 * Tiles of a product have neighbouring numbers, and the tiles of all products
 * come before those of the next split of k. */
INLINE struct tile tile_of(const struct task *f, int id)
{
	const int tiles = f->down * f->across, x = id % tiles;
	const int band = x / (BAND * f->across), in = x % (BAND * f->across);
	const int height = min(BAND, f->down - band * BAND);
	const int i = band * BAND + in % height, j = in / height;
	const int product = id / tiles % f->products;
	const int part = id / tiles / f->products, first = part * f->depth;
	const struct tile t = {
		f->a + (((size_t)product * f->down + i) * f->slabs + first) *
		    SLAB_A,
		f->b + (((size_t)product * f->across + j) * f->slabs + first) *
		    SLAB_B,
		product, part, min(f->depth, f->slabs - first), i * ROWS,
		j * COLS
	};

	return t;
}
