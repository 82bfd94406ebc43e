/* singular_real.h - the part of singular.c that is compiled for each type. A
 * row-major matrix is the transpose of LAPACK's, with the same singular values.
 *
 * The room of a matrix holds the singular values as double, A, the singular
 * values, LAPACK's workspace, and its integers. */

static size_t TYPED(room)(const struct task *t)
{
	return t->k * sizeof(double) +
	       (t->m * t->n + t->k + (size_t)t->work) * sizeof(real) +
	       8 * t->k * sizeof(int) + 1;
}

/* Asks for the length of the workspace. LAPACK answers in the real type, which
 * may round it down. */
static int TYPED(work)(const struct lapack *l, const struct task *t)
{
	const int m = (int)t->n, n = (int)t->m;
	real best = 0, none = 0;
	int integers = 0;

	OF(l)->gesdd(LAPACK_COLUMNS, 'N', m, n, &none, m > 1 ? m : 1, &none,
	             &none, 1, &none, 1, &best, -1, &integers);
	return (int)(best * (1 + 4 * REAL_EPSILON)) + 1;
}

static struct failure_detail TYPED(one)(const struct lapack_call *c,
                                        size_t index, void *room)
{
	const struct task *t = task_of(c);
	const int m = (int)t->n, n = (int)t->m;
	double *values = room;
	real *x = (real *)(values + t->k), *s = x + t->m * t->n;
	real *work = s + t->k, none = 0;
	int *integers = (int *)(work + t->work), info = 0, shift = 0;

	if (t->k > 0) {
		memcpy(x, lapack_in(c->a, 0, index),
		       t->m * t->n * sizeof *x);
		shift = svd_lapack_shift(REAL_DTYPE, x, t->m, t->n);
		for (size_t i = 0; i < t->m * t->n && shift != 0; i++)
			x[i] = (real)ldexp((double)x[i], shift);
		info = OF(c->l)->gesdd(LAPACK_COLUMNS, 'N', m, n, x, m, s,
		                       &none, 1, &none, 1, work, t->work,
		                       integers);
	}
	if (info != 0)
		return (struct failure_detail){ .code = ERR_CONVERGENCE };
	for (size_t i = 0; i < t->k; i++)
		values[i] = s[i];
	*(real *)lapack_out(c->a, t->how->output, index) =
	    (real)ldexp(t->how->value(values, t->k),
	                t->how->relative ? 0 : -shift);
	return (struct failure_detail){ .code = ERR_NONE };
}
