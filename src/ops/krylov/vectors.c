/* vectors.c - launches that several methods share; see krylov.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "ops/krylov/krylov.h"

/* A burst takes about as long as BURST elements or entries of one iteration, so
 * that reading the state costs little beside it, and a few milliseconds at
 * most. */
enum { BURST = 1 << 20, MOST_BURST = 32 };

void krylov_work(struct krylov *k, int reads, int writes)
{
	const double n = (double)k->n;

	seq_work(k->s, 2 * n * (writes + 1), n * (reads + writes) *
	         (double)dtype_bytes(seq_dtype(k->s)));
}

void krylov_fold(struct krylov *k, size_t parts, int sums, int phase)
{
	seq_launch(k->s, "krylov_fold", GRID1(k->items, k->items),
	           ARG_BUF(k->state), ARG_BUF(k->part), ARG_INT(parts),
	           ARG_INT(sums), ARG_INT(phase));
}

void krylov_dots(struct krylov *k, struct buf u, struct buf v, struct buf w,
                 int phase)
{
	krylov_work(k, 2, 0);
	seq_launch(k->s, "krylov_dots", KRYLOV_GRID(k), ARG_BUF(k->state),
	           ARG_BUF(u), ARG_BUF(v), ARG_BUF(w), KRYLOV_BLOCKS(k),
	           ARG_BUF(k->part));
	krylov_fold(k, k->groups, 2, phase);
}

void krylov_times_dot(struct krylov *k, struct buf x, struct buf y, int phase)
{
	if (k->times.shares == 0) {
		krylov_times(k, x, y);
		krylov_dots(k, x, y, y, phase);
		return;
	}
	spmv_multiply_dot(k->s, &k->times, x, y, x, k->part);
	krylov_fold(k, k->times.shares, 1, phase);
}

void krylov_times(struct krylov *k, struct buf x, struct buf y)
{
	spmv_multiply(k->s, &k->times, 0, (struct buf){ 0 }, x, y);
}

void krylov_clear(struct krylov *k, struct buf v)
{
	seq_fill(k->s, v, 0, k->n * dtype_bytes(seq_dtype(k->s)),
	         &(float){ 0 }, sizeof(float));
}

void krylov_copy(struct krylov *k, struct buf from, struct buf to)
{
	seq_copy(k->s, from, 0, to, 0, k->n * dtype_bytes(seq_dtype(k->s)));
}

static void keep_history(struct krylov *k)
{
	const int64_t now = (int64_t)k->now[K_ITERATIONS];

	for (; k->told.history && k->kept < now; k->kept++)
		k->told.history[k->kept + 1] =
		    k->now[K_HISTORY + (k->kept + 1) % KRYLOV_KEPT] / k->norm;
}

/* The share of the iterations, or of the digits to gain, that is behind. */
static double progress(const struct krylov *k)
{
	const double digits = log(k->now[K_NORM] / k->norm) /
	                      log(k->now[K_GOAL] / k->norm);

	return fmin(fmax(k->now[K_ITERATIONS] / k->now[K_LIMIT],
	                 isfinite(digits) ? digits : 0), 1);
}

void krylov_read(struct krylov *k)
{
	seq_read(k->s, k->state, 0, k->now, sizeof k->now);
	if (seq_failed(k->s))
		return;
	keep_history(k);
	seq_progress(k->s, progress(k));
}

void krylov_set(struct krylov *k, int slot, double value)
{
	k->now[slot] = value;
	seq_write(k->s, k->state, (size_t)slot * sizeof value, &value,
	          sizeof value);
}

int krylov_burst(const struct krylov *k)
{
	const size_t burst = BURST / (k->n + k->m->nnz + 1);
	const size_t most = size_min(MOST_BURST, k->n);

	return (int)size_max(1, size_min(burst, most));
}

void krylov_iterate(struct krylov *k, void (*iterate)(struct krylov *k))
{
	const int some = krylov_burst(k);

	while (!seq_failed(k->s) && k->now[K_DONE] == K_GOES_ON) {
		for (int i = 0; i < some; i++)
			iterate(k);
		krylov_read(k);
	}
}
