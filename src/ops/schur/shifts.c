/* shifts.c - see shifts.h. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/schur/shifts.h"

struct shift { double re, im; };

static int compare(const void *a, const void *b)
{
	const struct shift *x = a, *y = b;
	const double p = fabs(x->re) + fabs(x->im);
	const double q = fabs(y->re) + fabs(y->im);

	return p != q ? (p > q ? -1 : 1) :
	       x->re != y->re ? (x->re < y->re ? -1 : 1) :
	       x->im > y->im ? -1 : x->im < y->im;
}

void shifts_sort(double *re, double *im, size_t count, double *room)
{
	struct shift *const s = (struct shift *)room;

	for (size_t i = 0; i < count; i++)
		s[i] = (struct shift){ re[i], im[i] };
	qsort(s, count, sizeof *s, compare);
	for (size_t i = 0; i < count; i++) {
		re[i] = s[i].re;
		im[i] = s[i].im;
	}
}

void shifts_pair(double *re, double *im, size_t count)
{
	for (size_t end = count; end >= 3; end -= 2) {
		double *const x = re + end - 3, *const y = im + end - 3;
		const struct shift last = { x[2], y[2] };

		if (y[2] == -y[1])
			continue;
		x[2] = x[1];
		y[2] = y[1];
		x[1] = x[0];
		y[1] = y[0];
		x[0] = last.re;
		y[0] = last.im;
	}
}

void shifts_take_nearer(double *re, double *im, size_t count, double end)
{
	if (count != 2 || im[1] != 0)
		return;
	if (fabs(re[1] - end) < fabs(re[0] - end))
		re[0] = re[1];
	else
		re[1] = re[0];
}

void shifts_exceptional(double *re, double *im, size_t count, size_t rows,
                        const double *diagonal, const double *below)
{
	for (size_t i = 0; i < count; i++) {
		re[i] = diagonal[i];
		im[i] = 0;
	}
	for (size_t i = count; i >= 2 && rows - count + i >= 3; i -= 2) {
		const double s = fabs(below[i - 1]) + fabs(below[i - 2]);

		re[i - 2] = re[i - 1] = diagonal[i - 1] + 0.75 * s;
		im[i - 2] = sqrt(0.4375) * s;
		im[i - 1] = -im[i - 2];
	}
}
