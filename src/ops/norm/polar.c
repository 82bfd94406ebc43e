/* polar.c - singular values on the device: see singular.h. They are the
 * magnitudes of the eigenvalues of the symmetric polar factor (ops/polar). */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/dense.h"
#include "ops/norm/singular.h"
#include "ops/polar/polar.h"

bool singular_polar_fits(const struct args *a, const struct sheet *d)
{
	return polar_pays(d, matrix_stack(&a->in[0]), dense_least(a));
}

static size_t size_of(const struct args *a)
{
	const size_t n = dense_least(a);

	return n * n * dtype_bytes(a->dtype);
}

void singular_polar_need(struct need *n, const struct sheet *d,
                         const struct args *a)
{
	const struct matrix *m = &a->in[0];
	const size_t least = dense_least(a);

	need_matrix(n, d, m);
	need_buffer(n, size_of(a));
	polar_spectrum_need(n, d, a->dtype, matrix_stack(m),
	                    matrix_elements(m) / least / matrix_stack(m),
	                    least);
}

/* Computes how->value() of a matrix's n singular values, and stores it as
 * element `index` of the output. */
static void give(const struct args *a, const struct singular *how,
                 size_t index, const double *values, size_t n)
{
	const double x = how->value(values, n);
	void *to = lapack_out(a, how->output, index);

	if (a->dtype == FLOAT32)
		*(float *)to = (float)x;
	else
		*(double *)to = x;
}

/* Computes the outputs of all matrices. Stops and sets *done to false at a
 * matrix that polar_spectrum() cannot decompose: one with a NaN or an infinity,
 * or one for which the iteration does not converge. For n = min(rows, columns),
 * w has room for 2 n numbers, and order for n. */
static int run(struct seq *s, const struct args *a,
               const struct singular *how, double *w, int32_t *order,
               bool *done)
{
	const size_t m = matrix_rows(&a->in[0]), n = matrix_cols(&a->in[0]);
	const size_t stack = matrix_stack(&a->in[0]), least = size_min(m, n);
	const struct buf h = seq_scratch(s, size_of(a));
	struct polar p = polar_of(s, size_max(m, n), least);
	double *values = w + least;

	*done = true;
	for (size_t i = 0; i < stack && *done; i++) {
		const struct polar_source x = { seq_input(s, &a->in[0]),
		                                i * m * n, m < n };

		if (polar_spectrum(&p, &x, h, false, w, done) < 0)
			return -1;
		if (!*done)
			return 0;
		polar_order(w, least, order);
		for (size_t k = 0; k < least; k++)
			values[k] = fabs(w[order[k]]);
		*done = isfinite(values[0]);	/* the host scales A */
		if (!*done)
			return 0;
		give(a, how, i, values, least);
		seq_progress(s, (double)(i + 1) / (double)stack);
	}
	return seq_finish(s);
}

int singular_polar(struct seq *s, struct args *a, const struct singular *how)
{
	const size_t n = dense_least(a);
	double *w;
	bool done;
	int rc;

	if (!singular_polar_fits(a, seq_sheet(s)))
		return singular_run(s, a, how);
	w = malloc(3 * n * sizeof *w);
	if (!w)
		return err_set(seq_err(s), ERR_MEMORY, "no memory for %zu "
		               "singular values", n);
	rc = run(s, a, how, w, (int32_t *)(w + 2 * n), &done);
	free(w);
	return rc == 0 && !done ? singular_run(s, a, how) : rc;
}
