/* eigen.h - the parts of operation eigen: a problem, its pair, its methods.
 *
 *     eigen.c             the operation's tables, what clients may ask
 *     run.c         every matrix of a stack: look, choose, answer
 *     answer.c      what is answered of a pair, or said of a failure
 *     problem.c     a problem's buffers, what its matrix looks like
 *     measure.c     the residual of a pair, by the matrix as it came
 *     round.c       similarity and power: rounds of one product each
 *     power.c       the power method, sharpened and confirmed
 *     seed.c        similarity as the article has it
 *     cyclic.c      ties of non-negative matrices
 *     krylov.c      Krylov-Schur: builds and restarts the space
 *     scaling.c     the balanced matrix that Krylov-Schur works on
 *     ritz.c        what a Krylov space says of the dominant pair
 *     schur.c       complex Schur form of a small matrix
 *     jacobi.c      the smallest singular vector of a small matrix
 *     full.c        a full decomposition, which decides what dominates
 *     general.c     the same of any matrix, by LAPACK
 *     symmetric.c   the same of a symmetric one
 *     triangle.c    triangular matrices, without any product
 *
 * The device works on B = unit A, unit a power of two with max |b_ij| in
 * [1, 2); what is told of a pair is in A's terms. Methods return -1 when the
 * sequence failed; not converging is told by pair.converged.
 *
 * Converged means: |A v - value v| / |v|, computed with A as it came, is at
 * most tol |value|. Where |value| is so small beside the norm of the balanced
 * matrix that rounding moves the residual by more than that, the pair of a full
 * decomposition is as exact as can be, and converged as well.
 */
#ifndef OPS_EIGEN_EIGEN_H
#define OPS_EIGEN_EIGEN_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"
#include "shared/eigen_state.h"

/* Rows of matrices that a full decomposition on the host decides; and of those
 * that it takes over when Krylov's method gets nowhere. It takes (on two cores
 * of an AMD EPYC of 2021, in ms) for n = 64, 128, 256, 512, 1024, 2048: of a
 * general matrix 1.3, 9, 45, 350, 1200, 4700; of a symmetric one 0.3, 1, 3.5,
 * 20, 130, 1400, and 18 s for n = 5000. */
enum {
	EIGEN_FULL = 512,
	EIGEN_FULL_GENERAL = 4096, EIGEN_FULL_SYMMETRIC = 8192,
};

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
	struct buf a;
	size_t n, rows, blocks;		/* blocks of `rows` rows */
	enum eigen_method method;
	double tol, floor;
	int64_t limit;			/* products */
	double epsilon;			/* of the device's accumulators */
	double unit;
	bool non_negative, positive;
	bool below, above;		/* something there of the diagonal */
	int range;			/* powers of two between elements of B
					 * whose products do not underflow */
	bool wide;			/* they are farther apart */
	double norm;			/* max over rows of the sum of |b_ij| */
	struct buf state, parts;
	struct buf pair;		/* two vectors, and their products */
	struct buf done;		/* blocks of a round; a number */
	struct buf basis[2], w, h, column, norms, c;	/* made by krylov */
	struct buf squares, slabs;	/* made by eigen_scaling_find */
	struct buf d, inverse, scaled;
	struct eigen_seed_buffers {	/* made by eigen_seed */
		struct buf a, sums, max, v, stop;
	} seed;
};

/* What was found. { 0 } with room for a vector to begin with. */
struct eigen_pair {
	double value, imaginary;	/* the latter >= 0 */
	double *vector;			/* n elements, then n imaginary parts;
					 * any scale, not 0 */
	int64_t iterations;
	bool converged, tie;
	bool enclosed;			/* low and high hold */
	double low, high;		/* Collatz and Wielandt's bounds */
	double error;			/* relative spread or residual */
	double residual;		/* |B v - unit value v| / |v| */
	double condition;		/* of the eigenvalue, >= 1; 0: none
					 * known */
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
void eigen_scaling_need(struct need *need, size_t acc, size_t n);
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

/* Sets the pair's residual and error, which takes a product, and whether it is
 * converged: the residual is `least`, if tol asks for less than that. */
int eigen_measure(struct eigen_problem *p, struct eigen_pair *r,
                  double least);

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

/* The power method, from a random start, or from r->vector on by the residual
 * alone. An exact zero is the proof that B is nilpotent. */
int eigen_power(struct eigen_problem *p, struct eigen_pair *r);
int eigen_power_from(struct eigen_problem *p, struct eigen_pair *r);

/* Replaces r by an exact zero if powers of B vanish. */
int eigen_try_nilpotent(struct eigen_problem *p, struct eigen_pair *r);

/* Krylov-Schur (Stewart 2001) of the balanced matrix with full
 * re-orthogonalisation, which on a symmetric matrix is thick-restart Lanczos
 * (Wu and Simon 2000). Ends unconverged before the limit of products where it
 * would need more than are left. */
int eigen_krylov(struct eigen_problem *p, struct eigen_pair *r);

/* D^-1 B D for Krylov's products: finds D; scaled: it is not I. */
int eigen_scaling_find(struct eigen_problem *p, bool *scaled);

/* Launches w = D^-1 B D x, or x = D x. */
void eigen_scaled_product(struct eigen_problem *p, struct buf x, size_t from,
                          struct buf w);
void eigen_scale_vector(struct eigen_problem *p, struct buf x, size_t from);

/* Of a wide matrix: is the balanced one so different that the smallest elements
 * count, whose products underflow on the device? */
int eigen_scaling_matters(struct eigen_problem *p, bool *matters);

/* Is it symmetric? And tridiagonal as it came? */
bool eigen_is_symmetric(const struct eigen_problem *p);
bool eigen_is_tridiagonal(const struct eigen_problem *p);

/* Can a full decomposition take this matrix over? */
bool eigen_full_can(const struct eigen_problem *p);

/* The residual that rounding leaves of a pair of a matrix with that Frobenius
 * norm. */
double eigen_least_residual(size_t n, double norm);

/* All eigenvalues, and the dominant pair of them. */
int eigen_full(struct eigen_problem *p, struct eigen_pair *r);
int eigen_general(struct eigen_problem *p, struct eigen_pair *r);
int eigen_symmetric(struct eigen_problem *p, struct eigen_pair *r);

/* Are the values of two pairs of one size, as far as tol goes? */
bool eigen_agree(const struct eigen_pair *r, const struct eigen_pair *f,
                 double tol);

/* Is r, which an iteration found, the dominant pair? If not, it is replaced. */
int eigen_full_confirm(struct eigen_problem *p, struct eigen_pair *r);

/* The same of a triangular matrix, exactly: its diagonal. */
int eigen_triangle(struct eigen_problem *p, struct eigen_pair *r);

/* Every matrix of the stack; a variant's run() is a call of this. */
int eigen_run(struct seq *s, struct args *a, const struct eigen_kernels *k);

/* What the matrices of a stack had so far, bit i for output i. */
struct eigen_stack {
	unsigned have;			/* one of them at least */
	unsigned lack;			/* not all of them */
};

/* Answers the pair of matrix p->index. */
void eigen_put(struct args *a, const struct eigen_problem *p,
               const struct eigen_pair *r, struct eigen_stack *stack);

/* After the last: outputs that all matrices have as real numbers become real,
 * and what the stack does not have is absent. */
void eigen_put_end(struct args *a, const struct eigen_stack *stack);

/* What the client asked for, or the default. */
double eigen_tol(const struct args *a);

/* Why matrix p->index has no answer, and the operation's describe(). */
void eigen_fail(struct args *a, const struct eigen_problem *p,
                const struct eigen_pair *r, enum err_code why);
void eigen_describe(const struct args *a, const struct failure *f,
                    struct err *e);

/* With quality=full: |A v - value v| / (|A| |v| n eps) of what was answered,
 * the largest of the stack. */
int eigen_residual(struct seq *s, struct args *a,
                   const struct eigen_kernels *k);

/* The operation's parameters and outputs, in the order of its tables. */
enum { EIGEN_P_METHOD, EIGEN_P_TOL, EIGEN_P_MAX_ITERATIONS,
       EIGEN_P_ALLOW_PARTIAL };
enum { EIGEN_VALUE, EIGEN_VECTOR, EIGEN_ITERATIONS, EIGEN_CONVERGED,
       EIGEN_BRACKET, EIGEN_TIE };

#endif
