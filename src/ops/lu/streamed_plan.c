/* streamed_plan.c - how a matrix in the host's memory is cut for a device; see
 * streamed.h. Strips are as wide as the memory allows, because every panel is
 * uploaded once for each strip to its right. */
#include "ops/lu/complex.h"
#include "ops/lu/residual.h"
#include "ops/lu/streamed.h"

enum {
	WIDE = 512, NARROW = 64,	/* a panel has at most WIDE columns, and
					 * a multiple of NARROW */
	PANELS = 8,			/* a matrix has at least so many, unless
					 * they would be narrower than NARROW */
	LEAST = 4,			/* if fewer fit into a strip, panels
					 * become narrower */
};

/* How the device factors a panel. */
struct way {
	lu_factor_fn *factor;
	lu_need_fn *need;
};

static struct way way_on(const struct sheet *d)
{
	return d->type == DEVICE_CPU ?
	       (struct way){ lu_factor_blocked, lu_need_blocked } :
	       d->nvidia_sm >= 80 ?
	       (struct way){ lu_factor_spread, lu_need_spread } :
	       (struct way){ lu_factor_tiled, lu_need_tiled };
}

static struct buf make(const struct lu_streamed *t, size_t bytes)
{
	return room_make(t->s, t->need, bytes);
}

static struct columns strip_of(const struct lu_streamed *t)
{
	const size_t own = size_min(t->most, t->n);

	return (struct columns){ .m = t->m, .n = own, .width = t->width,
	                         .parts = 1, .own = own };
}

static void make_lane(struct lu_streamed *t, const struct sheet *d, int lane)
{
	const struct blas_gemm most = gang_panels_most(&t->c, lane);
	const size_t panel = t->m * t->width * t->each;

	t->panel[lane] = make(t, panel);
	t->lists[lane] = make(t, 4 * t->width * sizeof(int32_t));
	t->moved[lane] = make(t, 2 * t->width * most.n * t->each);
	if (t->need)
		blas_gemm_need(t->need, d, t->each == sizeof(float) ?
		               FLOAT32 : FLOAT64, &most);
	else
		t->tensor[lane] = blas_tensor_of(t->s, &most);
}

void lu_streamed_make(struct lu_streamed *t, const struct sheet *d)
{
	const size_t wide = lu_wide_bytes(d);

	t->c = strip_of(t);
	t->c.b = make(t, t->m * t->c.own * t->each);
	for (int i = 0; i < 2; i++)
		make_lane(t, d, i);
	t->copy = make(t, t->m * t->width * t->each);
	t->swaps = make(t, t->width * sizeof(int32_t));
	if (!t->judged)
		return;
	t->x = make(t, t->c.own * wide);
	t->ax = make(t, t->m * wide);
	t->norm = make(t, t->m * wide);
	t->ux = make(t, t->k * wide);
}

static struct need need_of(const struct lu_streamed *t, const struct sheet *d)
{
	const struct factors panel = {
		.stack = 1, .m = t->m, .n = size_min(t->width, t->n),
		.beside = true,
	};
	struct lu_streamed counted = *t;
	struct need n = { 0 };

	counted.need = &n;
	lu_streamed_make(&counted, d);
	way_on(d).need(&n, d, t->each == sizeof(float) ? FLOAT32 : FLOAT64,
	               &panel);
	return n;
}

static bool fits(const struct lu_streamed *t, const struct sheet *d)
{
	const struct need n = need_of(t, d);

	return n.bytes <= sheet_room(d) &&
	       n.largest <= d->max_allocation_bytes;
}

/* Sets t->most to the columns of as many panels as fit, or of one. */
static void widen(struct lu_streamed *t, const struct sheet *d)
{
	size_t fit = 1, over = size_blocks(t->n, t->width) + 1;

	while (over - fit > 1) {
		const size_t half = fit + (over - fit) / 2;

		t->most = half * t->width;
		*(fits(t, d) ? &fit : &over) = half;
	}
	t->most = fit * t->width;
}

/* Makes all strips about as wide as each other. */
static void balance(struct lu_streamed *t)
{
	const size_t panels = size_blocks(t->n, t->width);
	const size_t strips = size_blocks(panels, t->most / t->width);

	if (strips > 0)
		t->most = size_blocks(panels, strips) * t->width;
}

struct lu_streamed lu_streamed_of(const struct args *a, const struct sheet *d)
{
	struct lu_streamed t = {
		.factor = way_on(d).factor, .each = dtype_bytes(a->dtype),
		.m = matrix_rows(&a->in[0]), .n = matrix_cols(&a->in[0]),
		.judged = a->quality == QUALITY_ESTIMATE &&
		          (args_wants(a, LU_P) || args_wants(a, LU_PIVOTS)),
	};
	const size_t unit = NARROW;

	t.k = size_min(t.m, t.n);
	t.width = size_max(size_min(t.k / PANELS / unit * unit, WIDE), unit);
	for (;;) {
		widen(&t, d);
		if (t.most >= size_min(LEAST * t.width, t.n) ||
		    t.width == unit)
			break;
		t.width = size_max(t.width / 2 / unit * unit, unit);
	}
	balance(&t);
	return t;
}

void lu_streamed_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	const struct lu_streamed t = lu_streamed_of(a, d);
	const struct need own = need_of(&t, d);

	(void)v;
	need_scratch(n, own.bytes, own.largest);
}

static int refuse(const char *pointer, const char *what, struct err *e)
{
	return err_set_at(e, ERR_PARAMETER, pointer, "lu: variant streamed "
	                  "does not compute %s", what);
}

int lu_streamed_takes(const struct args *a, struct err *e)
{
	if (a->gang.parts)
		return refuse("/devices", "on several devices", e);
	if (a->in[0].ndim > 2)
		return refuse("/a", "stacks of matrices", e);
	if (a->param[LU_PIVOT] != LU_PARTIAL)
		return refuse("/pivot", "factors without pivoting", e);
	if (a->quality == QUALITY_FULL)
		return refuse("/quality", "the exact residual, for which "
		              "the device must hold the matrix", e);
	if (!args_wants(a, LU_LU) || args_wants(a, LU_L) ||
	    args_wants(a, LU_U))
		return refuse("/return", "answers without lu, nor l and u", e);
	return 0;
}
