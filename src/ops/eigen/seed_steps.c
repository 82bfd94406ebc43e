/* seed_steps.c - see seed.h: the launches of kernels/seeds/eigen.cl. */
#include "base/size.h"
#include "ops/eigen/seed.h"
#include "shared/seed_group.h"

/* A kernel of the article, and its work-groups. */
struct step_kernel {
	const char *name;
	size_t items;
};

static const struct step_kernel row_sums[SEED_ROW_SUMS] = {
	{ "seed_row_sums_v0", SEED_GROUP },
	{ "seed_row_sums_v1", SEED_GROUP },
	{ "seed_row_sums_v2", SEED_WIDE },
};
static const struct step_kernel max[SEED_MAX] = {
	{ "seed_max_v0", SEED_GROUP },
	{ "seed_max_v1", SEED_GROUP },
	{ "seed_max_v2", SEED_WIDE },
};
static const struct step_kernel update[SEED_UPDATE] = {
	{ "seed_update_v0", SEED_GROUP },
	{ "seed_update_v1", SEED_GROUP },
};
static const struct step_kernel next = { "seed_next", SEED_GROUP };
static const struct step_kernel stop[SEED_STOP] = {
	{ "seed_stop_v0", SEED_GROUP },
	{ "seed_stop_shuffle", SEED_WIDE },
};

static const struct step_kernel *of_version(const struct step_kernel *k,
                                            int count, int version)
{
	return &k[version < count ? version : count - 1];
}

static struct grid rows_of(const struct step_kernel *k, size_t n)
{
	return GRID1(n * size_blocks(n, k->items) * k->items, k->items);
}

static double bytes_of(const struct seq *s, double elements)
{
	return elements * (double)dtype_bytes(seq_dtype(s));
}

void seed_row_sums(struct seq *s, int version, struct buf a, struct buf sums,
                   size_t n)
{
	const struct step_kernel *k = of_version(row_sums, SEED_ROW_SUMS,
	                                         version);
	const double zero = 0, all = (double)n * (double)n;
	const size_t each = dtype_bytes(seq_dtype(s));

	seq_fill(s, sums, 0, n * each, &zero, each);
	seq_work(s, all, bytes_of(s, all));
	seq_launch(s, k->name, rows_of(k, n), ARG_BUF(a), ARG_BUF(sums),
	           ARG_LONG(n));
}

void seed_max(struct seq *s, int version, struct buf x, struct buf to,
              size_t n)
{
	const struct step_kernel *k = of_version(max, SEED_MAX, version);

	/* Starts with the first element, for all may be negative. */
	seq_copy(s, x, 0, to, 0, dtype_bytes(seq_dtype(s)));
	seq_work(s, 0, bytes_of(s, (double)n));
	seq_launch(s, k->name, GRID1(n, k->items), ARG_BUF(x), ARG_BUF(to),
	           ARG_LONG(n));
}

void seed_update(struct seq *s, int version, struct buf v, struct buf sums,
                 struct buf largest, size_t n)
{
	const struct step_kernel *k = of_version(update, SEED_UPDATE,
	                                         version);

	seq_work(s, 2.0 * (double)n, bytes_of(s, 3.0 * (double)n));
	seq_launch(s, k->name, GRID1(n, k->items), ARG_BUF(v), ARG_BUF(sums),
	           ARG_BUF(largest), ARG_LONG(n));
}

void seed_next(struct seq *s, struct buf a, struct buf sums, size_t n)
{
	const double all = (double)n * (double)n;

	seq_work(s, 2 * all, bytes_of(s, 2 * all));
	seq_launch(s, next.name, rows_of(&next, n), ARG_BUF(a),
	           ARG_BUF(sums), ARG_LONG(n));
}

void seed_stop(struct seq *s, int version, struct buf sums, struct buf largest,
               double tol, struct buf flag, size_t n)
{
	const struct step_kernel *k = of_version(stop, SEED_STOP, version);
	const int32_t yes = 1;

	seq_fill(s, flag, 0, sizeof yes, &yes, sizeof yes);
	seq_work(s, 2.0 * (double)n, bytes_of(s, (double)n));
	seq_launch(s, k->name, GRID1(n, k->items), ARG_BUF(sums),
	           ARG_BUF(largest), ARG_FLOAT(tol), ARG_BUF(flag),
	           ARG_LONG(n));
}

void seed_scale(struct seq *s, struct buf from, size_t at, struct buf to,
                int exponent, size_t n)
{
	seq_work(s, 0, bytes_of(s, 2.0 * (double)n));
	seq_launch(s, "seed_scale", GRID1(n, SEED_GROUP), ARG_BUF(from),
	           ARG_LONG(at), ARG_BUF(to), ARG_INT(exponent), ARG_LONG(n));
}
