/* rows.h - what `linalgd check` demands. A row is an operation with its
 * parameters, kinds of matrices and sizes; every variant, dtype, kind and size
 * of a row is a case, and every judge of the row judges every case. */
#ifndef CHECK_ROWS_H
#define CHECK_ROWS_H

#include <stddef.h>

#include "ops/op.h"

enum { CHECK_PARAMS = 9 };

/* `value` computes from the operands and outputs of a finished call how wrong
 * its answer is. A case passes if the value is at most the threshold; NAN and
 * infinity never pass. */
struct judge {
	const char *what;		/* as printed; NULL ends a table */
	double (*value)(const struct args *a);
	double threshold;
};

/* A kind of matrices. `fill` writes the elements of the operands, whose shape
 * and memory are set. */
struct kind {
	const char *name;		/* as printed; NULL ends a table */
	int (*fill)(const struct kind *k, struct args *a, struct err *e);
	/* Parameters of `fill`: */
	double hardness;		/* the condition number is
					 * (0.1/eps)^hardness; 0: 2 */
	int range;			/* elements near underflow (-1) or
					 * overflow (1) */
	int shape;			/* `fill` defines its meaning */
	const double *values;		/* the elements of an example */
};

/* KIND("random", fill_random) is a kind; more members may follow. */
#define KIND(name_, ...) { .name = name_, .fill = __VA_ARGS__ }

struct check_row {
	const char *what;		/* as printed; NULL ends the table */
	const char *op;			/* the operation's name, as for --op */
	const struct op *itself;	/* the operation, if no table has it */
	const char *params[CHECK_PARAMS];	/* name, value, ..., NULL */
	const char *vary;		/* a parameter, all of whose choices
					 * are run; or NULL */
	unsigned dtypes;		/* DTYPE_BIT()s; 0: the reals */
	unsigned want;			/* bit i: output i is wanted; 0: those
					 * of a request that names none */
	/* The operands' shapes, with a letter for each dimension: "mk" is
	 * m x k. */
	const char *operands[OP_INPUTS + 1];
	bool sparse;			/* operand 0 is passed as a sparse
					 * matrix (CSR) */
	const size_t (*sizes)[3];	/* m, n, k; ended by CHECK_END */
	const struct kind *kinds;
	const struct judge *judges;	/* NULL for a row with a refusal */
	enum err_code refusal;		/* the error that every call must
					 * fail with; 0: none */
	const char *only, *except;	/* prefixes of the names of variants
					 * that are run, and that are not */
	/* If `repeat` is set, every case runs `repeats` times. repeat(i) is
	 * called before run i, counted from 0, and repeat(-1) after the
	 * last. */
	int repeats;
	void (*repeat)(int i);
};

#define CHECK_END { (size_t)-1, 0, 0 }
#define CHECK_IS_END(size) ((size)[0] == (size_t)-1)

/* There is a table for every operation, without which linalgd does not link.
 * More tables check the order of reduce's sums, the articles' single kernels,
 * complex matrices, several eigenvalues of dense matrices, of pairs of matrices
 * and of sparse matrices, and iterations with sparse matrices. Each table ends
 * with a row without `what`, the list of tables with NULL. */
extern const struct check_row *const check_tables[];
#define OP(id) extern const struct check_row check_##id##_rows[];
#include "ops/ops.def"
#undef OP
extern const struct check_row check_order_rows[], check_seed_rows[],
    check_spectra_rows[], check_ends_rows[], check_complex_rows[],
    check_iterative_rows[], check_pencil_rows[];

/* Functions for kind.fill that several tables share. They fill the operands
 * with random numbers, and with the kind's values. */
int fill_random(const struct kind *k, struct args *a, struct err *e);
int fill_values(const struct kind *k, struct args *a, struct err *e);

/* The kinds of a table that needs only random operands: one, for
 * fill_random(). */
extern const struct kind check_random_kinds[];

/* Operand 0 is a symmetric matrix A of that shape; operand 1, if there is one,
 * is A times a matrix of random numbers. Shapes before SYMMETRIC_INDEFINITE are
 * positive definite but for the zeros in a row and its column. A hollow matrix
 * has zeros on its diagonal, and a saddle has a block of zeros there, half as
 * large as A. */
enum { SYMMETRIC_DEFINITE, SYMMETRIC_DIAGONAL, SYMMETRIC_FIRST_ZERO,
       SYMMETRIC_MIDDLE_ZERO, SYMMETRIC_LAST_ZERO, SYMMETRIC_INDEFINITE,
       SYMMETRIC_HOLLOW, SYMMETRIC_SADDLE };
int fill_spectral(const struct kind *k, struct args *a, struct err *e);

/* The kinds with the shapes SYMMETRIC_FIRST_ZERO to SYMMETRIC_LAST_ZERO, whose
 * matrices are singular. */
extern const struct kind check_zeroed_kinds[];

/* Fills B with A X, rounded once, of a random X. */
void check_fill_sides(const struct matrix *a, struct matrix *b);

/* LAPACK's eleven types of general matrices (LAPACK working note 41, table 2):
 * all types, the nonsingular ones, and the singular ones. Operand 0 is such a
 * matrix A; operand 1, if there is one, is A times a matrix of random
 * numbers. */
extern const struct kind check_lapack_kinds[], check_regular_kinds[],
    check_singular_kinds[];

/* Judges: the measures that the answer itself reports, the residual and the
 * orthogonality, computed with quality=full. */
double check_own_ratio(const struct args *a);
double check_own_orthogonality(const struct args *a);

/* check_random() returns a random number, uniform in (-1, 1), which depends on
 * seed and place alone. The parts of check_random_complex() are two of them.
 * check_fill_random() fills a matrix with random numbers. */
double check_random(uint64_t seed, uint64_t place);
double _Complex check_random_complex(uint64_t seed, uint64_t place);
void check_fill_random(struct matrix *m, uint64_t seed);

#endif
