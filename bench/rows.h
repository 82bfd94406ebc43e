/* rows.h - the works that are measured against peers, a row each. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include <stddef.h>

#include "ops/op.h"

enum { BENCH_SHAPES = 12, BENCH_PEER_CALLS = 2, BENCH_RESULTS = 2 };

struct bench_row {
	const char *work;		/* as printed */
	const char *op;
	const char *params[5];		/* name, value, ..., NULL */
	/* The operands' shapes, a letter per dimension: "mk" is m x k. */
	const char *operands[OP_INPUTS + 1];
	const char *shape;		/* the letters that are printed */
	const char *results[BENCH_RESULTS + 1];	/* outputs that are judged */
	const char *peer[BENCH_PEER_CALLS];	/* its calls; NULL: no more */
	unsigned devices;		/* enum device_type bits; 0: all */
	unsigned dtypes;		/* DTYPE_BIT()s; 0: all */
	size_t dim[BENCH_SHAPES][3];	/* m, n, k; ended by zeros */
	/* Makes the operands; NULL: dense random ones with those shapes. */
	int (*make)(struct args *a, const size_t dim[3], enum dtype dtype,
	            struct memory_pool *pool, struct err *e);
	/* The results' error, relative to the magnitudes that are rounded. */
	double (*error)(const struct matrix *in, const struct matrix *out);
};

/* Ended by a row without work. */
extern const struct bench_row bench_rows[];

/* Hilbert's matrix, m x m. */
int bench_make_hilbert(struct args *a, const size_t dim[3], enum dtype dtype,
                       struct memory_pool *pool, struct err *e);
/* A sparse m x m matrix and a vector: each point of a cube of m points with its
 * six neighbours; of a square with its four; and rows whose lengths are 1, 1/2,
 * 1/3, ... of m / 4. */
int bench_make_stencil(struct args *a, const size_t dim[3], enum dtype dtype,
                       struct memory_pool *pool, struct err *e);
int bench_make_plane(struct args *a, const size_t dim[3], enum dtype dtype,
                     struct memory_pool *pool, struct err *e);
int bench_make_power_law(struct args *a, const size_t dim[3],
                         enum dtype dtype, struct memory_pool *pool,
                         struct err *e);

/* Errors of the judged outputs, computed on the host in long double, from a
 * sample of rows where all would take too long. They are absolute ratios, not
 * in units of eps. */
double bench_error_matmul(const struct matrix *in, const struct matrix *out);
double bench_error_matmul_tn(const struct matrix *in, const struct matrix *out);
double bench_error_matmul_nt(const struct matrix *in, const struct matrix *out);
double bench_error_matmul_tt(const struct matrix *in, const struct matrix *out);
double bench_error_matmul_stack(const struct matrix *in,
                                const struct matrix *out);
double bench_error_lu(const struct matrix *in, const struct matrix *out);
double bench_error_solve(const struct matrix *in, const struct matrix *out);
double bench_error_rowsums(const struct matrix *in, const struct matrix *out);
double bench_error_transpose(const struct matrix *in,
                             const struct matrix *out);
double bench_error_sum(const struct matrix *in, const struct matrix *out);
double bench_error_max(const struct matrix *in, const struct matrix *out);
double bench_error_norm2(const struct matrix *in, const struct matrix *out);
double bench_error_spmv(const struct matrix *in, const struct matrix *out);
/* The error of the eigenvalue and its vector, from A v - lambda v. */
double bench_error_eigen(const struct matrix *in, const struct matrix *out);

#endif
