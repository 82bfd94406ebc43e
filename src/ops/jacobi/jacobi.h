/* jacobi.h - what the files of the operation jacobi share.
 *
 * A = D + E, D its diagonal: x <- x + omega D^-1 (b - E x - D x) (Jacobi
 * 1845; weighted: Young 1971). Rows of E come in three classes: those that
 * may be multiplied in float32, those that may not, and empty ones. The
 * permutation groups the rows by class:
 *
 *     none         A x = b
 *     row          A' x = b', A' the rows of A: x keeps its order
 *     symmetric    A'' x' = b', the columns of A'' and x in that order too
 *
 *     jacobi.c  the operation: its tables and shapes
 *     rows.c    reads the operand row by row and refuses what is wrong with it
 *     order.c   the classes and the order of the rows
 *     system.c  the system in the device's memory
 *     run.c     rounds, stages and the verdict
 */
#ifndef OPS_JACOBI_JACOBI_H
#define OPS_JACOBI_JACOBI_H

#include <stdint.h>

#include "device/seq.h"
#include "ops/op.h"

/* The operation's tables. */
enum { JACOBI_A, JACOBI_B };
enum { JACOBI_P_PERMUTATION, JACOBI_P_PRECISION, JACOBI_P_SELECTION,
       JACOBI_P_SWAP, JACOBI_P_OMEGA, JACOBI_P_TOL, JACOBI_P_MAX_ITERATIONS,
       JACOBI_P_RANGE, JACOBI_P_SHARE, JACOBI_P_ALLOW_PARTIAL,
       JACOBI_P_DETECT_DIVERGENCE, JACOBI_P_SCHEDULE };
enum { JACOBI_X, JACOBI_ITERATIONS, JACOBI_CONVERGED };

enum jacobi_permutation { PERMUTE_NONE, PERMUTE_ROW, PERMUTE_SYMMETRIC };
enum jacobi_selection { SELECT_ROW, SELECT_ENTRY, SELECT_COMPOSITE };

/* How a mixed round turns x64 and its float32 copy x32 into the new x, y64. */
enum jacobi_swap {
	SWAP_COPY,		/* a kernel copies y64 to both */
	SWAP_CAST,		/* no x32: each use casts x64 */
	SWAP_WRITE_BOTH,	/* a round writes y64 and y32 */
	SWAP_HYBRID,		/* x64 and y64 are swapped, x32 is copied */
};

/* In the order in which a schedule goes through them. */
enum jacobi_stage { STAGE_FLOAT32, STAGE_MIXED, STAGE_FLOAT64, STAGES };

/* Sets the largest number of updates of x in each stage: those of the schedule,
 * or as many as max_iterations allows. */
void jacobi_steps(const struct args *a, int64_t steps[STAGES]);

/* The matrix, dense or sparse, row by row. */
struct jacobi_rows {
	const struct matrix *m;
	size_t n;
	const int64_t *start;		/* of CSR; NULL: dense */
	const int32_t *column;
};

struct jacobi_entry {
	size_t column;
	double value;
};

struct jacobi_rows jacobi_rows(const struct matrix *m);

/* Sets *k and *end to the range of row i's entries, which may include zeros. */
void jacobi_row(const struct jacobi_rows *r, size_t i, size_t *k,
                size_t *end);
struct jacobi_entry jacobi_entry(const struct jacobi_rows *r, size_t k);

/* Sets each row's diagonal element and number of nonzeros beside it, and the
 * mean of those nonzeros' |a|. Refuses rows without a diagonal element and
 * elements that are not finite. */
int jacobi_look(const struct jacobi_rows *r, double *diagonal,
                int32_t *length, double *mean, struct err *e);

/* Is a value zero or within float32's normal range, so that it neither
 * overflows nor loses digits to underflow? */
bool jacobi_fits(double value);

/* How entries and rows are selected for float32. */
struct jacobi_rule {
	enum jacobi_selection selection;
	double range;			/* entries with |a| below this */
	double share;			/* of a row's entries, at least */
};

bool jacobi_selects(const struct jacobi_rule *u, double value);

enum jacobi_class { CLASS_SINGLE, CLASS_DOUBLE, CLASS_EMPTY, CLASSES };

/* Sets class[i] for each row i of r. */
void jacobi_classify(const struct jacobi_rows *r, const int32_t *length,
                     const struct jacobi_rule *u, unsigned char *class);

/* Sets order[k] to the row of the operand that becomes row k; rows of a class
 * keep their order. separation[c] is where class c begins, and the last is
 * n. */
void jacobi_order(const unsigned char *class, size_t n, int32_t *order,
                  size_t separation[CLASSES + 1]);

/* The permuted system on the device; kernels/jacobi/jacobi.h describes its
 * buffers. */
struct jacobi_system {
	size_t n, nnz, blocks;
	struct buf start, split, column, value, single, diagonal, b, block;
	struct buf place;		/* for the permutation row, else { 0
					 * } */
	struct buf order;		/* for the permutation symmetric, else {
					 * 0 } */
	int exponent;			/* b and x are in units of 2^exponent */
	double norm;			/* |b|, in those units */
};

/* A variant: its kernels and the largest size of their blocks. */
struct jacobi_kernels {
	const char *round, *round_float32, *fold;
	size_t local;			/* items of a work-group */
	size_t rows, entries;		/* of a block; a row stays whole */
};

/* Makes the system. `single` is set if a stage multiplies in float32, and `all`
 * if a stage does that for every entry. -1 with the sequence's error if A or b
 * is refused or there is no memory. */
int jacobi_system(struct seq *s, const struct args *a,
                  const struct jacobi_kernels *k, bool single, bool all,
                  struct jacobi_system *y);

int jacobi_run(struct seq *s, struct args *a, const struct jacobi_kernels *k);

/* Sets a->verdict.residual to |b - A x| / (n |A| |x| eps) in the max-norm, for
 * the answer as it is returned; eps is the unit roundoff. */
int jacobi_residual(struct seq *s, struct args *a);

#endif
