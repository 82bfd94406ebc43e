/* eigen.h - shared by the tests of operation eigen. */
#ifndef TESTS_OPS_EIGEN_EIGEN_H
#define TESTS_OPS_EIGEN_EIGEN_H

#include "tests/ops/op.h"

/* The outputs, in the order of the operation's table. */
enum { VALUE, VECTOR, ITERATIONS, CONVERGED, BRACKET, TIE, VALUES, VECTORS,
       LEFT };

/* The first element of an output. */
double eigen_get(const struct args *a, int output);
double eigen_default_tol(enum dtype t);
void eigen_assert_unit_vector(const struct matrix *v);

/* Asserts what every success promises; lambda is the true value, within
 * `slack`. */
void eigen_assert_pair(const struct matrix *a, const struct args *r,
                       double lambda, double slack);

/* The same for a complex pair, whose residual is checked exactly against
 * tol. */
void eigen_assert_complex(const struct matrix *a, const struct args *r,
                          double re, double im, double slack);

/* Random matrices: mode 0 symmetric, 1 non-negative, 2 general. */
struct matrix eigen_random_matrix(enum dtype t, int mode, size_t n,
                                  unsigned seed);
struct matrix eigen_hilbert(enum dtype t, size_t n);

/* The dominant eigenvalue by LAPACK, and the relative gap to the next modulus
 * that is not its conjugate's. */
void eigen_reference(const struct matrix *a, double *re, double *im,
                     double *gap);
double eigen_top_of_symmetric(const struct matrix *a);

/* The eigenvalues of r with its right eigenvectors, or the left ones: asserts
 * that the residuals with a (and b, unless that is NULL) and the lengths are as
 * promised, and the largest components real and positive. The matrices are
 * number `index` of their stacks. */
void eigen_assert_several(const struct matrix *a, const struct matrix *b,
                          const struct args *r, size_t index, int output);

/* |A x - lambda B x| of column j of the right eigenvectors (B may be NULL), or
 * |y^H A - lambda y^H B| of the left ones. */
double eigen_residual_of(const struct matrix *a, const struct matrix *b,
                         const struct args *r, size_t index, int output,
                         size_t j);

/* The Frobenius norm of matrix `index` of the stack. */
double eigen_norm(const struct matrix *m, size_t index);

/* The real and imaginary parts of eigenvalue i of the answer. */
double eigen_re(const struct args *r, size_t i);
double eigen_im(const struct args *r, size_t i);

/* The tests of the other files. */
void eigen_lapack_tests(TCase *c);
void eigen_structure_tests(TCase *c);
void eigen_limit_tests(TCase *c);
void eigen_seed_tests(TCase *c);
void eigen_step_tests(TCase *c);
void eigen_balance_tests(TCase *c);
void eigen_decision_tests(TCase *c);
void eigen_several_tests(TCase *c);
void eigen_choice_tests(TCase *c);
void eigen_batch_tests(TCase *c);
void eigen_promise_tests(TCase *c);
void eigen_large_tests(TCase *c);

#endif
