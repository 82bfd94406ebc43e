/* hosted.c - the steps of solve with vectors on the host; see hosted.h. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/lapack/stack.h"
#include "ops/solve/hosted.h"
#include "ops/solve/iterative.h"

bool solve_hosted_suits(const struct args *a)
{
	return a->in[SOLVE_A].ndim == 2 && a->in[SOLVE_B].ndim <= 2 &&
	       !dtype_is_complex(a->dtype) && !solve_is_iterative(a) &&
	       solve_named(a) == KIND_GENERAL;
}

struct solve_hosted solve_hosted_of(const struct args *a, size_t some)
{
	const struct matrix *b = &a->in[SOLVE_B];
	struct solve_hosted h = {
		.n = matrix_rows(&a->in[SOLVE_A]),
		.sides = b->ndim > 1 ? matrix_cols(b) : 1,
		.each = dtype_bytes(a->dtype),
		.judged = a->quality != QUALITY_NONE,
	};

	h.some = size_min(h.sides, some);
	h.most = h.some + (h.judged ? SOLVE_TURNED : 0);
	return h;
}

int solve_hosted_open(struct solve_hosted *h, struct seq *s,
                      const struct solve_holder *by, void *holder)
{
	const size_t n = h->n;
	double *at = calloc((5 * h->some + 3 * h->most + SOLVE_TURNED + 3) * n
	                    + 1, sizeof *at);

	h->s = s;
	h->by = by;
	h->holder = holder;
	if (!at)
		return err_set(seq_err(s), ERR_MEMORY, "solve: no memory "
		               "for vectors of %zu numbers", n);
	h->room = at;			/* the first one is freed */
	h->b = at + (h->most + 1) * n;
	h->old = h->b + h->some * n;
	h->r = h->old + h->some * n;
	h->low = h->r + h->some * n;
	h->size = h->low + h->some * n;
	h->x_now = h->size + h->some * n;
	h->d = h->x_now + h->most * n;
	h->z = h->d + h->most * n;
	h->first = h->z + SOLVE_TURNED * n;
	h->last = h->first + n;
	return 0;
}

void solve_hosted_close(struct solve_hosted *h)
{
	free(h->room);
}

/* --- vectors to the device and back */

/* Returns the row of a buffer that belongs to column k of c. */
static size_t row_at(const struct columns *c, size_t k, bool packed)
{
	return packed ? k : columns_global(c, k);
}

static size_t buffer_bytes(const struct solve_hosted *h,
                           const struct columns *c, bool packed, size_t cols)
{
	return (packed ? c->own : h->n) * cols * h->each;
}

void solve_hosted_write(struct solve_hosted *h, const struct columns *c,
                        bool packed, const double *x, size_t cols,
                        struct buf to)
{
	const size_t bytes = buffer_bytes(h, c, packed, cols);

	memset(h->room, 0, bytes);
	for (size_t k = 0; k < c->own; k++)
		for (size_t q = 0; q < cols; q++)
			solve_room_set(h, row_at(c, k, packed) * cols + q,
			               x[q * h->n + columns_global(c, k)]);
	seq_write(h->s, to, 0, h->room, bytes);
}

void solve_hosted_read(struct solve_hosted *h, const struct columns *c,
                       bool packed, struct buf from, double *x, size_t cols)
{
	seq_read(h->s, from, 0, h->room, buffer_bytes(h, c, packed, cols));
	for (size_t k = 0; k < c->own && !seq_failed(h->s); k++)
		for (size_t q = 0; q < cols; q++)
			x[q * h->n + columns_global(c, k)] =
			    solve_room_get(h, row_at(c, k, packed) * cols + q);
}

/* --- the steps */

static bool is_finite(const struct matrix *m)
{
	const size_t n = matrix_elements(m);

	return lapack_find_nonfinite(m->dtype, matrix_data(m), n) == n;
}

/* Reports the progress while the right-hand sides from `first` on are solved:
 * how many steps of refinement they take is not known. */
static void report(struct solve_hosted *h, size_t first)
{
	const double at = h->factored + (1 - h->factored) * (double)first /
	                  (double)size_max(h->sides, 1);

	seq_progress_within(h->s, at, at);
	seq_progress(h->s, 0);
}

static void solve_all(struct solve_hosted *h, struct args *a)
{
	size_t first = 0;

	do {
		report(h, first);
		solve_hosted_columns(h, &a->in[SOLVE_B], first,
		                     size_min(h->sides - first, h->some),
		                     &a->out[SOLVE_X]);
		first += h->some;
	} while (first < h->sides && !seq_failed(h->s));
	seq_progress_within(h->s, 0, 1);
}

void solve_hosted_run(struct solve_hosted *h, struct args *a)
{
	struct solve_tale tale = { .host = h->told, .matrices = 1,
	                           .others = 1 };

	h->told[TOLD_COLUMN] = -1;
	h->told[TOLD_NONFINITE] = !h->by->look(h->holder);
	h->told[TOLD_NORM] = h->norm;
	h->told[TOLD_LENGTH] = !is_finite(&a->in[SOLVE_B]);
	if (h->told[TOLD_NONFINITE] == 0 && h->told[TOLD_LENGTH] == 0 &&
	    !seq_failed(h->s)) {
		h->told[TOLD_COLUMN] = (double)h->by->factor(h->holder);
		if (h->told[TOLD_COLUMN] < 0 && !seq_failed(h->s))
			solve_all(h, a);
	}
	if (!seq_failed(h->s))
		solve_conclude(h->s, a, &tale);
}
