/* lu_substitute.c - see lu_substitute.h, kernels/solve.cl and
 * kernels/cpu/solve.cl. */
#include "ops/lu_substitute.h"

const struct substitution substitution_blocked = {
	"solve_lower", "solve_upper", "solve_update", 256, 512, 1, 16,
};

const struct substitution substitution_tiled = {
	"solve_tile_lower", "solve_tile_upper", "solve_tile_update", 64, 64,
	64, 1,
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

void lu_substitute(struct seq *s, const struct substitution *how,
                   const struct factors *f, struct buf which, struct buf x,
                   size_t count, size_t sides)
{
	const struct task t = { s, how, f, which, x, count, sides };
	const size_t n = f->n, block = n <= how->whole ? n : how->block;

	if (n == 0)
		return;
	seq_launch(s, "solve_permute", GRID2(sides, count, 1, 1),
	           ARG_BUF(f->swaps), ARG_INT(n), ARG_BUF(which), ARG_BUF(x));
	for (size_t j = 0; j < n; j += block) {
		const size_t nb = size_min(block, n - j);

		solve(&t, how->lower, j, nb);
		if (j + nb < n)
			update(&t, j, nb, j + nb, n);
	}
	for (size_t end = n; end > 0; ) {
		const size_t j = (end - 1) / block * block;

		solve(&t, how->upper, j, end - j);
		if (j > 0)
			update(&t, j, end - j, 0, j);
		end = j;
	}
}
