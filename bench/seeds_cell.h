/* seeds_cell.h - a figure of this device: one version of a table's
 * algorithm at one size. */
#ifndef BENCH_SEEDS_CELL_H
#define BENCH_SEEDS_CELL_H

#include "bench/seeds.h"
#include "bench/seeds_tables.h"

struct seed_cell {
	double ms, error;		/* NAN: none */
	double rounds;			/* from 0, as the articles count */
	char reason[256];		/* why there is no ms; or "" */
	bool left_out;			/* for a smaller one was slow */
};

/* A table's operands at one size, and where its kernel's result goes. */
struct seed_problem {
	const struct seed_table *table;
	size_t n;
	struct matrix in[SEED_OPERANDS], out;
};

/* p is seed_problem_fini()'d by the caller in any case. */
int seed_problem_make(struct seed_problem *p, const struct seed_table *t,
                      size_t n, struct memory_pool *pool, struct err *e);
void seed_problem_fini(struct seed_problem *p);

/* No figure, for that reason. */
void seed_cell_empty(struct seed_cell *c, const char *reason);

/* The shortest of the runs that b->cell_ns has time for, at least one. */
void seed_cell_measure(const struct bench_seeds *b, struct seed_problem *p,
                       const struct seed_version *v, struct seed_cell *cell);

/* The least time for the table's operation; NAN without one. */
double seed_floor_ms(const struct bench_seeds *b, struct seed_problem *p);

/* Why that version cannot run on the device; NULL: it can. */
const char *seed_version_lacks(const struct seed_table *t,
                               const struct seed_version *v,
                               const struct sheet *s);

#endif
