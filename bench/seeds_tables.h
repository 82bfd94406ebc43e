/* seeds_tables.h - the articles' tables: what they measured, at which sizes,
 * and their figures. */
#ifndef BENCH_SEEDS_TABLES_H
#define BENCH_SEEDS_TABLES_H

#include "check/seed_kernels.h"
#include "ops/op.h"

enum {
	SEED_SIZES = 10, SEED_VERSIONS = 14, SEED_MACHINES = 2,
	SEED_OPERANDS = 3,
};

/* How a version's figure is made on this device. */
enum seed_by {
	SEED_OURS,			/* the operation, variant=auto */
	SEED_VARIANT,			/* the operation, by that variant */
	SEED_KERNEL,			/* the table's kernel by itself */
};

struct seed_version {
	const char *name;		/* in the article */
	enum seed_by by;
	const char *variant;		/* for SEED_VARIANT */
	int number;			/* for SEED_KERNEL: its version */
	bool unjudged;			/* computes something else: no error */
	/* Milliseconds by machine and size, and their deviation; 0: none. */
	double published[SEED_MACHINES][SEED_SIZES];
	double deviation[SEED_MACHINES];
};

struct seed_table {
	const char *name;		/* for --work, and the plot's file */
	const char *title, *article;
	const char *op, *params[9];	/* name, value, ..., NULL */
	enum dtype dtype;
	/* The operands: 'n' for each dimension n, and a generator's name. */
	const char *operands[SEED_OPERANDS + 1];
	const char *generators[SEED_OPERANDS];
	const char *shape;		/* as printed: 'n' for each n */
	const char *results[3];		/* outputs that are judged */
	/* The kernel alone; out has the shape `result`, 'n' for each n. */
	void (*kernel)(struct seq *s, int number, const struct matrix *in,
	               const struct matrix *out);
	const char *result;
	enum dtype result_dtype;
	/* The results' error, and the name of that measure. */
	double (*error)(const struct matrix *in, const struct matrix *out);
	const char *error_is;
	const char *note;		/* to be printed below; or NULL */
	const char *machines[SEED_MACHINES + 1];
	size_t sizes[SEED_SIZES + 1];	/* ended by 0 */
	double rounds[SEED_SIZES];	/* published; 0: none */
	struct seed_version versions[SEED_VERSIONS + 1];
};

/* Ended by a table without a name. */
extern const struct seed_table seed_tables[];

/* seeds_error.c: the errors of results, computed on the host in more than
 * float32; NaN for a result that contains one. */
double seed_error_row_sums(const struct matrix *in, const struct matrix *out);
double seed_error_max(const struct matrix *in, const struct matrix *out);
double seed_error_update(const struct matrix *in, const struct matrix *out);
double seed_error_next(const struct matrix *in, const struct matrix *out);
double seed_error_stop(const struct matrix *in, const struct matrix *out);
double seed_error_eigen(const struct matrix *in, const struct matrix *out);
double seed_error_lu(const struct matrix *in, const struct matrix *out);
double seed_error_matmul(const struct matrix *in, const struct matrix *out);
double seed_error_sum(const struct matrix *in, const struct matrix *out);

#endif
