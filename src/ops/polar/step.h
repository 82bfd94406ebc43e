/* step.h - a step of the QDWH iteration, and what else the decomposition is
 * made of: products and sums in float64 on the buffers of struct polar. */
#ifndef OPS_POLAR_STEP_H
#define OPS_POLAR_STEP_H

#include "ops/polar/polar.h"

/* The weights of a step X' = X (a I + b X^T X) (I + c X^T X)^-1. */
struct polar_weights { double a, b, c; };

/* X' replaces X in p->u. With `corrected` the step is accurate for large c
 * (polar.h). */
void polar_step(const struct polar *p, const struct polar_weights *w,
                bool corrected);

/* A matrix with rows of ld elements from the start of the buffer, and its
 * transpose. */
struct blas_part polar_part(struct buf b, size_t ld);
struct blas_part polar_turned(struct blas_part p);

/* C = A B, where C is m x n and A has k columns. */
void polar_multiply(const struct polar *p, size_t m, size_t n, size_t k,
                    struct blas_part a, struct blas_part b,
                    struct blas_part c);

/* p->g = X^T X for a matrix of `rows` rows and n columns. */
void polar_gram(const struct polar *p, struct buf x, size_t rows);

/* X = of_x X + of_y Y, where X is p->u. */
void polar_combine(const struct polar *p, double of_x, double of_y,
                   struct buf y);

#endif
