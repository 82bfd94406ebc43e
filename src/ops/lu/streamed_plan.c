/* streamed_plan.c - how a matrix in the host's memory is cut for a device
 * (ops/gang/strips.h); see streamed.h. */
#include "ops/gang/strips.h"
#include "ops/lu/complex.h"
#include "ops/lu/residual.h"
#include "ops/lu/streamed.h"

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

struct need lu_streamed_need_of(const struct lu_streamed *t,
                                const struct sheet *d)
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

struct fitting {
	const struct lu_streamed *t;
	const struct sheet *d;
};

static bool fits(const void *fitting, const struct strips *x)
{
	const struct fitting *const f = fitting;
	struct lu_streamed t = *f->t;
	struct need n;

	t.width = x->width;
	t.most = x->most;
	n = lu_streamed_need_of(&t, f->d);
	return need_fits(&n, f->d);
}

struct lu_streamed lu_streamed_of(const struct matrix *a, enum dtype type,
                                  bool judged, const struct sheet *d)
{
	struct lu_streamed t = {
		.factor = way_on(d).factor, .each = dtype_bytes(type),
		.m = matrix_rows(a), .n = matrix_cols(a), .judged = judged,
		.all = 1,
	};
	struct strips x;

	t.k = size_min(t.m, t.n);
	x = strips_plan(t.n, t.k, fits, &(struct fitting){ &t, d });
	t.width = x.width;
	t.most = x.most;
	return t;
}

struct lu_streamed lu_streamed_call(const struct args *a,
                                    const struct sheet *d)
{
	return lu_streamed_of(&a->in[0], a->dtype,
	                      a->quality == QUALITY_ESTIMATE &&
	                      (args_wants(a, LU_P) ||
	                       args_wants(a, LU_PIVOTS)), d);
}

void lu_streamed_need(const struct args *a, const struct variant *v,
                      const struct sheet *d, struct need *n)
{
	const struct lu_streamed t = lu_streamed_call(a, d);
	const struct need own = lu_streamed_need_of(&t, d);

	(void)v;
	need_scratch(n, own.bytes, own.largest);
}

int lu_streamed_takes(const struct args *a, struct err *e)
{
	if (strips_takes(a, "the exact residual, for which the device must "
	                 "hold the matrix", e) < 0)
		return -1;
	if (a->param[LU_PIVOT] != LU_PARTIAL)
		return strips_refuse(a, "/pivot", "factors without pivoting",
		                     e);
	if (!args_wants(a, LU_LU) || args_wants(a, LU_L) ||
	    args_wants(a, LU_U))
		return strips_refuse(a, "/return", "answers without lu, nor l "
		                     "and u", e);
	return 0;
}
