/* rows.h - what `linalgd check` demands. A row is an operation with its
 * parameters, kinds of matrices and sizes; every variant, dtype, kind and size
 * of a row is a case, and every judge of the row judges every case. */
#ifndef CHECK_ROWS_H
#define CHECK_ROWS_H

#include <stddef.h>

#include "ops/op.h"

enum { CHECK_PARAMS = 9 };

/* Computes from a finished call's operands and outputs how wrong it is. A case
 * passes if that is at most the threshold; NAN and infinity never pass. */
struct judge {
	const char *what;		/* as printed; NULL ends a table */
	double (*value)(const struct args *a);
	double threshold;
};

/* A kind of matrices: fills the operands, whose shape and memory are set. */
struct kind {
	const char *name;		/* as printed; NULL ends a table */
	int (*fill)(const struct kind *k, struct args *a, struct err *e);
	double hardness;		/* condition (0.1/eps)^hardness; 0: 2 */
	int range;			/* -1: near underflow, 1: overflow */
	int shape;			/* its meaning is up to fill */
	const double *values;		/* of examples */
};

/* KIND("random", fill_random), or with more members. */
#define KIND(name_, ...) { .name = name_, .fill = __VA_ARGS__ }

struct check_row {
	const char *what;		/* as printed; NULL ends the table */
	const char *op;			/* its name, as for --op */
	const struct op *itself;	/* if it is in no table of operations */
	const char *params[CHECK_PARAMS];	/* name, value, ..., NULL */
	const char *vary;		/* a parameter, with all its choices */
	unsigned dtypes;		/* DTYPE_BIT()s; 0: the reals */
	unsigned want;			/* bit i: output i is wanted; 0: those
					 * of a request that names none */
	/* The operands' shapes, a letter per dimension: "mk" is m x k. */
	const char *operands[OP_INPUTS + 1];
	const size_t (*sizes)[3];	/* m, n, k; ended by CHECK_END */
	const struct kind *kinds;
	const struct judge *judges;	/* NULL: for rows with a refusal */
	enum err_code refusal;		/* the error expected of every call */
	const char *only, *except;	/* prefixes of variants' names */
	/* If set, `repeat` is called with 0 to repeats - 1 before as many runs
	 * of every case, and with -1 afterwards. */
	int repeats;
	void (*repeat)(int i);
};

#define CHECK_END { (size_t)-1, 0, 0 }
#define CHECK_IS_END(size) ((size)[0] == (size_t)-1)

/* A table for every operation, without which linalgd does not link, and those
 * of the reduction's order, of the articles' single kernels and of several
 * eigenvalues. Each table ends with a row without `what`; the list of tables
 * with NULL. */
extern const struct check_row *const check_tables[];
#define OP(id) extern const struct check_row check_##id##_rows[];
#include "ops/ops.def"
#undef OP
extern const struct check_row check_order_rows[], check_seed_rows[],
    check_spectra_rows[];

/* Fills that several tables share. */
int fill_random(const struct kind *k, struct args *a, struct err *e);
int fill_values(const struct kind *k, struct args *a, struct err *e);

/* A symmetric first operand of that shape, and if there is a second one, A
 * times random numbers. Those before SYMMETRIC_INDEFINITE are positive definite
 * but for the zeros in a row and its column. HOLLOW: zeros on the diagonal;
 * SADDLE: a block of them, half as large as A. */
enum { SYMMETRIC_DEFINITE, SYMMETRIC_DIAGONAL, SYMMETRIC_FIRST_ZERO,
       SYMMETRIC_MIDDLE_ZERO, SYMMETRIC_LAST_ZERO, SYMMETRIC_INDEFINITE,
       SYMMETRIC_HOLLOW, SYMMETRIC_SADDLE };
int fill_spectral(const struct kind *k, struct args *a, struct err *e);

/* B = A X with a random X, rounded once. */
void check_fill_sides(const struct matrix *a, struct matrix *b);

/* LAPACK's eleven types of a general matrix (its working note 41, table 2):
 * all, those that are regular, and the others. The first operand is such a
 * matrix A; the second, if there is one, is A times random numbers. */
extern const struct kind check_lapack_kinds[], check_regular_kinds[],
    check_singular_kinds[];

/* A judge: the operation's own ratio, as computed with quality=full. */
double check_own_ratio(const struct args *a);

/* Uniform in (-1, 1), the same for the same seed and place. */
double check_random(uint64_t seed, uint64_t place);
void check_fill_random(struct matrix *m, uint64_t seed);

#endif
