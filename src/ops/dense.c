/* dense.c - see dense.h. */
#include "ops/dense.h"

#include "ops/lu/factor.h"

/* An int must be able to count xGESDD's workspace, which for all vectors of a
 * k x k matrix has 4 k^2 + 7 k elements. */
enum { MOST_SQUARED = 23000 };

int dense_check(const struct args *a, bool square, struct err *e)
{
	const struct matrix *m = &a->in[0];
	const char *name = a->op->name;
	char text[MATRIX_SHAPE_TEXT];

	if (matrix_rows(m) > LU_MAX || matrix_cols(m) > LU_MAX ||
	    matrix_stack(m) > LU_MAX)
		return err_set_at(e, ERR_TOO_LARGE, "/a", "%s: matrix is %s, "
		                  "but no dimension may exceed %zu", name,
		                  matrix_shape_text(m, text), LU_MAX);
	if (square && dense_least(a) > MOST_SQUARED)
		return err_set_at(e, ERR_TOO_LARGE, "/a", "%s: matrix is %s, "
		                  "but its smaller dimension may not exceed "
		                  "%d", name,
		                  matrix_shape_text(m, text), MOST_SQUARED);
	return 0;
}

int dense_check_square(const struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];
	char text[MATRIX_SHAPE_TEXT];

	if (matrix_rows(m) != matrix_cols(m))
		return err_set_at(e, ERR_SHAPE, "/a", "%s: matrix is %s, must "
		                  "be square", a->op->name,
		                  matrix_shape_text(m, text));
	return dense_check(a, false, e);
}

void dense_shape(struct args *a, int output, enum dtype t, int dims,
                 size_t rows, size_t cols)
{
	const struct matrix *m = &a->in[0];
	const size_t own[] = { rows, cols };
	struct matrix *o = &a->out[output];

	if (!args_wants(a, output))
		return;
	*o = (struct matrix){ .dtype = t, .ndim = m->ndim - 2 + dims };
	for (int i = 0; i < m->ndim - 2; i++)
		o->dim[i] = m->dim[i];
	for (int i = 0; i < dims; i++)
		o->dim[m->ndim - 2 + i] = own[i];
}

double dense_rcond(const struct args *a, int param)
{
	const struct matrix *m = &a->in[0];

	return args_real(a, param, dtype_epsilon(a->dtype) *
	                 (double)size_max(matrix_rows(m), matrix_cols(m)));
}

int dense_shape_same(struct args *a, struct err *e)
{
	const struct matrix *m = &a->in[0];

	(void)e;
	dense_shape(a, 0, a->dtype, 2, matrix_rows(m), matrix_cols(m));
	return 0;
}

int dense_sample(struct args *a, size_t n, struct memory_pool *pool,
                 struct err *e)
{
	return lu_sample(&a->in[0], a->dtype, n, pool, e);
}
