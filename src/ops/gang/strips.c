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
