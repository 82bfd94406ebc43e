/* generate.h - generates test matrices by name, as {"generate": "random"} asks
 * for. */
#ifndef MATRIX_GENERATE_H
#define MATRIX_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/matrix.h"

struct generator;

/* One element's place: row i, column j of an m x n matrix, and its index in the
 * whole stack. A vector is a column. */
struct place {
	size_t i, j, m, n, index;
	uint64_t mixed;			/* the seed, its bits mixed */
	const struct matrix *a;		/* the matrix itself, filled up to
					 * index */
};

/* Returns the generator of that name, or NULL with ERR_FORMAT, which lists all
 * names. */
const struct generator *generator_find(const char *name, struct err *e);

/* Returns generator number i, from 0 on, or NULL after the last. */
const struct generator *generator_at(size_t i);
const char *generator_name(const struct generator *g);
/* Returns a description of the generator's matrices, in which a_ij is an
 * element and i and j count from 1. */
const char *generator_help(const struct generator *g);
/* Return whether the generator makes square matrices only, and whether its
 * matrices depend on the seed. */
bool generator_is_square(const struct generator *g);
bool generator_is_seeded(const struct generator *g);

/* Checks that the generator can make a matrix of m's shape: 0, or -1 with
 * ERR_SHAPE. */
int generator_check(const struct generator *g, const struct matrix *m,
                    struct err *e);

/* Returns how long filling m takes, in the unit of reader_cost(). */
double generator_cost(const struct generator *g, const struct matrix *m);

/* Fills m, every matrix of a stack. The same seed gives the same numbers
 * whatever the device, and, but for rounding, whatever the dtype. Long work is
 * done in slices (slice.h): -1 when it was cancelled. */
int generator_fill(const struct generator *g, struct matrix *m,
                   uint64_t seed, struct err *e);

#endif
