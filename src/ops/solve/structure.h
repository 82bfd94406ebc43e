/* structure.h - solves systems with what is known of A: a triangle, a symmetric
 * matrix, positive definite or not, or factors that are given. On CPUs LAPACK
 * and the BLAS solve them; LU on the device solves all others.
 *
 *     kind       A, and its part that is read    A^-1 b
 *     LOWER      the lower triangle              one substitution
 *     UPPER      the upper triangle              one substitution
 *     SPD        L L^T, lower triangle           Cholesky, two substitutions
 *     SYMMETRIC  P^T L D L^T P, lower triangle   Bunch and Kaufman's method,
 *                                                two substitutions
 *     FACTORS    P^T L U, as lu answers          two substitutions
 *
 * D has blocks of one or two rows on its diagonal (Bunch and Kaufman 1977).
 * Every other kind of system is a general one. The variants for GPUs solve all
 * kinds but FACTORS on the device: triangles and SPD by factors L U that follow
 * from a triangle (structured.c), SYMMETRIC by LU, which takes less time there
 * than LDL^T on the host.
 */
#ifndef OPS_SOLVE_STRUCTURE_H
#define OPS_SOLVE_STRUCTURE_H

#include "ops/solve/solve.h"

/* The operands and parameters of solve, in the order of its tables. */
enum { SOLVE_A, SOLVE_B, SOLVE_FACTORS, SOLVE_PIVOTS };
enum { SOLVE_P_STRUCTURE, SOLVE_P_TRANSPOSE_A, SOLVE_P_METHOD,
       SOLVE_P_PRECONDITIONER, SOLVE_P_TOL, SOLVE_P_ATOL,
       SOLVE_P_MAX_ITERATIONS, SOLVE_P_RESTART, SOLVE_P_ALLOW_PARTIAL,
       SOLVE_P_DEVICES };
enum { SOLVE_X, SOLVE_ITERATIONS, SOLVE_CONVERGED, SOLVE_HISTORY };

/* The values of parameter `structure`. */
enum { STRUCTURE_AUTO, STRUCTURE_GENERAL, STRUCTURE_SYMMETRIC, STRUCTURE_SPD,
       STRUCTURE_LOWER, STRUCTURE_UPPER };

enum solve_kind { KIND_GENERAL, KIND_LOWER, KIND_UPPER, KIND_SPD,
                  KIND_SYMMETRIC, KIND_FACTORS };

/* With auto, the structure of A is looked for on CPUs only, with at most
 * SOLVE_FEW right-hand sides, and with at least this many rows for each core.
 * With fewer rows, LU on all cores takes less time than the refinement and the
 * estimates that one core computes after a substitution or a Cholesky
 * factorization. */
enum { SOLVE_FEW = 16, SOLVE_TRIANGLE_ROWS = 512, SOLVE_SPD_ROWS = 1536 };

/* Returns the kind that the client names, or KIND_GENERAL. Reads no
 * elements. */
enum solve_kind solve_named(const struct args *a);

/* Returns the kind that the client names, but KIND_GENERAL where variant v
 * solves the system on the device. */
enum solve_kind solve_kind_in(const struct args *a, const struct variant *v);

/* Returns solve_kind_in() for a's variant, or with structure=auto the kind that
 * the elements show, if looking for it saves time on device d. KIND_SPD then
 * means that the matrices are symmetric with a positive diagonal. */
enum solve_kind solve_kind_of(const struct args *a, const struct sheet *d);

/* Solves systems of a kind other than KIND_GENERAL on the host and sets the
 * verdict. *definite becomes false, and nothing is answered, if auto found
 * KIND_SPD but a matrix is not positive definite. Returns -1 with the
 * sequence's error. */
int solve_host(struct seq *s, struct args *a, enum solve_kind kind,
               bool *definite);

/* check.c: the operation's check(). */
int solve_check(const struct args *a, struct err *e);

/* nonfinite.c: looks for a NaN or an infinity in the part of the system's
 * matrix that is read, and in its right-hand sides. Returns ERR_NONFINITE with
 * the operand, row and column of the first one, or { ERR_NONE }. */
struct failure_detail solve_nonfinite(const struct args *a, size_t system);

/* Looks in the right-hand sides alone. */
struct failure_detail solve_nonfinite_sides(const struct args *a,
                                            size_t system);

/* complex.c: the variant for complex matrices. */
int solve_complex(struct seq *s, struct args *a);

/* structured.c: solve_factor_structured() sets f->lu and f->swaps to factors L
 * U of each op(A) in y->a; `turned` tells whether op(A) is A^T. The kind must
 * be one for which solve_is_structured() returns true. Returns
 * int32_t[2][a_stack], the first half of which has, for each matrix, the order
 * of the first leading minor that is not positive, or 0; the second half is
 * scratch memory. The factors of a matrix with such a minor are 0. */
bool solve_is_structured(enum solve_kind kind);
struct buf solve_factor_structured(struct seq *s, enum solve_kind kind,
                                   bool turned, const struct systems *y,
                                   const struct factors *f);
void solve_structured_need(struct need *n, enum solve_kind kind, enum dtype t,
                           const struct systems *y);
#define SOLVE_STRUCTURED_KERNELS " solve_factors " \
	CHOLESKY_IN_PLACE_KERNELS BLAS_TRSM_KERNELS " " BLAS_GEMM_KERNELS " "

/* Returns operand a, or the factors if the call has these instead. */
static inline const struct matrix *solve_matrices(const struct args *a)
{
	return &a->in[a->in[SOLVE_A].ndim == MATRIX_ABSENT ? SOLVE_FACTORS :
	                                                     SOLVE_A];
}

/* Returns whether the systems to be solved have A^T. */
static inline bool solve_turned(const struct args *a)
{
	return a->param[SOLVE_P_TRANSPOSE_A] != 0;
}

#endif
