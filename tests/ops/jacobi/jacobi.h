/* jacobi.h - systems for the tests of jacobi: A is strictly diagonally
 * dominant, x is known, and b = A x is rounded once. */
#ifndef TESTS_OPS_JACOBI_JACOBI_H
#define TESTS_OPS_JACOBI_JACOBI_H

#include "tests/ops/op.h"

/* in[0] is A, sparse, in[1] is b. */
struct system {
	struct matrix in[2], x;
};

/* The 5-point stencil on a g x g grid, with a slightly larger diagonal. */
struct system stencil(enum dtype t, size_t g);

/* Rows of all classes: empty ones, with small entries, with large ones, with
 * both, and one full row. */
struct system graded(enum dtype t, size_t n);

void system_fini(struct system *y);

/* |b - A x| / |b| in long double. */
double relative_residual(const struct system *y, const struct matrix *x);

/* The largest residual of an x for which float64 found tol: each of a row's n
 * terms is rounded once, and so is their sum. */
double residual_limit(const struct system *y, double tol);

/* max |x - y.x| / max |y.x| */
double relative_error(const struct system *y, const struct matrix *x);

/* ways.c */
void jacobi_ways(TCase *t);

/* limits.c */
void jacobi_limits(TCase *t);

/* ends.c */
void jacobi_ends(TCase *t);

#endif
