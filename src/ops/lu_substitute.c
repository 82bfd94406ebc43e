/* lu_substitute.c - see lu_substitute.h, kernels/solve_tile.cl,
 * kernels/cpu/solve.cl and kernels/nvidia/solve_spread.cl. */
#include "ops/lu_substitute.h"

#include "lu_tile.h"

const struct substitution substitution_blocked = {
	"solve_lower", "solve_upper", "solve_update", 256, 512, 1, 16,
};

const struct substitution substitution_tiled = {
	"solve_tile_lower", "solve_tile_upper", "solve_tile_update", 64, 64,
	64, 1,
};

const struct substitution substitution_spread = {
	.lower = "solve_spread_lower", .upper = "solve_spread_upper",
};

struct task {
	struct seq *s;
	const struct substitution *how;
	const struct factors *f;
	struct buf which, x;
	size_t count, sides;
};

/* x_j = L_jj^-1 x_j, or U_jj^-1 x_j */
static void solve(const struct task *t, const char *kernel, size_t j,
                  size_t nb)
{
	const size_t items = t->how->items;

	seq_work(t->s, (double)t->count * t->sides * nb * nb, 0);
	seq_launch(t->s, kernel,
	           GRID3(t->sides * items, 1, t->count, items, 1, 1),
	           ARG_BUF(t->f->lu), ARG_INT(t->f->n), ARG_BUF(t->which),
	           ARG_BUF(t->x), ARG_INT(j), ARG_INT(nb));
}

/* x_i -= (LU)_ij x_j, rows row0 to row1 */
static void update(const struct task *t, size_t j, size_t nb, size_t row0,
                   size_t row1)
{
	const size_t items = t->how->items;
	const size_t work = size_blocks(row1 - row0, t->how->update_rows);

	seq_work(t->s, 2.0 * t->count * t->sides * nb * (row1 - row0), 0);
	seq_launch(t->s, t->how->update,
	           GRID3(t->sides, work, t->count, 1, items, 1),
	           ARG_BUF(t->f->lu), ARG_INT(t->f->n), ARG_BUF(t->which),
	           ARG_BUF(t->x), ARG_INT(j), ARG_INT(nb), ARG_INT(row0),
	           ARG_INT(row1));
}

static void by_blocks(const struct task *t)
{
	const size_t n = t->f->n;
	const size_t block = n <= t->how->whole ? n : t->how->block;

	for (size_t j = 0; j < n; j += block) {
		const size_t nb = size_min(block, n - j);

		solve(t, t->how->lower, j, nb);
		if (j + nb < n)
			update(t, j, nb, j + nb, n);
	}
	for (size_t end = n; end > 0; ) {
		const size_t j = (end - 1) / block * block;

		solve(t, t->how->upper, j, end - j);
		if (j > 0)
			update(t, j, end - j, 0, j);
		end = j;
	}
}

/* What work-groups tell each other, and their tickets. */
static size_t told_bytes(size_t elements, size_t each)
{
	return elements * each + sizeof(int32_t);
}

void lu_substitute_need(struct need *need, const struct substitution *how,
                        enum dtype t, size_t n, size_t count, size_t sides)
{
	for (int i = 0; i < 2 && !how->update && n > 0; i++)
		need_buffer(need, told_bytes(count * sides * n,
		                             dtype_bytes(t)));
}

/* All blocks of rows in one launch. */
static void at_once(const struct task *t, const char *kernel)
{
	const size_t n = t->f->n, elements = t->count * t->sides * n;
	const size_t groups = t->count * t->sides *
	                      size_blocks(n, LU_SPREAD_ROWS);
	const size_t each = dtype_bytes(seq_dtype(t->s));
	const struct buf told = seq_scratch(t->s, told_bytes(elements, each));

	seq_fill(t->s, told, 0, told_bytes(elements, each), &(int32_t){ -1 },
	         sizeof(int32_t));
	seq_work(t->s, (double)elements * n, 0);
	seq_launch(t->s, kernel,
	           GRID1(groups * LU_SPREAD_ITEMS, LU_SPREAD_ITEMS),
	           ARG_BUF(t->f->lu), ARG_INT(n), ARG_BUF(t->which),
	           ARG_INT(t->sides), ARG_BUF(t->x), ARG_BUF(told),
	           ARG_LONG(elements));
}

void lu_substitute(struct seq *s, const struct substitution *how,
                   const struct factors *f, struct buf which, struct buf x,
                   size_t count, size_t sides)
{
	const struct task t = { s, how, f, which, x, count, sides };

	if (f->n == 0)
		return;
	if (how->update) {
		by_blocks(&t);
		return;
	}
	at_once(&t, how->lower);
	at_once(&t, how->upper);
}
