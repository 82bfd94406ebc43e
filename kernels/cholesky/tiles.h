/* tiles.h - A = L L^T in tiles of NB rows and columns by one launch, in which
 * work-groups wait for each other. The device must guarantee forward progress:
 * a work-group that has begun runs on while others wait for it.
 *
 *        j     i
 *     +------+------+    A work-group computes one tile (i, j) of L, i >= j,
 *     |..|Ljj|      |    in its items' registers (left-looking):
 *   j |..|   |      |
 *     +--+---+------+      T = Aij - sum of Lik Ljk^T over all k < j
 *     |..|Lij| Aii  |      L = T Ljj^-T, or, if i = j, T = L L^T
 *   i |..|   |      |
 *     +--+---+------+
 *
 * Work-groups take the tiles in the order in which the groups begin: column by
 * column, each from the diagonal down. Tile (i, j) depends only on tiles to its
 * left in row i and on those up to Ljj in row j. Groups that have begun earlier
 * have taken these, so that not all groups need be co-resident.
 *
 * `work` has Lik^T in the place of tile (i, k), with NB elements in a row and
 * no gaps; the other groups read it there. progress[i] is the number of
 * quarters of tiles that are complete in row i of tiles. Each quarter of a
 * diagonal tile is announced at once, because the tiles below wait for it, and
 * each half of the others.
 *
 * If NB does not divide n, the last tiles are extended by those of the identity
 * matrix.
 *
 * The including file names the kernel in TILES, and includes the functions that
 * compute the sums.
 */

#define PARTS (NB / DEPTH)
#define QUARTERS_OF_PART (QUARTERS / PARTS)

/* Loads DEPTH rows of Lik^T and of Ljk^T: s / PARTS is k, and s % PARTS counts
 * the groups of DEPTH rows within the tiles. */
INLINE void load_part(const struct tile *t, int s, real4 left[LOADS],
                      real4 right[LOADS])
{
	const int at = s % PARTS * (DEPTH * SIDE);

	load(work_of(t, t->i, s / PARTS) + at, left);
	load(work_of(t, t->j, s / PARTS) + at, right);
}

/* Subtracts the sum of Lik Ljk^T over all k < j from a. */
INLINE void subtract(const struct tile *t, real a[EACH][EACH],
                     local real4 *room, local int *word)
{
	local real4 *other = room + SUM_ROOM;
	real sum[EACH * EACH] = { 0 };
	real4 left[LOADS], right[LOADS];
	bool loaded = false;
	int have = 0;

	for (int s = 0; s < t->j * PARTS; s++) {
		const int need = (s + 1) * QUARTERS_OF_PART;

		WHEN (have < need)
			have = await(t->progress + t->i, t->progress + t->j,
			             need, word);
		if (!loaded)
			load_part(t, s, left, right);
		barrier(CLK_LOCAL_MEM_FENCE);
		sum_keep(left, room);
		sum_keep(right, other);
		barrier(CLK_LOCAL_MEM_FENCE);
		loaded = s + 1 < t->j * PARTS &&
		         have >= need + QUARTERS_OF_PART;
		if (loaded)
			load_part(t, s + 1, left, right);
		sum_add(room, other, sum);
	}
	sum_subtract(a, sum, room);
}

/* Factors a diagonal block of EACH rows, the corner, which one work-item has in
 * its registers. Stores the reciprocals of the diagonal above the diagonal,
 * where column_solve() expects them. Returns the order of the corner's first
 * leading minor that is not positive, or 0. */
INLINE int corner_factor(real a[EACH][EACH])
{
	real inverse[EACH];
	int bad = 0;

	UNROLL
	for (int c = 0; c < EACH; c++) {
		if (bad == 0 && !(a[c][c] > 0))
			bad = c + 1;
		a[c][c] = root(a[c][c], &inverse[c]);
		UNROLL
		for (int i = 0; i < EACH; i++)
			if (i > c)
				a[i][c] *= inverse[c];
		UNROLL
		for (int e = 0; e < EACH * EACH; e++)
			if (e % EACH > c && e / EACH >= e % EACH)
				a[e / EACH][e % EACH] -= a[e / EACH][c] *
				                         a[e % EACH][c];
	}
	a[0][1] = inverse[0];
	a[0][2] = inverse[1];
	a[1][2] = inverse[2];
	a[0][3] = inverse[3];
	return bad;
}

/* Computes the work-item's rows of EACH columns of L by a solution with the
 * corner in these columns, element i of each of the rows of `corner`. Copies
 * the negated result to `minus` for the other work-items. */
INLINE void column_solve(local const real4 *corner, int i,
                         real a[EACH][EACH], local real4 *minus)
{
	real l[EACH][EACH];

	UNROLL
	for (int c = 0; c < EACH; c++)
		PUT4(l[c], 0, pick(corner, c, i));
	UNROLL
	for (int c = 0; c < EACH; c++) {
		const real inverse = c == 0 ? l[1][0] : c == 1 ? l[2][0] :
		                     c == 2 ? l[2][1] : l[3][0];

		UNROLL
		for (int r = 0; r < EACH; r++) {
			a[r][c] *= inverse;
			UNROLL
			for (int k = 0; k < EACH; k++)
				if (k > c)
					a[r][k] -= a[r][c] * l[c][k];
		}
		put(minus, c, Y, -column_of(a, c));
	}
}

/* Computes L = T Ljj^-T by substitution, EACH columns at a time, as far as Ljj
 * is complete, and announces the first half. On entry a holds T; Ljj^T is read
 * from work. */
INLINE void solve(const struct tile *t, real a[EACH][EACH], local real4 *room,
                  local int *word)
{
	const int item = get_local_id(0), x = X;
	local real4 *panels = room + TILE4;
	global const real4 *from = work_of(t, t->j, t->j);
	int have = 0;

	for (int b = 0; b < SIDE; b++) {
		/* Two panels alternate, because other work-items may still
		 * read the previous one. */
		local real4 *minus = panels + b % 2 * NB;
		local const real4 *columns = room + b * NB;
		const int need = QUARTERS * t->j + b / QUARTER + 1;

		WHEN (have < need)
			have = await(t->progress + t->j, t->progress + t->j,
			             need, word);
		WHEN (b % QUARTER == 0) {
			const int e = b * NB + item;

			put(room, e / SIDE, item % SIDE, from[e]);
			barrier(CLK_LOCAL_MEM_FENCE);
		}
		if (x == b)
			column_solve(columns, b, a, minus);
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (b == SIDE / 2)
			announce(t, QUARTERS / 2);
		if (x > b)
			multiply(minus, columns, EACH, a);
		if (b == SIDE / 2 - 1)
			work_write(t, a, 0, SIDE / 2);
	}
}

/* Factors T = L L^T, EACH columns at a time, and announces the quarters but for
 * the last. On entry a holds T; on exit L, with undefined elements above the
 * diagonal. *order becomes the order of the tile's first leading minor that is
 * not positive, or 0. */
INLINE void factor(const struct tile *t, real a[EACH][EACH], local real4 *room,
                   local int *order)
{
	local real4 *minus = room, *plus = room + NB, *corner = room + 2 * NB;
	const int x = X, y = Y;

	if (get_local_id(0) == 0)
		*order = 0;
	for (int b = 0; b < SIDE; b++) {
		if (x == b && y == b) {
			const int bad = corner_factor(a);

			if (bad && !*order)
				*order = b * EACH + bad;
			UNROLL
			for (int c = 0; c < EACH; c++)
				put(corner, c, 0, column_of(a, c));
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
		if (b % QUARTER == 0 && b > 0)
			announce(t, 1);
		if (x == b && y > b) {
			column_solve(corner, 0, a, minus);
			UNROLL
			for (int c = 0; c < EACH; c++)
				put(plus, c, y, column_of(a, c));
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		if (x > b && x <= y)
			multiply(minus, plus, EACH, a);
		if (b % QUARTER == QUARTER - 1)
			work_write(t, a, b + 1 - QUARTER, b + 1);
	}
}

/* Finds the tile that has the number `ticket` among those of a stack of
 * matrices of order n. `rows` rows of tiles begin at the diagonal of the tile
 * column `first`. Stores the number of the tile's matrix in *matrix. */
INLINE struct tile tile_of(int ticket, int n, int rows, int first, int stack,
                           int *matrix)
{
	struct tile t = { .n = n, .rows = rows };

	*matrix = ticket % stack;
	t.i = ticket / stack;
	for (t.j = 0; t.i >= t.rows - t.j; t.j++)
		t.i -= t.rows - t.j;
	t.i += t.j;
	t.row = (first + t.i) * NB;
	t.column = (first + t.j) * NB;
	return t;
}

/* Factors a block of `columns` columns of tiles, which begins with column
 * `first` of tiles, in all matrices. A and L may be the same matrix. If `whole`
 * is set, the block must be the whole matrix: the elements of L above the
 * diagonal are set to zero and, if `judged` is set, `sums` receives 2 NB
 * numbers for each tile (tile_sum()).
 *
 * Launch: a work-group for each tile of the block in each matrix, in one launch
 * or in several with the same arguments; further ones return at once. work has
 * room for all of these tiles. All numbers of `state` that are used must be 0
 * before the first block:
 *
 *     state[from + m]            order of the first leading minor of matrix m
 *                                that is not positive
 *     state[from + stack + m]    set to 1 if matrix m has a NaN or an infinity;
 *                                only with `whole`
 *     state[at]                  counts the work-groups that have begun
 *     state[at + 1 ...]          progress, `rows` numbers for each matrix */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void TILES(global const real *a, global real *l, int n, int first,
                    int columns, int stack, global real4 *work,
                    volatile global int *state, int from, int at, int whole,
                    int judged, global wide *sums, local real4 *room)
{
	local int word[2];
	real own[EACH][EACH];
	wide quadratic = 0;
	struct tile t;
	int matrix, rows, tiles;

	if (get_local_id(0) == 0)
		word[0] = atomic_inc(state + at);
	barrier(CLK_LOCAL_MEM_FENCE);
	rows = (n + NB - 1) / NB - first;
	tiles = columns * rows - columns * (columns - 1) / 2;
	if (word[0] >= stack * tiles)
		return;
	t = tile_of(word[0], n, rows, first, stack, &matrix);
	t.work = work + (size_t)matrix * tiles * TILE4;
	t.progress = state + at + 1 + matrix * t.rows;
	t.a = a + (size_t)matrix * n * n;
	t.l = l + (size_t)matrix * n * n;
	tile_read(&t, t.a, own);
	if (whole) {
		bool finite;

		quadratic = tile_look(&t, own, &finite);
		if (!finite)
			atomic_or(state + from + stack + matrix, 1);
	}
	subtract(&t, own, room, word);
	/* subtract() of other work-items may still read room. */
	barrier(CLK_LOCAL_MEM_FENCE);
	WHEN (t.i == t.j)
		factor(&t, own, room, word + 1);
	WHEN (t.i != t.j) {
		solve(&t, own, room, word);
		work_write(&t, own, SIDE / 2, SIDE);
	}
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	announce(&t, t.i == t.j ? 1 : QUARTERS / 2);
	if (t.i == t.j && get_local_id(0) == 0 && word[1])
		atomic_cmpxchg(state + from + matrix, 0, t.row + word[1]);
	tile_write(&t, own);
	if (!whole)
		return;
	tile_clear(&t);
	if (!judged)
		return;
	sums += ((work_of(&t, t.i, t.j) - work) / TILE4) * 2 * NB;
	tile_sum(&t, own, quadratic, (local wide *)room, sums);
}
