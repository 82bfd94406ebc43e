/* eigen.h - the parts of operation eigen: a problem, its pair, its methods.
 *
 *     eigen.c       the operation's tables
 *     sample.c      its sample operands
 *     run.c         for every matrix: inspects it, chooses a method, answers
 *     answer.c      writes the answer for a pair, or records its failure
 *     words.c       describes a failure to the client
 *     problem.c     a problem's buffers, the structure of its matrix
 *     measure.c     the residual of a pair, with the matrix as given
 *     round.c       similarity and power: rounds of one product each
 *     power.c       the power method, sharpened and confirmed
 *     seed.c        the article's similarity method
 *     cyclic.c      ties of non-negative matrices
 *     krylov.c      Krylov-Schur: builds and restarts the space
 *     scaling.c     the balanced matrix that Krylov-Schur works on
 *     ritz.c        the dominant pair as a Krylov space shows it
 *     schur.c       complex Schur form of a small matrix
 *     jacobi.c      the smallest singular vector of a small matrix
 *     full.c        a full decomposition, to decide which pair is dominant
 *     general.c     full decomposition of any matrix, by LAPACK
 *     symmetric.c   full decomposition of a symmetric matrix, by LAPACK
 *     triangle.c    triangular matrices, without any product
 *
 * many.h lists the files that compute several eigenvalues of a matrix.
 *
 * The device works on B = unit A, where unit is the power of two that puts
 * max |b_ij| into [1, 2); a struct eigen_pair is in A's terms. Methods return
 * -1 only when the sequence failed; pair.converged says whether they converged.
 *
 * A pair has converged if |A v - value v| / |v|, computed with A as given, is
 * at most tol |value|. Where |value| is so small beside the norm of the
 * balanced matrix that rounding errors alone make a larger residual, the pair
 * of a full decomposition cannot be more exact, and counts as converged too.
 */
#ifndef OPS_EIGEN_EIGEN_H
#define OPS_EIGEN_EIGEN_H

#include "device/seq.h"
#include "ops/need.h"
#include "ops/op.h"
#include "shared/eigen_state.h"

/* The largest matrices, in rows, for which a full decomposition on the host
 * decides, and for which it takes over when Krylov's method does not converge.
 * On one core of an AMD EPYC of 2021 it takes, for n = 64, 128, 256 and 512, in
 * ms: 0.7, 4, 17 and 80 for a general matrix; 0.1, 0.5, 2 and 10 for a
 * symmetric one. For n = 1024 and 2048 two cores spend together 560 and 3200 ms
 * of processor time, or 100 and 660. */
enum {
	EIGEN_FULL = 512,
	EIGEN_FULL_GENERAL = 4096, EIGEN_FULL_SYMMETRIC = 8192,
};

/* The kernels of a variant and how they are launched. */
struct eigen_kernels {
	const char *look, *round, *fold;
	const char *project, *subtract, *normalise, *rotate;
	size_t local;			/* work-group size of all of them */
	size_t rows;			/* divides the rows of a block */
	size_t chunk;			/* elements of a block of a vector */
	size_t blocks_per_unit;		/* at most, for each compute unit */
	int seed;			/* 1 + version of the article's kernels
					 * for similarity; 0: not used */
};

enum eigen_method {
	EIGEN_AUTO, EIGEN_SIMILARITY, EIGEN_POWER, EIGEN_KRYLOV,
	EIGEN_LAPACK, EIGEN_JACOBI, EIGEN_QL, EIGEN_TRIDIAGONAL,
	EIGEN_HESSENBERG
};

/* One square matrix of the operand, and what is known of it. */
struct eigen_problem {
	const struct eigen_kernels *k;
	struct seq *s;
	const struct matrix *m;		/* the operand, in the host's memory */
	size_t index;			/* of the matrix in the stack */
	struct buf a;
	size_t n, rows, blocks;		/* blocks of `rows` rows */
	enum eigen_method method;
	double tol, floor;
	int64_t limit;			/* products */
	double epsilon;			/* of the device's accumulators */
	double unit;
	bool non_negative, positive;
	bool below, above;		/* has nonzeros below, above the
					 * diagonal */
	int range;			/* products of elements of B differing
					 * by 2^range do not underflow */
	bool wide;			/* B's elements differ by more */
	double norm;			/* max over rows of the sum of |b_ij| */
	struct buf state, parts;
	struct buf pair;		/* two vectors, and their products */
	struct buf done;		/* counts a round's finished blocks */
	struct buf basis[2], w, h, column, norms, c;	/* made by krylov */
	struct buf squares, slabs;	/* made by eigen_scaling_find */
	struct buf d, inverse, scaled;
	struct eigen_seed_buffers {	/* made by eigen_seed */
		struct buf a, sums, max, v, stop;
	} seed;
};

/* The result of a method. Begins as { 0 } with room for a vector. */
struct eigen_pair {
	double value, imaginary;	/* the latter >= 0 */
	double *vector;			/* n elements, then n imaginary parts;
					 * any scale, not 0 */
	int64_t iterations;
	bool converged, tie;
	bool enclosed;			/* low and high are set */
	double low, high;		/* Collatz's and Wielandt's bounds */
	double error;			/* relative spread or residual */
	double residual;		/* |B v - unit value v| / |v| */
	double condition;		/* of the eigenvalue, >= 1; 0: not
					 * known */
};

/* Bytes of the type in which the device sums for matrices of type t. */
size_t eigen_acc_bytes(const struct sheet *d, enum dtype t);

static inline size_t acc_bytes(const struct eigen_problem *p)
{
	return eigen_acc_bytes(seq_sheet(p->s), p->m->dtype);
}

/* Add to `need` the buffers that eigen_problem_init(), eigen_krylov(),
 * eigen_scaling_find() and eigen_seed() create for an n x n matrix. acc:
 * eigen_acc_bytes(). */
void eigen_problem_need(struct need *need, const struct sheet *d,
                        enum dtype t, const struct eigen_kernels *k,
                        size_t n);
void eigen_krylov_need(struct need *need, size_t acc,
                       const struct eigen_kernels *k, size_t n);
void eigen_scaling_need(struct need *need, size_t acc, size_t n);
void eigen_seed_need(struct need *need, enum dtype t, size_t n);

/* Reads an array of the device's accumulators, of either type, as doubles. */
void eigen_read(struct eigen_problem *p, struct buf b, size_t from,
                double *to, size_t n);
void eigen_write(struct eigen_problem *p, struct buf b, size_t from,
                 const double *x, size_t n);
struct buf eigen_scratch(struct eigen_problem *p, size_t n);

/* Starts rounds with a fresh state. least > 0: they stop by the bracket, and no
 * positive element of v falls below it. */
void eigen_begin(struct eigen_problem *p, double value, double tol,
                 double least);

/* Launches y = scale (B x + shift x) and its sums over blocks of rows. */
void eigen_product(struct eigen_problem *p, struct buf x, size_t from,
                   struct buf y, size_t to);

/* Launches the product of eigen_product() and then the update of the state.
 * Unless state is NULL, waits for the end of the round and reads the state. */
void eigen_round(struct eigen_problem *p, struct buf x, size_t from,
                 struct buf y, size_t to, double state[STATE_LENGTH]);

/* Creates the buffers and the launch geometry for the stack a->in[0], but does
 * not choose a matrix yet. */
void eigen_problem_init(struct eigen_problem *p, struct seq *s,
                        struct args *a, const struct eigen_kernels *k);

/* Makes matrix `index` of the stack the current one: finds its structure and
 * its unit. *largest is max |a_ij|, or NAN if an element is not finite. */
int eigen_problem_look(struct eigen_problem *p, size_t index,
                       double *largest);

/* Computes A v, and sets the pair's residual, error and converged. A residual
 * of at most `least` always counts as converged. */
int eigen_measure(struct eigen_problem *p, struct eigen_pair *r,
                  double least);

/* Fixed pseudo-random numbers in (-1, 1). */
void eigen_random(double *x, size_t n);

/* The similarity method, for non-negative matrices. Its k-th row sums are
 * (B v)_i / v_i with v = B^k 1. The least and the largest of them enclose the
 * Perron root (Collatz 1942, Wielandt 1950). If `impatient`, the method gives
 * up early when this bracket closes too slowly. */
int eigen_similarity(struct eigen_problem *p, struct eigen_pair *r,
                     bool impatient);

/* The similarity method, started with r->vector, all of whose elements must be
 * positive. */
int eigen_similarity_from(struct eigen_problem *p, struct eigen_pair *r,
                          bool impatient);

/* The similarity method by the article's kernels. eigen_similarity_from() then
 * judges their vector, and goes on from it if it is not yet exact enough. */
int eigen_seed(struct eigen_problem *p, struct eigen_pair *r, bool impatient);

/* Sets r->tie of a pair that eigen_similarity has found. */
int eigen_cyclic(struct eigen_problem *p, struct eigen_pair *r);

/* The power method from a random start. eigen_power_from() starts with
 * r->vector and stops by the residual alone. A product that is exactly zero
 * proves that B is nilpotent. */
int eigen_power(struct eigen_problem *p, struct eigen_pair *r);
int eigen_power_from(struct eigen_problem *p, struct eigen_pair *r);

/* Replaces r by the eigenvalue 0 if a power of B vanishes exactly. */
int eigen_try_nilpotent(struct eigen_problem *p, struct eigen_pair *r);

/* Krylov-Schur (Stewart 2001) of the balanced matrix with full
 * re-orthogonalisation, which for a symmetric matrix is thick-restart Lanczos
 * (Wu and Simon 2000). Ends unconverged, before the limit of products, if it
 * would need more products than are left. */
int eigen_krylov(struct eigen_problem *p, struct eigen_pair *r);

/* Finds the scaling D for Krylov's products with D^-1 B D. Sets *scaled to
 * whether D differs from I. */
int eigen_scaling_find(struct eigen_problem *p, bool *scaled);

/* eigen_scaled_product() launches w = D^-1 B D x, and eigen_scale_vector()
 * launches x = D x. */
void eigen_scaled_product(struct eigen_problem *p, struct buf x, size_t from,
                          struct buf w);
void eigen_scale_vector(struct eigen_problem *p, struct buf x, size_t from);

/* For a wide matrix: does balancing change it so much that its smallest
 * elements matter, whose products underflow on the device? */
int eigen_scaling_matters(struct eigen_problem *p, bool *matters);

/* Return whether the matrix is symmetric, and whether it is tridiagonal. */
bool eigen_is_symmetric(const struct eigen_problem *p);
bool eigen_is_tridiagonal(const struct eigen_problem *p);

/* Is the matrix small enough for a full decomposition to take over? */
bool eigen_full_can(const struct eigen_problem *p);

/* The residual that rounding errors leave for a pair of an n x n matrix with
 * that Frobenius norm. */
double eigen_least_residual(size_t n, double norm);

/* Computes all eigenvalues, and the pair of the dominant one. */
int eigen_full(struct eigen_problem *p, struct eigen_pair *r);
int eigen_general(struct eigen_problem *p, struct eigen_pair *r);
int eigen_symmetric(struct eigen_problem *p, struct eigen_pair *r);

/* Do the values of two pairs have equal moduli, within tol? */
bool eigen_agree(const struct eigen_pair *r, const struct eigen_pair *f,
                 double tol);

/* Sets r to f, but keeps r's number of products and its bracket. */
void eigen_replace(struct eigen_pair *r, const struct eigen_pair *f, size_t n);

/* Checks by a full decomposition that r, the result of an iteration, is the
 * dominant pair, and replaces it if not. */
int eigen_full_confirm(struct eigen_problem *p, struct eigen_pair *r);

/* Takes the dominant eigenvalue of a triangular matrix from the diagonal, where
 * it stands exactly, and computes its eigenvector. */
int eigen_triangle(struct eigen_problem *p, struct eigen_pair *r);

/* Answers the dominant pair of every matrix of the stack: the body of every
 * variant's run() if `which` is dominant. */
int eigen_run(struct seq *s, struct args *a, const struct eigen_kernels *k);

/* The outputs that the matrices of a stack have had so far; bit i is output
 * i. */
struct eigen_stack {
	unsigned have;			/* at least one matrix has it */
	unsigned lack;			/* at least one lacks it */
};

/* Writes the pair of matrix p->index to the outputs. */
void eigen_put(struct args *a, const struct eigen_problem *p,
               const struct eigen_pair *r, struct eigen_stack *stack);

/* Is called after the last matrix. Turns outputs that are real for all matrices
 * into real matrices, and removes the bracket if a matrix lacks it and the tie
 * if no matrix has one. */
void eigen_put_end(struct args *a, const struct eigen_stack *stack);

/* The client's tol, or the default for the dtype. */
double eigen_tol(const struct args *a);

/* eigen_fail() records why matrix p->index has no answer. eigen_describe() puts
 * that into words for the client, for dominant and other eigenvalues alike; it
 * is the operation's describe(). */
void eigen_fail(struct args *a, const struct eigen_problem *p,
                const struct eigen_pair *r, enum err_code why);
void eigen_describe(const struct args *a, const struct failure *f,
                    struct err *e);

/* For quality=full: sets the verdict's residual to the largest
 * |A v - value v| / (|A| |v| n eps) of the pairs as they were answered. */
int eigen_residual(struct seq *s, struct args *a,
                   const struct eigen_kernels *k);

/* The operation's parameters and outputs, in the order of its tables. */
enum { EIGEN_P_METHOD, EIGEN_P_TOL, EIGEN_P_MAX_ITERATIONS,
       EIGEN_P_ALLOW_PARTIAL, EIGEN_P_WHICH, EIGEN_P_K, EIGEN_P_SIGMA,
       EIGEN_P_STRUCTURE, EIGEN_P_PROBLEM, EIGEN_P_ORDER, EIGEN_P_LOW,
       EIGEN_P_HIGH, EIGEN_P_DEVICES };
enum { EIGEN_VALUE, EIGEN_VECTOR, EIGEN_ITERATIONS, EIGEN_CONVERGED,
       EIGEN_BRACKET, EIGEN_TIE, EIGEN_VALUES, EIGEN_VECTORS,
       EIGEN_LEFT_VECTORS, EIGEN_ALPHA_BETA };

enum { EIGEN_A, EIGEN_B };		/* its operands */

/* The reasons for an ERR_MATHEMATICS, stored in failure_detail.at: A has
 * negative elements, which method=similarity refuses; an eigenvalue is beyond
 * the range of its type; A is not symmetric; B is not symmetric. */
enum eigen_fault {
	EIGEN_FAULT_NEGATIVE, EIGEN_FAULT_BEYOND, EIGEN_FAULT_NOT_SYMMETRIC,
	EIGEN_FAULT_B
};

/* The failure_detail.at of an ERR_CONVERGENCE if LAPACK has failed; otherwise
 * it is the number of products. */
enum { EIGEN_BY_LAPACK = -1 };

/* Makes a complex output, in which nothing is stored yet, a real one. */
void eigen_make_real(struct args *a, int output);
/* Undoes eigen_make_real(). The elements of the output must be stored again. */
void eigen_make_complex(struct args *a, int output);
/* Turns a complex output whose imaginary parts are 0 into a real matrix, in
 * place. */
void eigen_narrow(struct args *a, int output);

/* The operation's check() and shape(), see op.h: the first refuses operands,
 * parameters and outputs that do not go together, the second sets the types and
 * shapes of the outputs. */
int eigen_check(const struct args *a, struct err *e);
int eigen_shape(struct args *a, struct err *e);

/* The `takes` of all variants that may call LAPACK: ERR_TOO_LARGE if that
 * cannot count the elements of its workspaces. */
int eigen_takes(const struct args *a, struct err *e);

/* The operation's sample(), see op.h. An odd n gives an unbalanced matrix and,
 * if the dtype is real, asks for Krylov's method. An even n gives a stack of
 * small Hilbert matrices, or one larger Hilbert matrix, and asks for all
 * eigenpairs of small and of some middle n, and for the dominant one of
 * others. */
int eigen_sample(struct args *a, size_t n, struct memory_pool *pool,
                 struct err *e);

#endif
