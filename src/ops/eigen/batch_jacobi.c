/* batch_jacobi.c - Jacobi's method for stacks of small symmetric matrices, by
 * kernels/eigen/jacobi.cl, or on a CPU by kernels/eigen/cpu/jacobi.cl. */
#include "base/size.h"
#include "ops/chunk.h"
#include "ops/eigen/batch.h"

/* On two cores of an AMD EPYC of 2021, for stacks of 1000 float64 matrices with
 * n = 8, 16, 32, 48 and 64 rows, the kernel for CPUs took 0.7, 7.8, 109, 344
 * and 952 ms, and LAPACK took 7.2, 48, 246, 514 and 849 ms. */
enum {
	MOST = 64, MOST_LANES = 48,	/* rows */
	ITEMS_PER_UNIT = 2		/* work-items on CPUs */
};

/* Operations of one matrix: some 6 sweeps of n^2/2 rotations of 2 n or 3 n
 * pairs of numbers. */
static double flops_of(const struct batch *b)
{
	return 60.0 * (double)b->n * (double)b->n * (double)b->n;
}

/* --- eigen_jacobi: one work-group for each matrix */

static size_t group_of(const struct batch *b)
{
	size_t group = 32;

	while (group < 256 && 4 * group < b->n * b->n)
		group *= 2;
	return group;
}

/* Returns the bytes of struct room in kernels/eigen/jacobi.cl. */
static size_t local_bytes(const struct batch *b, enum dtype t)
{
	const size_t m = b->n + b->n % 2;

	return (2 * m * (m + 1) + 3 * m + group_of(b)) * dtype_bytes(t) +
	       m * sizeof(int32_t);
}

static bool fits(const struct batch *b, enum dtype t, const struct sheet *d)
{
	return sheet_local_room(d) >= local_bytes(b, t) &&
	       d->max_work_group_size >= group_of(b);
}

static void launch(struct seq *s, const struct batch *b,
                   const struct batch_buffers *to)
{
	const size_t group = group_of(b);

	seq_work(s, flops_of(b) * (double)b->stack, 0);
	seq_launch(s, "eigen_jacobi", GRID1(b->stack * group, group),
	           ARG_BUF(seq_input(s, b->a)), ARG_INT(b->n),
	           ARG_BUF(to->values), ARG_BUF(to->vectors),
	           ARG_INT(b->vectors), ARG_INT(b->judged), ARG_BUF(to->told),
	           ARG_LOCAL(local_bytes(b, b->a->dtype)), ARG_FIRST(0));
}

static size_t no_room(const struct batch *b, enum dtype t,
                      const struct sheet *d)
{
	(void)b;
	(void)t;
	(void)d;
	return 0;
}

const struct batch_kernel eigen_batch_jacobi = {
	.most = MOST, .worth = MOST, .fits = fits, .launch = launch,
	.room = no_room,
};

/* --- eigen_jacobi_lanes: one vector lane of a CPU for each matrix */

static bool fits_lanes(const struct batch *b, enum dtype t,
                       const struct sheet *d)
{
	(void)b;
	(void)t;
	(void)d;
	return true;
}

static size_t items_of(const struct batch *b, enum dtype t,
                       const struct sheet *d)
{
	const size_t lanes = 64 / dtype_bytes(t);

	return size_min(size_blocks(b->stack, lanes),
	                ITEMS_PER_UNIT * size_max(d->compute_units, 1));
}

static size_t room_lanes(const struct batch *b, enum dtype t,
                         const struct sheet *d)
{
	return items_of(b, t, d) * (2 * b->n * (b->n | 1) + b->n) * 64;
}

static void launch_lanes(struct seq *s, const struct batch *b,
                         const struct batch_buffers *to)
{
	const struct sheet *d = seq_sheet(s);
	const enum dtype t = b->a->dtype;
	const size_t items = items_of(b, t, d), lanes = 64 / dtype_bytes(t);
	const size_t each = chunk_of(d, flops_of(b), items * lanes);
	const struct buf room = seq_scratch(s, room_lanes(b, t, d));

	for (size_t i = 0; i < b->stack; i += each) {
		const size_t end = size_min(b->stack, i + each);

		seq_work(s, flops_of(b) * (double)(end - i), 0);
		seq_launch(s, "eigen_jacobi_lanes", GRID1(items, 1),
		           ARG_BUF(seq_input(s, b->a)), ARG_INT(b->n),
		           ARG_INT(end), ARG_BUF(to->values),
		           ARG_BUF(to->vectors), ARG_INT(b->vectors),
		           ARG_INT(b->judged), ARG_BUF(to->told),
		           ARG_BUF(room), ARG_INT(i));
	}
}

const struct batch_kernel eigen_batch_lanes = {
	.most = MOST, .worth = MOST_LANES, .fits = fits_lanes,
	.launch = launch_lanes, .room = room_lanes,
};
