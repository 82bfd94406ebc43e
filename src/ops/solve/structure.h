/* structure.h - solve with what is known of A: a triangle, a symmetric matrix,
 * positive definite or not, or factors that are given. Such systems are solved
 * on the host, by LAPACK's and BLAS's routines; all others by LU on the device.
 *
 *     kind       A, of which is read             A^-1 b
 *     LOWER      the lower triangle              one substitution
 *     UPPER      the upper triangle              one substitution
 *     SPD        L L^T, lower triangle           Cholesky, two substitutions
 *     SYMMETRIC  P^T L D L^T P, lower triangle   Bunch and Kaufman's method,
 *                                                two substitutions
 *     FACTORS    P^T L U, as lu answers          two substitutions
 *
 * D has blocks of one or two rows on its diagonal (Bunch and Kaufman 1977).
 * Every other kind of system is a general one. The variants for GPUs solve
 * SYMMETRIC ones as such, too: the lower triangle is mirrored on the device,
 * where LU takes less time than LDL^T on the host.
 */
#ifndef OPS_SOLVE_STRUCTURE_H
#define OPS_SOLVE_STRUCTURE_H

#include "ops/solve/solve.h"

/* The operands and parameters of solve, in the order of its tables. */
enum { SOLVE_A, SOLVE_B, SOLVE_FACTORS, SOLVE_PIVOTS };
enum { SOLVE_P_STRUCTURE, SOLVE_P_TRANSPOSE_A };

/* The values of parameter `structure`. */
enum { STRUCTURE_AUTO, STRUCTURE_GENERAL, STRUCTURE_SYMMETRIC, STRUCTURE_SPD,
       STRUCTURE_LOWER, STRUCTURE_UPPER };

enum solve_kind { KIND_GENERAL, KIND_LOWER, KIND_UPPER, KIND_SPD,
                  KIND_SYMMETRIC, KIND_FACTORS };

/* With auto, the structure of A is looked for on CPUs, for few right-hand sides
 * and from so many rows for each core on. Where there are fewer rows, LU by all
 * cores takes less time than the refinement and the estimates by one core that
 * follow a substitution or a Cholesky factorization. */
enum { SOLVE_FEW = 16, SOLVE_TRIANGLE_ROWS = 512, SOLVE_SPD_ROWS = 1536 };

/* What the client says of A; KIND_GENERAL if nothing. Reads no elements. */
enum solve_kind solve_named(const struct args *a);

/* The same, but KIND_GENERAL where the variant solves the system by LU. */
enum solve_kind solve_kind_in(const struct args *a, const struct variant *v);

/* The same for a's variant, or with structure=auto what the elements show,
 * where looking for it pays on that device. KIND_SPD then means that the matrix
 * is symmetric with a positive diagonal. */
enum solve_kind solve_kind_of(const struct args *a, const struct sheet *d);

/* Solves systems of such a kind on the host and sets the verdict. *definite
 * becomes false, and nothing is answered, when KIND_SPD was found by auto, but
 * a matrix is not positive definite. */
int solve_host(struct seq *s, struct args *a, enum solve_kind kind,
               bool *definite);

static inline bool solve_turned(const struct args *a)
{
	return a->param[SOLVE_P_TRANSPOSE_A] != 0;
}

#endif
