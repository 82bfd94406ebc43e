/* schur.h - small dense problems on the host: the Schur form of a real
 * matrix over the complex numbers, and its smallest singular vector. */
#ifndef OPS_EIGEN_SCHUR_H
#define OPS_EIGEN_SCHUR_H

#include <complex.h>

enum { SCHUR_MAX = 64 };

/* H = Q T Q^H, T upper triangular. */
struct schur {
	int n;
	double complex t[SCHUR_MAX][SCHUR_MAX], q[SCHUR_MAX][SCHUR_MAX];
};

/* H is n x n, row i at h[i]; 0, or -1 if the QR iteration did not end. */
int schur_form(struct schur *s, int n, double h[][SCHUR_MAX]);

/* Orders T's diagonal by falling modulus, pairs side by side. */
void schur_sort(struct schur *s);

/* For eigenvalue i: sets x to the right eigenvector of T (x[i + 1] and
 * following are 0), and returns the condition of the eigenvalue, |x| |y| / |y^H
 * x|, y being the left eigenvector. */
double schur_vector(const struct schur *s, int i, double complex x[SCHUR_MAX]);

/* Returns the smallest singular value of the rows x cols matrix g, which is
 * overwritten, and its right singular vector, by one-sided Jacobi rotations
 * (Hestenes 1958). */
double jacobi_smallest(int rows, int cols, double g[][SCHUR_MAX],
                       double v[SCHUR_MAX]);

#endif
