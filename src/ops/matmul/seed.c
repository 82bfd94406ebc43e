/* seed.c - the three versions of "Speeding up Matrix Multiplication on
 * GPGPU" (2021): an element of C an item, in rows of a work-group. */
#include "base/size.h"
#include "device/seq.h"
#include "ops/matmul/product.h"
#include "shared/seed_group.h"

enum { NAIVE_GROUP = 64 };

static struct grid elements(const struct product *p)
{
	return GRID1(p->stack * p->m * p->n, NAIVE_GROUP);
}

static struct grid rows(const struct product *p)
{
	return GRID1(p->stack * p->m * size_round_up(p->n, SEED_GROUP),
	             SEED_GROUP);
}

int matmul_naive_run(struct seq *s, struct args *args)
{
	return matmul_launch(s, args, "matmul_naive", elements);
}

int matmul_local_tile_run(struct seq *s, struct args *args)
{
	return matmul_launch(s, args, "matmul_local_tile", rows);
}

int matmul_broadcast_run(struct seq *s, struct args *args)
{
	return matmul_launch(s, args, "matmul_subgroup_broadcast", rows);
}
