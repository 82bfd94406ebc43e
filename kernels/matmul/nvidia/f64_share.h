/* f64_share.h - which tiles of C, and which slabs of k of them, a work-group
 * computes in a product in float64: whole tiles, then an equal share of the
 * slabs of the last `stream_k` tiles, so that all work-groups get the same work
 * (Stream-K, Osama and others, 2023). A long product takes several launches,
 * each for some of its tiles; it has no Stream-K. */
#if defined(DTYPE_float64)

#define BAND 8			/* rows of tiles computed at the same time */

/* What a kernel multiplies. */
struct product {
	const global double *a, *b;
	global double *c;
	const global int2 *places;
	int stack, m, n, k;
	int rows, cols, slab;		/* of a tile of C; k of a slab */
	long a_row, a_col, b_row, b_col;
	int c_row;			/* from row to row of C */
	int depth;			/* k of a split */
	int stream_k, groups;		/* tiles that all work-groups share; the
					 * number of work-groups */
	int first, end;			/* this launch computes these tiles */
	bool minus;			/* C -= A B */
	const global uint *again;	/* words for each row of blocks of */
	int wide;			/* 128 x RESIDUES_COLS, so many: not 0
					 * if the block is computed; none if
					 * wide is 0: all are */
};

/* A tile of C, or of a split's product. */
struct tile {
	long product;			/* each split has a stack of them */
	int2 from;
	int i0, j0, p0, depth;
};

/* The number of tiles before the end of this launch's. */
INLINE int tiles_of(const struct product *x)
{
	return min((x->m + x->rows - 1) / x->rows *
	    ((x->n + x->cols - 1) / x->cols) * x->stack *
	    ((x->k + x->depth - 1) / x->depth), x->end);
}

INLINE struct tile tile_of(const struct product *x, int id)
{
	const int across = (x->n + x->cols - 1) / x->cols;
	const int down = (x->m + x->rows - 1) / x->rows;
	const int product = id / (across * down), at = id % (across * down);
	const int band = at / (BAND * across), in = at % (BAND * across);
	const int height = min(BAND, down - band * BAND);
	const int p0 = product / x->stack * x->depth;
	const struct tile t = {
		product,
		x->stack > 1 ? x->places[product % x->stack] : (int2)(0, 0),
		(band * BAND + in % height) * x->rows, in / height * x->cols,
		p0, min(x->depth, x->k - p0)
	};

	return t;
}

INLINE bool is_wanted(const struct product *x, const struct tile *t)
{
	return x->wide == 0 || x->again[t->i0 / TENSOR_ROWS * x->wide +
	                                t->j0 / RESIDUES_COLS] != 0;
}

/* Slabs `from` to `to` of a tile. */
struct share {
	int tile, from, to;
};

INLINE int slabs_of(const struct product *x)
{
	return (min(x->depth, x->k) + x->slab - 1) / x->slab;
}

/* Returns the first slab of a work-group, counted through the slabs of all
 * Stream-K tiles. */
INLINE int shares_of(const struct product *x, int group)
{
	return (long)x->stream_k * slabs_of(x) * group / x->groups;
}

/* Returns the work-group's share of a Stream-K tile from slab `at` on, counted
 * through the slabs of all Stream-K tiles, which are the last of all tiles.
 * Without such a share the tile is tiles_of(x). */
INLINE struct share share_at(const struct product *x, int at)
{
	const int end = shares_of(x, get_group_id(0) + 1);
	const int slabs = slabs_of(x), tile = at / slabs;
	const struct share part = {
		tiles_of(x) - x->stream_k + tile, at % slabs,
		min(slabs, end - tile * slabs)
	};
	const struct share none = { tiles_of(x), 0, 0 };

	return at < end ? part : none;
}

INLINE struct share share_from(const struct product *x, int tile)
{
	const struct share whole = { tile, 0, slabs_of(x) };

	return tile < tiles_of(x) - x->stream_k ? whole :
	    share_at(x, shares_of(x, get_group_id(0)));
}

INLINE struct share share_first(const struct product *x)
{
	return share_from(x, x->first + get_group_id(0));
}

INLINE struct share share_after(const struct product *x, struct share w)
{
	const int at = w.tile - tiles_of(x) + x->stream_k;

	return at < 0 ? share_from(x, w.tile + x->groups) :
	    share_at(x, at * slabs_of(x) + w.to);
}

#endif
