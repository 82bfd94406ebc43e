/* f64_share.h - which tiles of C, and which slabs of k of these, are a
 * work-group's in a product in float64: whole tiles, and after them an equal
 * share of the slabs of the last `shared` tiles, so that all groups have as
 * much to do. */
#if defined(DTYPE_float64)

#define BAND 8			/* rows of tiles that are done together */

/* What a kernel multiplies. */
struct product {
	const global double *a, *b;
	global double *c;
	const global int2 *places;
	int stack, m, n, k;
	int rows, cols, slab;		/* of C a tile, of k a slab */
	long a_row, a_col, b_row, b_col;
	int c_row;			/* from row to row of C */
	int depth;			/* of a part of k */
	int shared, groups;		/* tiles that so many groups share */
	bool minus;			/* C -= A B */
};

/* A tile of C, or of the product of a part of k. */
struct tile {
	long product;			/* a part of k has a stack of them */
	int2 from;
	int i0, j0, p0, depth;
};

INLINE int tiles_of(const struct product *x)
{
	return (x->m + x->rows - 1) / x->rows *
	    ((x->n + x->cols - 1) / x->cols) * x->stack *
	    ((x->k + x->depth - 1) / x->depth);
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

/* Slabs of a tile, before `to`. */
struct share {
	int tile, from, to;
};

INLINE int slabs_of(const struct product *x)
{
	return (min(x->depth, x->k) + x->slab - 1) / x->slab;
}

/* Where the slabs of the shared tiles that are a group's begin. */
INLINE int shares_of(const struct product *x, int group)
{
	return (long)x->shared * slabs_of(x) * group / x->groups;
}

/* What a group has from there on of the shared tiles, which are the last. */
INLINE struct share share_at(const struct product *x, int at)
{
	const int end = shares_of(x, get_group_id(0) + 1);
	const int slabs = slabs_of(x), tile = at / slabs;
	const struct share part = {
		tiles_of(x) - x->shared + tile, at % slabs,
		min(slabs, end - tile * slabs)
	};
	const struct share none = { tiles_of(x), 0, 0 };

	return at < end ? part : none;
}

INLINE struct share share_from(const struct product *x, int tile)
{
	const struct share whole = { tile, 0, slabs_of(x) };

	return tile < tiles_of(x) - x->shared ? whole :
	    share_at(x, shares_of(x, get_group_id(0)));
}

INLINE struct share share_first(const struct product *x)
{
	return share_from(x, get_group_id(0));
}

INLINE struct share share_after(const struct product *x, struct share w)
{
	const int shared = w.tile - tiles_of(x) + x->shared;

	return shared < 0 ? share_from(x, w.tile + x->groups) :
	    share_at(x, shared * slabs_of(x) + w.to);
}

#endif
