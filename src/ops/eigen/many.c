/* many.c - answers several eigenvalues of every matrix of a stack; see
 * many.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/eigen/many.h"

const int eigen_typed[EIGEN_TYPED] = {
	EIGEN_VALUES, EIGEN_VECTORS, EIGEN_LEFT_VECTORS, EIGEN_ALPHA_BETA,
};

void eigen_shorten(struct args *a, int output, size_t columns)
{
	struct matrix *m = &a->out[output];
	const size_t length = m->memory ? m->dim[m->ndim - 1] : 0;
	const size_t bytes = dtype_bytes(m->dtype);
	char *data = matrix_data(m);

	if (length <= columns)
		return;
	for (size_t i = 1; i < matrix_elements(m) / length; i++)
		memmove(data + i * columns * bytes, data + i * length * bytes,
		        columns * bytes);
	m->dim[m->ndim - 1] = columns;
	a->shorter |= 1u << output;
	a->fewer = length - columns;
}

/* Turns outputs that are real for all matrices into real matrices. Where no
 * matrix of the stack needed the last column, which is the room for a conjugate
 * pair that k would cut, removes it, and those beyond an interval's
 * eigenvalues. */
static void settle(struct args *a, const struct eigen_many *m)
{
	bool complex = false;
	size_t most = m->choice.which == EIGEN_INTERVAL ? 0 : m->choice.k;

	for (size_t i = 0; i < a->stack; i++) {
		most = size_max(most, m->told[i].count);
		complex |= m->told[i].complex;
	}
	for (size_t i = 0; i < EIGEN_TYPED; i++) {
		const struct matrix *out = &a->out[eigen_typed[i]];

		if (a->stack > 0)
			eigen_shorten(a, eigen_typed[i], most);
		if (!complex && dtype_is_complex(out->dtype))
			eigen_narrow(a, eigen_typed[i]);
	}
}

static void take_worst(struct args *a, const struct eigen_many *m)
{
	struct verdict *v = &a->verdict;

	for (size_t i = 0; i < a->stack && a->quality != QUALITY_NONE; i++) {
		const struct verdict *w = &m->told[i].verdict;

		if (args_has_failed(a, i))
			continue;
		v->residual = fmax(v->residual, w->residual);
		v->orthogonality = fmax(v->orthogonality, w->orthogonality);
		v->condition = fmax(v->condition, w->condition);
	}
}

/* The operations of LAPACK for one matrix, about. */
static double flops_of(const struct args *a, size_t n)
{
	return (eigen_gives(a, EIGEN_VECTORS) ? 15.0 : 8.0) * pow((double)n, 3);
}

static int by_host(struct seq *s, struct args *a, struct eigen_many *m)
{
	const size_t n = matrix_rows(&a->in[EIGEN_A]);
	struct lapack_call c = {
		.rows = n, .flops = flops_of(a, n),
		.one = eigen_several, .how = m,
		.room = (eigen_has_b(a) ? 2 : 1) * n * n * sizeof(double),
		.operands = 1u << EIGEN_A | 1u << EIGEN_B, .divided = true,
	};

	if (lapack_run(&c, s, a) < 0)
		return -1;
	settle(a, m);
	take_worst(a, m);
	return 0;
}

/* Makes the sparse matrix dense, in the host's memory, for this call alone. */
static int as_dense(struct seq *s, struct args *a, struct eigen_many *m)
{
	const struct matrix sparse = a->in[EIGEN_A];
	const size_t n = matrix_rows(&sparse), each = dtype_bytes(sparse.dtype);
	struct memory memory = { .data = calloc(n * n, each),
	                         .bytes = n * n * each };
	struct matrix *dense = &a->in[EIGEN_A];
	int rc;

	if (!memory.data)
		return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for "
		               "a matrix of %zu rows", n);
	dense->layout = DENSE;
	dense->memory = &memory;
	for (size_t i = 0; i < n; i++)
		for (int64_t l = sparse_start(&sparse, i);
		     l < sparse_start(&sparse, i + 1); l++)
			matrix_set(dense, i * n + (size_t)sparse_column(&sparse,
			    (size_t)l), matrix_get(&sparse, (size_t)l));
	rc = by_host(s, a, m);
	a->in[EIGEN_A] = sparse;
	free(memory.data);
	return rc;
}

/* The decomposition of a matrix that was large has no products. */
static void put_converged(struct args *a)
{
	if (a->out[EIGEN_ITERATIONS].memory)
		matrix_set(&a->out[EIGEN_ITERATIONS], 0, 0);
	if (a->out[EIGEN_CONVERGED].memory)
		matrix_set(&a->out[EIGEN_CONVERGED], 0, 1);
}

static int large(struct seq *s, struct args *a, struct eigen_many *m)
{
	const int rc = eigen_large_run(s, a, m);

	if (rc == 1) {
		put_converged(a);
		return as_dense(s, a, m);
	}
	if (rc == 0) {
		settle(a, m);
		take_worst(a, m);
	}
	return rc;
}

int eigen_many_run(struct seq *s, struct args *a,
                   const struct eigen_kernels *k)
{
	struct eigen_many m = {
		.choice = eigen_choice_of(a),
		.structure = (enum eigen_structure)
		             a->param[EIGEN_P_STRUCTURE],
		.device = eigen_is_reduced(a, seq_sheet(s), k) ? s : NULL,
	};
	int rc = eigen_is_large(a) ? 0 : eigen_batch_try(s, a, k);

	if (rc == 0)
		rc = eigen_tridiagonal_try(s, a, k, &m.choice);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	m.told = calloc(a->stack + 1, sizeof *m.told);
	if (!m.told)
		return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for a "
		               "stack of %zu matrices", a->stack);
	rc = (eigen_is_large(a) ? large : by_host)(s, a, &m);
	free(m.told);
	return rc;
}
