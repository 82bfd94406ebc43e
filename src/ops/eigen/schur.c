/* schur.c - complex Schur form, from one primitive: the similarity
 * transform by a Givens rotation of rows and columns k and k + 1. It brings
 * H to Hessenberg form, chases the bulge of a shifted QR step, and swaps
 * neighbouring eigenvalues (Golub and Van Loan, 4th ed., 7.4 to 7.6). */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "ops/eigen/schur.h"

enum { STEPS = 40 };		/* QR steps an eigenvalue may take */

/* G = [c s; -conj(s) c] with G [x; z] = [.; 0]. */
struct givens {
	double c;
	double complex s;
};

static struct givens givens_zeroing(double complex x, double complex z)
{
	const double ax = cabs(x), az = cabs(z), r = hypot(ax, az);

	if (az == 0)
		return (struct givens){ 1, 0 };
	if (ax == 0)
		return (struct givens){ 0, conj(z) / az };
	return (struct givens){ ax / r, (x / ax) * conj(z) / r };
}

/* Columns k and k + 1 of m times G^H. */
static void rotate_columns(int n, double complex m[][SCHUR_MAX], int k,
                           struct givens g)
{
	for (int i = 0; i < n; i++) {
		const double complex x = m[i][k], y = m[i][k + 1];

		m[i][k] = g.c * x + conj(g.s) * y;
		m[i][k + 1] = g.c * y - g.s * x;
	}
}

/* T = G T G^H and Q = Q G^H. */
static void transform(struct schur *s, int k, struct givens g)
{
	for (int j = 0; j < s->n; j++) {
		const double complex x = s->t[k][j], y = s->t[k + 1][j];

		s->t[k][j] = g.c * x + g.s * y;
		s->t[k + 1][j] = g.c * y - conj(g.s) * x;
	}
	rotate_columns(s->n, s->t, k, g);
	rotate_columns(s->n, s->q, k, g);
}

static void to_hessenberg(struct schur *s)
{
	for (int j = 0; j + 2 < s->n; j++)
		for (int i = s->n - 1; i > j + 1; i--) {
			if (s->t[i][j] == 0)
				continue;
			transform(s, i - 1,
			    givens_zeroing(s->t[i - 1][j], s->t[i][j]));
			s->t[i][j] = 0;
		}
}

/* Wilkinson's shift: of the two eigenvalues of the last 2 x 2 block up to row
 * h, the one closer to its last element (Wilkinson 1965). */
static double complex shift_of(const struct schur *s, int h, int step)
{
	const double complex a = s->t[h - 1][h - 1], d = s->t[h][h];
	const double complex bc = s->t[h - 1][h] * s->t[h][h - 1];
	const double complex half = (a - d) / 2;
	const double complex root = csqrt(half * half + bc);
	const double complex big =
	    cabs(half + root) > cabs(half - root) ? half + root : half - root;

	if (step % 10 == 9)		/* an exceptional shift ends a cycle */
		return d + cabs(s->t[h][h - 1]);
	return big == 0 ? d : d - bc / big;
}

static void qr_step(struct schur *s, int low, int high, double complex shift)
{
	double complex x = s->t[low][low] - shift, z = s->t[low + 1][low];

	for (int k = low; k < high; k++) {
		transform(s, k, givens_zeroing(x, z));
		if (k > low)
			s->t[k + 1][k - 1] = 0;
		if (k + 2 <= high) {
			x = s->t[k + 1][k];
			z = s->t[k + 2][k];
		}
	}
}

static double size_of(const struct schur *s)
{
	double sum = 0;

	for (int i = 0; i < s->n; i++)
		for (int j = 0; j < s->n; j++)
			sum += creal(s->t[i][j] * conj(s->t[i][j]));
	return sqrt(sum);
}

static bool negligible(const struct schur *s, int k, double size)
{
	const double near = cabs(s->t[k][k]) + cabs(s->t[k + 1][k + 1]);

	return cabs(s->t[k + 1][k]) <= DBL_EPSILON * (near > 0 ? near : size);
}

static int to_triangle(struct schur *s)
{
	const double size = size_of(s);
	int high = s->n - 1, step = 0;

	while (high > 0) {
		int low = high;

		while (low > 0 && !negligible(s, low - 1, size))
			low--;
		if (low > 0)
			s->t[low][low - 1] = 0;
		if (low == high) {
			high--;
			step = 0;
		} else if (++step > STEPS) {
			return -1;
		} else {
			qr_step(s, low, high, shift_of(s, high, step));
		}
	}
	return 0;
}

int schur_form(struct schur *s, int n, double h[][SCHUR_MAX])
{
	s->n = n;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			s->t[i][j] = h[i][j];
			s->q[i][j] = i == j;
		}
	to_hessenberg(s);
	return to_triangle(s);
}

static void swap(struct schur *s, int k)
{
	const double complex a = s->t[k][k], b = s->t[k + 1][k + 1];

	transform(s, k, givens_zeroing(s->t[k][k + 1], b - a));
	s->t[k][k] = b;
	s->t[k + 1][k + 1] = a;
	s->t[k + 1][k] = 0;
}

static void move_up(struct schur *s, int from, int to)
{
	for (int k = from; k-- > to;)
		swap(s, k);
}

/* The index, from i on, of the eigenvalue nearest to z. */
static int nearest(const struct schur *s, int i, double complex z)
{
	int best = i;

	for (int j = i; j < s->n; j++)
		if (cabs(s->t[j][j] - z) < cabs(s->t[best][best] - z))
			best = j;
	return best;
}

static int largest(const struct schur *s, int i)
{
	int best = i;

	for (int j = i; j < s->n; j++)
		if (cabs(s->t[j][j]) > cabs(s->t[best][best]))
			best = j;
	return best;
}

void schur_sort(struct schur *s)
{
	for (int i = 0; i < s->n; i++) {
		move_up(s, largest(s, i), i);
		const double complex z = s->t[i][i];
		const bool paired =
		    fabs(cimag(z)) > 100 * DBL_EPSILON * cabs(z);

		if (!paired || i + 1 == s->n)
			continue;
		move_up(s, nearest(s, i + 1, conj(z)), i + 1);
		i++;
	}
}

/* z, moved away from 0 to a modulus of at least `least`. */
static double complex apart(double complex z, double least)
{
	return cabs(z) < least ? least : z;
}

double schur_vector(const struct schur *s, int i, double complex x[SCHUR_MAX])
{
	const double complex lambda = s->t[i][i];
	const double least = DBL_EPSILON * size_of(s) + DBL_MIN;
	double complex y[SCHUR_MAX];
	double xx = 1, yy = 1;

	for (int k = i + 1; k < s->n; k++)
		x[k] = 0;
	x[i] = y[i] = 1;
	for (int k = i; k-- > 0;) {
		double complex sum = 0;

		for (int l = k + 1; l <= i; l++)
			sum += s->t[k][l] * x[l];
		x[k] = sum / apart(lambda - s->t[k][k], least);
		xx += creal(x[k] * conj(x[k]));
	}
	for (int k = i + 1; k < s->n; k++) {
		double complex sum = 0;

		for (int l = i; l < k; l++)
			sum += y[l] * s->t[l][k];
		y[k] = sum / apart(lambda - s->t[k][k], least);
		yy += creal(y[k] * conj(y[k]));
	}
	return sqrt(xx) * sqrt(yy);
}
