/* seeds_cell.h - a figure of this device: one version of a table's
 * algorithm at one size. */
#ifndef BENCH_SEEDS_CELL_H
#define BENCH_SEEDS_CELL_H

#include "bench/seeds.h"
#include "bench/seeds_tables.h"

struct seed_cell {
	double ms, error;		/* NAN: none */
	double rounds;			/* counted from 0, as in the articles */
	char reason[256];		/* why there is no ms; or "" */
	bool left_out;			/* it was slow at a smaller size */
};

/* A table's operands at one size, and the matrix for its kernel's result. */
struct seed_problem {
	const struct seed_table *table;
	size_t n;
	struct matrix in[SEED_OPERANDS], out;
};

/* The caller calls seed_problem_fini(p) in any case. */
int seed_problem_make(struct seed_problem *p, const struct seed_table *t,
                      size_t n, struct memory_pool *pool, struct err *e);
void seed_problem_fini(struct seed_problem *p);

/* Sets a cell without a figure, for that reason. */
void seed_cell_empty(struct seed_cell *c, const char *reason);

/* Measures the shortest of as many runs as b->cell_ns has time for, at least
 * one. */
void seed_cell_measure(const struct bench_seeds *b, struct seed_problem *p,
                       const struct seed_version *v, struct seed_cell *cell);

/* The lower bound of the time of the table's operation; NAN without one. */
double seed_floor_ms(const struct bench_seeds *b, struct seed_problem *p);

/* Says why that version cannot run on the device; NULL if it can. */
const char *seed_version_lacks(const struct seed_table *t,
                               const struct seed_version *v,
                               const struct sheet *s);

#endif
