/* eigen.h - functions that the tests of operation eigen share. */
#ifndef TESTS_OPS_EIGEN_EIGEN_H
#define TESTS_OPS_EIGEN_EIGEN_H

#include "tests/ops/op.h"

/* The outputs, in the order of the operation's table. */
enum { VALUE, VECTOR, ITERATIONS, CONVERGED, BRACKET, TIE, VALUES, VECTORS,
       LEFT, ALPHA_BETA };

/* The first element of an output. */
double eigen_get(const struct args *a, int output);
double eigen_default_tol(enum dtype t);
/* Asserts that a real vector has unit 2-norm and a positive largest
 * component. */
void eigen_assert_unit_vector(const struct matrix *v);

/* Asserts what the operation promises of every dominant pair. The true
 * eigenvalue is lambda, up to a relative error of `slack`. */
void eigen_assert_pair(const struct matrix *a, const struct args *r,
                       double lambda, double slack);

/* Asserts what the operation promises of a complex pair, whose residual must be
 * at most tol |lambda|. The true eigenvalue is re + im i, up to a relative
 * error of `slack`. */
void eigen_assert_complex(const struct matrix *a, const struct args *r,
                          double re, double im, double slack);

/* Makes a random matrix: a symmetric one for mode 0, a non-negative one for
 * mode 1, a general one for mode 2. */
struct matrix eigen_random_matrix(enum dtype t, int mode, size_t n,
                                  unsigned seed);
struct matrix eigen_hilbert(enum dtype t, size_t n);

/* Asserts that with structure=symmetric and that parameter, rounding errors by
 * which an n x n matrix is not quite symmetric do not matter, because eigen
 * takes the mean of both triangles. */
void eigen_takes_the_mean(size_t n, const char *name, const char *value);

/* Makes a symmetric or hermitian n x n matrix: shift I, plus random elements
 * whose real and imaginary parts are in (-1 / n, 1 / n). */
struct matrix eigen_hermitian(enum dtype t, unsigned seed, size_t n,
                              double shift);

/* Sets *re and *im to the dominant eigenvalue by LAPACK, and *gap to the
 * relative gap between its modulus and the next one, where its conjugate does
 * not count. */
void eigen_reference(const struct matrix *a, double *re, double *im,
                     double *gap);
double eigen_top_of_symmetric(const struct matrix *a);

/* Asserts that the eigenvectors of an output, VECTORS or LEFT, have residuals
 * and lengths as promised, and largest components that are real and positive.
 * The matrices are number `index` of their stacks; b may be NULL. */
void eigen_assert_several(const struct matrix *a, const struct matrix *b,
                          const struct args *r, size_t index, int output);

/* |A x - lambda B x| of column j of the right eigenvectors (B may be NULL), or
 * |y^H A - lambda y^H B| of the left ones. */
double eigen_residual_of(const struct matrix *a, const struct matrix *b,
                         const struct args *r, size_t index, int output,
                         size_t j);

/* The Frobenius norm of matrix `index` of the stack. */
double eigen_norm(const struct matrix *m, size_t index);

/* Asserts that eigen with the two parameters (name, value, name, value) of each
 * row is refused as ERR_PARAMETER, without b. */
void eigen_assert_refused(const char *const parameters[][4], size_t rows);

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
void eigen_banded_tests(TCase *c);
void eigen_tridiagonal_tests(TCase *c);
void eigen_pencil_tests(TCase *c);
void eigen_pencil_end_tests(TCase *c);
void eigen_interval_tests(TCase *c);
void eigen_gang_refusal_tests(TCase *c);
void eigen_reflection_tests(TCase *c);

#endif
