/* rows.h - what `linalgd check` demands: a row per operation, kinds of
 * matrices and parameters; every variant, dtype, kind and size of a row is a
 * case, and every judge gives its verdict on every case.
 */
#ifndef CHECK_ROWS_H
#define CHECK_ROWS_H

#include <stddef.h>

#include "ops/op.h"

enum { CHECK_PARAMS = 9 };

/* Of a finished call, from its operands and outputs: how wrong it is. The
 * threshold may be reached; NAN and infinity never pass. */
struct judge {
	const char *what;		/* as printed; NULL ends a table */
	double (*value)(const struct args *a);
	double threshold;
};

/* Matrices of a kind: fills the operands, which have shape and memory. */
struct kind {
	const char *name;		/* as printed; NULL ends a table */
	int (*fill)(const struct kind *k, struct args *a, struct err *e);
	double hardness;		/* condition (0.1/eps)^hardness; 0: 2 */
	int range;			/* near -1 underflow, 1 overflow */
	int shape;			/* each fill's own */
	const double *values;		/* of examples */
};

/* KIND("random", fill_random), or with more members. */
#define KIND(name_, ...) { .name = name_, .fill = __VA_ARGS__ }

struct check_row {
	const char *what;		/* as printed; NULL ends the table */
	const char *op;			/* its name, as --op has it */
	const struct op *itself;	/* if it is in no table of operations */
	const char *params[CHECK_PARAMS];	/* name, value, ..., NULL */
	const char *vary;		/* a parameter: each of its choices */
	unsigned dtypes;		/* DTYPE_BIT()s; 0: the reals */
	/* Operands, a letter a dimension: "mk" is m x k. */
	const char *operands[OP_INPUTS + 1];
	const size_t (*sizes)[3];	/* m, n, k; ended by CHECK_END */
	const struct kind *kinds;
	const struct judge *judges;	/* NULL: of rows with a refusal */
	enum err_code refusal;		/* what every call must end with */
	const char *only, *except;	/* a beginning of variants' names */
	/* Every call this often, told to `repeat` before it; -1 afterwards. */
	int repeats;
	void (*repeat)(int i);
};

#define CHECK_END { (size_t)-1, 0, 0 }
#define CHECK_IS_END(size) ((size)[0] == (size_t)-1)

/* A table for every operation, without which linalgd does not link, and those
 * of the reduction's order and of the articles' single kernels. Each ends with
 * a row without `what`; the tables end with NULL. */
extern const struct check_row *const check_tables[];
#define OP(id) extern const struct check_row check_##id##_rows[];
#include "ops/ops.def"
#undef OP
extern const struct check_row check_order_rows[], check_seed_rows[];

/* Fills that several tables share. */
int fill_random(const struct kind *k, struct args *a, struct err *e);
int fill_values(const struct kind *k, struct args *a, struct err *e);

/* LAPACK's eleven types of a general matrix (its working note 41, table 2):
 * all, those that can be solved with, and the others. The first operand is
 * such a matrix A, the second one, if any, A times random numbers. */
extern const struct kind check_lapack_kinds[], check_regular_kinds[],
    check_singular_kinds[];

/* A judge: the operation's own ratio, with quality=full. */
double check_own_ratio(const struct args *a);

/* Uniform in (-1, 1), the same for the same seed and place. */
double check_random(uint64_t seed, uint64_t place);
void check_fill_random(struct matrix *m, uint64_t seed);

#endif
