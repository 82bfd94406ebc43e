/* eigen.h - the parts of operation eigen: a problem, its pair, its methods.
 *
 *     eigen.c             the operation's tables, what clients may ask
 *     eigen_run.c         every matrix of a stack: look, choose, answer
 *     eigen_problem.c     a problem's buffers, what its matrix looks like
 *     eigen_round.c       similarity and power: rounds of one product each
 *     eigen_seed.c        similarity as the article has it
 *     eigen_cyclic.c      ties of non-negative matrices
 *     eigen_krylov.c      Krylov-Schur: builds and restarts the space
 *     eigen_ritz.c        what a Krylov space says of the dominant pair
 *     eigen_schur.c       complex Schur form of a small matrix
 *     eigen_jacobi.c      the smallest singular vector of a small matrix
 *     eigen_triangle.c    triangular matrices, without any product
 *
 * All work on B = unit A, unit a power of two with max |b_ij| in [1, 2);
 * only the last step divides by it. Methods return -1 when the sequence
 * failed or with ERR_COMPLEX; not converging is told by pair.converged.
 */
#ifndef OPS_EIGEN_H
#define OPS_EIGEN_H

#include "device/seq.h"
#include "eigen_state.h"
#include "ops/need.h"
#include "ops/op.h"

/* The kernels of a variant and how they are launched. */
struct eigen_kernels {
	const char *look, *round, *fold;
	const char *project, *subtract, *normalise, *rotate;
	size_t local;			/* work-group size of all of them */
	size_t rows;			/* a block's rows are a multiple */
	size_t chunk;			/* elements of a block of a vector */
	size_t blocks_per_unit;		/* blocks of rows, at most */
	int seed;			/* similarity by the article's kernels,
					 * this version and 1; 0: not */
};

enum eigen_method {
	EIGEN_AUTO, EIGEN_SIMILARITY, EIGEN_POWER, EIGEN_KRYLOV
};

/* One square matrix of the operand, and what is known of it. */
struct eigen_problem {
	const struct eigen_kernels *k;
	struct seq *s;
	const struct matrix *m;		/* the operand; a host may read it */
	size_t index;			/* of the matrix in the stack */
	const char *where;		/* "eigen: ", or with the index */
	struct buf a;
	size_t n, rows, blocks;		/* blocks of `rows` rows */
	enum eigen_method method;
	double tol;
	int64_t limit;			/* products */
	double epsilon;			/* of the device's accumulators */
	double unit;
	bool non_negative, positive;
	bool below, above;		/* something there of the diagonal */
	double norm;			/* max over rows of the sum of |b_ij| */
	struct buf state, parts, pair;	/* pair: two vectors */
	struct buf done;		/* blocks of a round; a number */
	struct buf basis[2], w, h, column, norms, c;	/* made by krylov */
	struct eigen_seed_buffers {	/* made by eigen_seed */
		struct buf a, sums, max, v, stop;
	} seed;
};

/* What was found. { 0 } with a vector of n elements to begin with. */
struct eigen_pair {
	double value;			/* of B */
	double *vector;			/* any scale, not 0 */
	int64_t iterations;
	bool converged, tie;
	bool enclosed;			/* low and high hold */
	double low, high;		/* Collatz and Wielandt's, of B */
	double error;			/* relative spread or residual */
};

/* Bytes of a device's accumulators for matrices of that type. */
size_t eigen_acc_bytes(const struct sheet *d, enum dtype t);

static inline size_t acc_bytes(const struct eigen_problem *p)
{
	return eigen_acc_bytes(seq_sheet(p->s), p->m->dtype);
}

/* What eigen_problem_init(), eigen_krylov() and eigen_seed() make, for
 * matrices of n rows. */
void eigen_problem_need(struct need *need, const struct sheet *d,
                        enum dtype t, const struct eigen_kernels *k,
                        size_t n);
void eigen_krylov_need(struct need *need, size_t acc,
                       const struct eigen_kernels *k, size_t n);
void eigen_seed_need(struct need *need, enum dtype t, size_t n);

/* A device's acc arrays, whatever their type, as doubles. */
void eigen_read(struct eigen_problem *p, struct buf b, size_t from,
                double *to, size_t n);
void eigen_write(struct eigen_problem *p, struct buf b, size_t from,
                 const double *x, size_t n);
struct buf eigen_scratch(struct eigen_problem *p, size_t n);

/* A fresh state; least > 0: rounds stop by the bracket, and positive
 * elements of v stay above it. */
void eigen_begin(struct eigen_problem *p, double value, double tol,
                 double least);

/* Launches y = scale (B x + shift x), and the sums by blocks. */
void eigen_product(struct eigen_problem *p, struct buf x, size_t from,
                   struct buf y, size_t to);

/* The same, and the state after it; waits and reads it unless state is NULL. */
void eigen_round(struct eigen_problem *p, struct buf x, size_t from,
                 struct buf y, size_t to, double state[STATE_LENGTH]);

/* Buffers and geometry for a->in[0], without a matrix yet. */
void eigen_problem_init(struct eigen_problem *p, struct seq *s,
                        struct args *a, const struct eigen_kernels *k);

/* Turns to matrix `index` of the stack: what it looks like, its unit.
 * *largest is max |a_ij|, NAN when not all is finite. */
int eigen_problem_look(struct eigen_problem *p, size_t index,
                       double *largest);

/* Fixed pseudo-random numbers in (-1, 1). */
void eigen_random(double *x, size_t n);

/* The similarity method, for non-negative matrices. Its k-th row sums are
 * (B v)_i / v_i with v = B^k 1 (Collatz 1942, Wielandt 1950: they enclose
 * the Perron root). Gives up early if `impatient` and far from closing. */
int eigen_similarity(struct eigen_problem *p, struct eigen_pair *r,
                     bool impatient);

/* The same from r->vector on, all of whose elements are positive. */
int eigen_similarity_from(struct eigen_problem *p, struct eigen_pair *r,
                          bool impatient);

/* The same by the article's kernels as far as they come. */
int eigen_seed(struct eigen_problem *p, struct eigen_pair *r, bool impatient);

/* Sets r->tie for what eigen_similarity has closed. */
int eigen_cyclic(struct eigen_problem *p, struct eigen_pair *r);

/* The power method; an exact zero is the proof that B is nilpotent. */
int eigen_power(struct eigen_problem *p, struct eigen_pair *r);

/* Krylov-Schur (Stewart 2001) with full re-orthogonalisation, which on a
 * symmetric matrix is thick-restart Lanczos (Wu and Simon 2000). */
int eigen_krylov(struct eigen_problem *p, struct eigen_pair *r);

/* The same of a triangular matrix, exactly: its diagonal. */
void eigen_triangle(struct eigen_problem *p, struct eigen_pair *r);

/* Every matrix of the stack; a variant's run() is a call of this. */
int eigen_run(struct seq *s, struct args *a, const struct eigen_kernels *k);

/* |A v - value v| / (|A| |v| n eps), the largest of the stack. */
int eigen_residual(struct seq *s, struct args *a,
                   const struct eigen_kernels *k);

/* The operation's parameters and outputs, in the order of its tables. */
enum { EIGEN_P_METHOD, EIGEN_P_TOL, EIGEN_P_MAX_ITERATIONS,
       EIGEN_P_ALLOW_PARTIAL };
enum { EIGEN_VALUE, EIGEN_VECTOR, EIGEN_ITERATIONS, EIGEN_CONVERGED,
       EIGEN_BRACKET, EIGEN_TIE };

#endif
