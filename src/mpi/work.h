/* work.h - one call, which all processes compute together.
 *
 * Process 0 receives the call from the front, and tells the others its order:
 * what to compute, and the sizes. Then all of them call the same function. In
 * process 0, which has the operands and the outputs, it hands the former out,
 * writes the latter and judges the answer; the others have no struct args.
 *
 * An order with a size of 0 is not told: process 0 answers it alone.
 */
#ifndef MPI_WORK_H
#define MPI_WORK_H

#include "mpi/dist.h"
#include "ops/op.h"
#include "wire/timing.h"

enum work_kind { WORK_END, WORK_LU, WORK_SOLVE, WORK_MATMUL, WORK_EIGEN };

/* Plain data, for all processes. */
struct order {
	enum work_kind kind;
	enum dtype dtype;
	enum quality quality;
	bool vectors;			/* of eigen: are they wanted? */
	size_t m, n, k;			/* of the matrix or matrices; of solve,
					 * k is the number of right-hand
					 * sides */
};

struct work {
	const struct ranks *g;
	struct order order;
	/* In process 0, else NULL: */
	struct args *a;
	struct err *err;		/* for errors with numbers of the call;
					 * those without are in
					 * work_describe() */
	struct timing *timing;
	void (*progress)(void *arg, double done);
	void *arg;
};

/* The stages of a call. */
enum stage_of_work { STAGE_UP, STAGE_COMPUTE, STAGE_DOWN, STAGES_OF_WORK };

/* Each kind: sets the order and the call's failures that can be found without
 * the other processes; -1 with *e. Then run() computes it. */
struct work_of {
	const char *op;
	enum work_kind kind;
	int (*prepare)(struct work *w, struct err *e);
	enum err_code (*run)(struct work *w);
	/* In process 0 alone: answers an order with a size of 0. NULL: there is
	 * none. */
	enum err_code (*empty)(struct work *w);
};

/* By kind; WORK_END has none. */
const struct work_of *work_of_kind(enum work_kind kind);
const struct work_of *work_of_op(const char *op);

int lu_prepare(struct work *w, struct err *e);
int solve_prepare(struct work *w, struct err *e);
int matmul_prepare(struct work *w, struct err *e);
int eigen_prepare(struct work *w, struct err *e);
enum err_code lu_work(struct work *w);
enum err_code solve_work(struct work *w);
enum err_code matmul_work(struct work *w);
enum err_code eigen_work(struct work *w);
enum err_code lu_empty(struct work *w);
enum err_code solve_empty(struct work *w);
enum err_code matmul_empty(struct work *w);

/* Has the order a size of 0? */
bool work_is_empty(const struct work *w);

/* Begins a stage's clock; adds the time since then to the stage's, and notes
 * the progress. work_routine() does this for one routine of ScaLAPACK, which
 * becomes a row of the timing's kernels. */
int64_t work_begin(void);
void work_end(struct work *w, enum stage_of_work stage, int64_t begun_ns,
              double progress);
void work_routine(struct work *w, const char *name, int64_t begun_ns,
                  double flops, double progress);

/* The error of a call that has failed with that code, unless w->err is set. */
void work_describe(struct work *w, enum err_code code);

/* --- process 0's side of dist_scatter() and dist_gather() */

/* Element (i, j) of what is handed out is at i row + j col. */
struct strided {
	const void *data;
	size_t each;			/* bytes of an element */
	size_t columns, row, col;
	const int64_t *order;		/* row i is row order[i]; or NULL */
};
dist_get_fn work_get_strided;

/* Collects a whole matrix, row-major. */
struct dense {
	void *data;
	size_t row_bytes;
};
dist_put_fn work_put_dense;

#endif
