/* rows.h - the tables of what `linalgd bench --suite peers` measures. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "ops/op.h"

enum { BENCH_SHAPES = 12, BENCH_PEER_CALLS = 2, BENCH_RESULTS = 3 };

/* One work: an operation with its parameters, shapes and peers. The comment of
 * a member says what 0 or NULL means. */
struct bench_row {
	const char *op;			/* NULL ends a table */
	const char *work;		/* as printed; NULL: the operation */
	const char *params[5];		/* name, value, ..., NULL */
	/* The operands' shapes, a letter per dimension: "mk" is m x k. */
	const char *operands[OP_INPUTS + 1];
	const char *shape;		/* the letters that are printed; NULL:
					 * the first operand's */
	const char *results[BENCH_RESULTS + 1];	/* outputs that are judged */
	bool named;			/* the request's `return` names the
					 * results; false: it names nothing */
	/* The calls of peers that do the same; NULL: no peer has one. */
	const char *peer[BENCH_PEER_CALLS];
	unsigned devices;		/* enum device_type bits; 0: all */
	unsigned dtypes;		/* DTYPE_BIT()s; 0: the reals */
	size_t dim[BENCH_SHAPES][3];	/* m, n, k; ended by zeros */
	size_t on_gpus[BENCH_SHAPES][3];	/* measured there, besides */
	const char *generator;		/* of the first operand ("spd"); NULL:
					 * as the others, uniform in (-1, 1) */
	/* Makes operands that are not dense or have other elements; NULL:
	 * bench_make_dense. */
	int (*make)(struct args *a, const struct bench_row *row,
	            const size_t dim[3], enum dtype dtype,
	            struct memory_pool *pool, struct err *e);
	/* The results' error (error.h), of ours and of the peer's; NULL: they
	 * are not judged. */
	double (*error)(const struct matrix *in, const struct matrix *out);
};

/* A table for every operation, in the order of ops.def, without which neither
 * the benchmark nor the tests link. The list of tables ends with NULL. */
extern const struct bench_row *const bench_tables[];
#define OP(id) extern const struct bench_row bench_##id##_rows[];
#include "ops/ops.def"
#undef OP

const char *bench_work(const struct bench_row *row);
const char *bench_shape(const struct bench_row *row);

/* Dense operands of the row's shapes. */
int bench_make_dense(struct args *a, const struct bench_row *row,
                     const size_t dim[3], enum dtype dtype,
                     struct memory_pool *pool, struct err *e);
/* Each of these makes a sparse m x m matrix and a vector. The matrix is the
 * seven-point stencil of a cubic grid of m points, or the five-point stencil of
 * a square grid, or one whose rows have about m / 4, m / 8, m / 12, ...
 * entries, in scattered order. */
int bench_make_stencil(struct args *a, const struct bench_row *row,
                       const size_t dim[3], enum dtype dtype,
                       struct memory_pool *pool, struct err *e);
int bench_make_plane(struct args *a, const struct bench_row *row,
                     const size_t dim[3], enum dtype dtype,
                     struct memory_pool *pool, struct err *e);
int bench_make_power_law(struct args *a, const struct bench_row *row,
                         const size_t dim[3], enum dtype dtype,
                         struct memory_pool *pool, struct err *e);

#endif
