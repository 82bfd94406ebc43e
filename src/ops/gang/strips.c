/* strips.c - see strips.h. */
#include "base/size.h"
#include "ops/gang/strips.h"

enum {
	WIDE = 512, NARROW = 64,	/* a panel has at most WIDE columns, and
					 * a multiple of NARROW */
	PANELS = 8,			/* a matrix has at least so many, unless
					 * they would be narrower than NARROW */
	LEAST = 4,			/* if fewer fit into a strip, panels
					 * become narrower */
	TILE = 16			/* kernels/transpose/transpose.cl */
};

typedef bool fits_fn(const void *arg, const struct strips *x);

/* Sets x->most to the columns of as many panels as fit, or of one. */
static void widen(struct strips *x, size_t n, fits_fn *fits, const void *arg)
{
	size_t fit = 1, over = size_blocks(n, x->width) + 1;

	while (over - fit > 1) {
		const size_t half = fit + (over - fit) / 2;

		x->most = half * x->width;
		*(fits(arg, x) ? &fit : &over) = half;
	}
	x->most = fit * x->width;
}

/* Makes all strips about as wide as each other. */
static void balance(struct strips *x, size_t n)
{
	const size_t panels = size_blocks(n, x->width);
	const size_t strips = size_blocks(panels, x->most / x->width);

	if (strips > 0)
		x->most = size_blocks(panels, strips) * x->width;
}

size_t strips_most(size_t n, size_t width, fits_fn *fits, const void *arg)
{
	struct strips x = { .width = width };

	widen(&x, n, fits, arg);
	balance(&x, n);
	return x.most;
}

struct strips strips_plan(size_t n, size_t k, fits_fn *fits, const void *arg)
{
	const size_t unit = NARROW;
	struct strips x = {
		.width = size_max(size_min(k / PANELS / unit * unit, WIDE),
		                  unit),
	};

	for (;;) {
		widen(&x, n, fits, arg);
		if (x.most >= size_min(LEAST * x.width, n) || x.width == unit)
			break;
		x.width = size_max(x.width / 2 / unit * unit, unit);
	}
	balance(&x, n);
	return x;
}

void strips_apply(struct seq *s, size_t n, void (*send)(void *arg, size_t g),
                  void (*apply)(void *arg, size_t g), void *arg)
{
	if (n > 0)
		send(arg, 0);
	for (size_t g = 0; g < n && seq_goes_on(s); g++) {
		seq_follow(s, 1);	/* panel g - 1 has been applied */
		seq_lane(s, 1);
		seq_follow(s, 0);	/* panel g is there */
		apply(arg, g);
		seq_lane(s, 0);
		if (g + 1 < n)
			send(arg, g + 1);
		seq_progress(s, (double)(g + 1) / (double)n);
	}
	seq_follow(s, 1);
}

void strips_load_turned(struct seq *s, const struct matrix *a, size_t j,
                        size_t w, struct buf room, struct buf to)
{
	const size_t n = matrix_cols(a);

	seq_load(s, a, &(struct region){ j * n, w, n, n }, room);
	seq_work(s, 0, 2.0 * (double)(w * n * dtype_bytes(a->dtype)));
	seq_launch(s, "transpose_tile", GRID2(n, w, TILE, TILE),
	           ARG_BUF(room), ARG_BUF(to), ARG_INT(w), ARG_INT(n));
}

int strips_refuse(const struct args *a, const char *pointer, const char *what,
                  struct err *e)
{
	return err_set_at(e, ERR_PARAMETER, pointer, "%s: variant streamed "
	                  "does not compute %s", a->op->name, what);
}

int strips_takes(const struct args *a, const char *exact, struct err *e)
{
	if (a->gang.parts)
		return strips_refuse(a, "/devices", "on several devices", e);
	if (a->in[0].ndim > 2)
		return strips_refuse(a, "/a", "stacks of matrices", e);
	if (exact && a->quality == QUALITY_FULL)
		return strips_refuse(a, "/quality", exact, e);
	return 0;
}
