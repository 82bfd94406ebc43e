/* jacobi.c - see schur.h: rotates columns in pairs until all are orthogonal;
 * the norm of the shortest is then the smallest singular value. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "ops/eigen/schur.h"

enum { SWEEPS = 30 };

static double dot(int rows, double g[][SCHUR_MAX], int p, int q)
{
	double sum = 0;

	for (int i = 0; i < rows; i++)
		sum += g[i][p] * g[i][q];
	return sum;
}

static void rotate(int rows, double g[][SCHUR_MAX], int p, int q, double c,
                   double s)
{
	for (int i = 0; i < rows; i++) {
		const double x = g[i][p], y = g[i][q];

		g[i][p] = c * x - s * y;
		g[i][q] = s * x + c * y;
	}
}

/* Makes columns p and q orthogonal; false if they already were. */
static bool orthogonalise(int rows, int cols, double g[][SCHUR_MAX],
                          double v[][SCHUR_MAX], int p, int q)
{
	const double a = dot(rows, g, p, p), b = dot(rows, g, q, q);
	const double ab = dot(rows, g, p, q);

	if (fabs(ab) <= DBL_EPSILON * sqrt(a) * sqrt(b) || ab == 0)
		return false;
	const double z = (b - a) / (2 * ab);
	const double t = copysign(1, z) / (fabs(z) + hypot(1, z));
	const double c = 1 / hypot(1, t);

	rotate(rows, g, p, q, c, c * t);
	rotate(cols, v, p, q, c, c * t);
	return true;
}

double jacobi_smallest(int rows, int cols, double g[][SCHUR_MAX],
                       double v[SCHUR_MAX])
{
	double all[SCHUR_MAX][SCHUR_MAX];
	bool moved = true;
	int best = 0;

	for (int i = 0; i < cols; i++)
		for (int j = 0; j < cols; j++)
			all[i][j] = i == j;
	for (int sweep = 0; moved && sweep < SWEEPS; sweep++) {
		moved = false;
		for (int p = 0; p < cols; p++)
			for (int q = p + 1; q < cols; q++)
				moved |= orthogonalise(rows, cols, g, all,
				                       p, q);
	}
	for (int j = 1; j < cols; j++)
		if (dot(rows, g, j, j) < dot(rows, g, best, best))
			best = j;
	for (int i = 0; i < cols; i++)
		v[i] = all[i][best];
	return sqrt(dot(rows, g, best, best));
}
