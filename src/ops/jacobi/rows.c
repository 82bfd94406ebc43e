/* rows.c - see jacobi.h. */
#include <float.h>
#include <math.h>

#include "matrix/sparse.h"
#include "ops/jacobi/jacobi.h"

struct jacobi_rows jacobi_rows(const struct matrix *m)
{
	struct jacobi_rows r = { .m = m, .n = m->dim[0] };

	if (m->layout == CSR) {
		r.start = sparse_starts(m);
		r.column = sparse_columns(m);
	}
	return r;
}

void jacobi_row(const struct jacobi_rows *r, size_t i, size_t *k, size_t *end)
{
	*k = r->start ? (size_t)r->start[i] : i * r->n;
	*end = r->start ? (size_t)r->start[i + 1] : (i + 1) * r->n;
}

struct jacobi_entry jacobi_entry(const struct jacobi_rows *r, size_t k)
{
	return (struct jacobi_entry){
		r->start ? (size_t)r->column[k] : k % r->n,
		matrix_get(r->m, k),
	};
}

bool jacobi_fits(double value)
{
	return value == 0 ||
	       (fabs(value) >= FLT_MIN && fabs(value) <= FLT_MAX);
}

/* Says what is wrong with row i, whose diagonal element is zero or absent. */
static int refuse_diagonal(size_t i, bool present, int32_t others,
                           struct err *e)
{
	if (present)
		return err_set_at(e, ERR_MATHEMATICS, "/a", "jacobi: the "
		                  "diagonal entry of row %zu, counted from "
		                  "0, is zero", i);
	return err_set_at(e, ERR_MATHEMATICS, "/a", "jacobi: the diagonal "
	                  "entry of row %zu, counted from 0, is missing%s",
	                  i, others ? "" : ": the row is empty");
}

int jacobi_look(const struct jacobi_rows *r, double *diagonal,
                int32_t *length, double *mean, struct err *e)
{
	double sum = 0, entries = 0;

	for (size_t i = 0; i < r->n; i++) {
		bool present = false;
		size_t k, end;

		diagonal[i] = length[i] = 0;
		for (jacobi_row(r, i, &k, &end); k < end; k++) {
			const struct jacobi_entry x = jacobi_entry(r, k);

			if (!isfinite(x.value))
				return err_set_at(e, ERR_NONFINITE, "/a",
				    "jacobi: element (%zu, %zu) is %g, must "
				    "be finite", i, x.column, x.value);
			if (x.column == i) {
				diagonal[i] = x.value;
				present = true;
			} else if (x.value != 0) {
				length[i]++;
				sum += fabs(x.value);
			}
		}
		if (diagonal[i] == 0)
			return refuse_diagonal(i, present, length[i], e);
		entries += length[i];
	}
	*mean = entries > 0 ? sum / entries : 0;
	return 0;
}
