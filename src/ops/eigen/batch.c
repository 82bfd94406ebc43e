/* batch.c - computes all eigenvalues of a stack of small symmetric matrices on
 * the device (batch.h). */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/batch.h"

enum {
	TINY = 16,			/* rows */
	/* The smallest stacks for which the device is faster: of tiny matrices,
	 * and of larger ones. */
	FEWEST_TINY = 2, FEWEST = 8
};

static enum eigen_method method_of(const struct args *a)
{
	return (enum eigen_method)a->param[EIGEN_P_METHOD];
}

static const struct batch_kernel *kernel_of(const struct args *a,
                                            const struct eigen_kernels *k)
{
	const bool cpu = k->local == 1;

	if (method_of(a) == EIGEN_JACOBI)
		return cpu ? &eigen_batch_lanes : &eigen_batch_jacobi;
	return cpu && method_of(a) != EIGEN_QL ? &eigen_batch_lanes :
	                                         &eigen_batch_ql;
}

static struct batch batch_of(const struct args *a,
                             const struct eigen_kernels *k)
{
	const struct matrix *m = &a->in[EIGEN_A];
	struct batch b = {
		.a = m, .n = matrix_rows(m), .stack = matrix_stack(m),
		.vectors = args_wants(a, EIGEN_VECTORS) &&
		           a->out[EIGEN_VECTORS].ndim != MATRIX_ABSENT,
		.kernel = kernel_of(a, k),
	};

	b.judged = b.vectors && a->quality != QUALITY_NONE;
	return b;
}

/* Can the device answer the call, if all matrices are symmetric? */
static bool is_possible(const struct args *a, const struct batch *b,
                        const struct sheet *d)
{
	return eigen_which(a) == EIGEN_ALL && !eigen_has_b(a) &&
	       !args_wants(a, EIGEN_LEFT_VECTORS) &&
	       a->param[EIGEN_P_STRUCTURE] != EIGEN_GENERAL_STRUCTURE &&
	       b->n >= 1 && b->n <= b->kernel->most && b->stack >= 1 &&
	       b->stack <= INT32_MAX / 64 && b->kernel->fits(b, a->dtype, d);
}

static bool is_demanded(const struct args *a)
{
	return method_of(a) == EIGEN_JACOBI || method_of(a) == EIGEN_QL;
}

static bool is_worth_it(const struct args *a, const struct batch *b)
{
	return is_demanded(a) ||
	       (method_of(a) == EIGEN_AUTO &&
	        b->stack >= (b->n <= TINY ? FEWEST_TINY : FEWEST) &&
	        b->n <= b->kernel->worth);
}

/* --- which matrices */

static bool are_equal(const struct batch *b, size_t k, size_t l)
{
	const double *x = matrix_data(b->a);
	const float *y = matrix_data(b->a);

	return b->a->dtype == FLOAT32 ? y[k] == y[l] : x[k] == x[l];
}

/* Finds the first element that differs from the one across the diagonal. */
static struct failure_detail find_asymmetry(const struct batch *b,
                                            size_t index)
{
	const size_t n = b->n, first = index * n * n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (!are_equal(b, first + i * n + j,
			               first + j * n + i))
				return (struct failure_detail){
					.code = ERR_MATHEMATICS,
					.at = EIGEN_FAULT_NOT_SYMMETRIC,
					.x = (double)i, .y = (double)j,
				};
	return (struct failure_detail){ .code = ERR_NONE };
}

/* The reason why the device cannot answer that matrix, if there is one. */
static struct failure_detail look(const struct batch *b, const struct args *a,
                                  size_t index)
{
	const size_t n = b->n, at = lapack_find_nonfinite(b->a->dtype,
	    lapack_in(a, EIGEN_A, index), n * n);

	return at == n * n ? find_asymmetry(b, index) :
	       (struct failure_detail){
			.code = ERR_NONFINITE, .at = EIGEN_A,
			.x = (double)(at / n), .y = (double)(at % n),
	       };
}

/* Sets why[i] for every matrix i. Returns whether all finite matrices are
 * symmetric. */
static bool look_at_all(const struct batch *b, const struct args *a,
                        struct failure_detail *why)
{
	bool all = true;

	for (size_t i = 0; i < b->stack; i++) {
		why[i] = look(b, a, i);
		all &= why[i].code != ERR_MATHEMATICS;
	}
	return all;
}

/* Returns whether the host finds a matrix that is not symmetric before the
 * launch. If the kernel itself tests for symmetry, the host looks at the first
 * matrix only. */
static bool is_refuted(const struct batch *b, const struct args *a,
                       struct failure_detail *why)
{
	return b->kernel->looks ? look(b, a, 0).code == ERR_MATHEMATICS :
	                          !look_at_all(b, a, why);
}

/* --- the launch */

static int no_memory(struct seq *s, const struct batch *b)
{
	return err_set(seq_err(s), ERR_MEMORY, "eigen: no memory for a stack "
	               "of %zu matrices", b->stack);
}

/* The buffer of an output, which the kernel writes as a real matrix, or a
 * scratch buffer if the output is not wanted. */
static struct buf real_output(struct seq *s, const struct matrix *out,
                              size_t bytes)
{
	struct matrix real = *out;

	real.dtype = dtype_part(out->dtype);
	return out->memory ? seq_output(s, &real) : seq_scratch(s, bytes);
}

static size_t values_bytes(const struct batch *b, enum dtype t)
{
	return b->stack * b->n * dtype_bytes(t);
}

static size_t told_bytes(const struct batch *b, enum dtype t)
{
	return b->stack * BATCH_TOLD * dtype_bytes(t);
}

/* Launches the kernel. Returns the buffer `told` of batch.h. */
static struct buf launch(struct seq *s, const struct args *a,
                         const struct batch *b)
{
	const double n = (double)b->n, flops = 40 * n * n * n;
	struct batch_buffers to = {
		.told = seq_scratch(s, told_bytes(b, a->dtype)),
		.values = real_output(s, &a->out[EIGEN_VALUES],
		                      values_bytes(b, a->dtype)),
	};

	to.vectors = b->vectors ? real_output(s, &a->out[EIGEN_VECTORS], 0) :
	                          to.told;
	seq_work(s, flops * (double)b->stack, (double)matrix_size(b->a));
	b->kernel->launch(s, b, &to);
	return to.told;
}

/* Number i of `told`, whose elements have the call's type. */
static double told_of(const struct args *a, const void *told, size_t i)
{
	return a->dtype == FLOAT32 ? (double)((const float *)told)[i] :
	                             ((const double *)told)[i];
}

/* Sets why[i] for every matrix that the kernel has reported as not symmetric or
 * not finite; the host finds the element. Returns false if LAPACK should answer
 * the call instead, because the iteration has failed for a matrix, or because a
 * matrix is not symmetric and the client did not ask for the method. */
static bool explain(const struct args *a, const struct batch *b,
                    const void *told, struct failure_detail *why)
{
	for (size_t i = 0; i < b->stack; i++) {
		const double x = told_of(a, told, BATCH_TOLD * i);

		if (why[i].code == ERR_NONE && x > BATCH_CONVERGED)
			why[i] = look(b, a, i);
		if (why[i].code == ERR_MATHEMATICS && !is_demanded(a))
			return false;
		if (why[i].code == ERR_NONE && x != BATCH_CONVERGED)
			return false;
	}
	return true;
}

/* Sets the verdict from the measures of all matrices that have an answer. */
static void judge(struct args *a, const struct batch *b, const void *told,
                  const struct failure_detail *why)
{
	struct verdict v = verdict_none();

	if (a->quality == QUALITY_NONE)
		return;
	a->verdict.condition = 1;
	for (size_t i = 0; i < b->stack && b->vectors; i++) {
		const size_t at = BATCH_TOLD * i;

		if (why[i].code != ERR_NONE)
			continue;
		v.residual = fmax(v.residual, told_of(a, told, at + 1));
		v.orthogonality = fmax(v.orthogonality,
		                       told_of(a, told, at + 2));
	}
	a->verdict.residual = v.residual;
	a->verdict.orthogonality = v.orthogonality;
}

/* Marks the outputs as real, and records the matrices that have failed. */
static void end(struct args *a, const struct batch *b,
                const struct failure_detail *why)
{
	for (int i = EIGEN_VALUES; i <= EIGEN_VECTORS; i++) {
		struct matrix *out = &a->out[i];

		if (out->memory && dtype_is_complex(out->dtype)) {
			out->dtype = dtype_part(out->dtype);
			a->real |= 1u << i;
		}
	}
	for (size_t i = 0; i < b->stack; i++)
		if (why[i].code != ERR_NONE)
			args_fail(a, &(struct failure){ i, why[i] });
}

/* Returns like eigen_batch_try(). */
static int run(struct seq *s, struct args *a, const struct batch *b,
               struct failure_detail *why)
{
	const size_t bytes = told_bytes(b, a->dtype);
	void *told = malloc(bytes);
	int rc;

	if (!told)
		return no_memory(s, b);
	seq_read(s, launch(s, a, b), 0, told, bytes);
	rc = seq_finish(s) < 0 ? -1 : explain(a, b, told, why);
	if (rc == 1) {
		judge(a, b, told, why);
		end(a, b, why);
	}
	free(told);
	return rc;
}

static int refuse(struct seq *s, const struct args *a, const struct batch *b)
{
	return !is_demanded(a) ? 0 : err_set_at(seq_err(s),
	    ERR_PARAMETER, "/method", "eigen: method=%s takes symmetric "
	    "matrices that have at most %zu rows and fit into the device's "
	    "local memory, and answers no left_eigenvectors",
	    method_of(a) == EIGEN_QL ? "ql" : "jacobi", b->kernel->most);
}

int eigen_batch_try(struct seq *s, struct args *a,
                    const struct eigen_kernels *k)
{
	const struct batch b = batch_of(a, k);
	struct failure_detail *why;
	int rc = 0;

	if (!is_worth_it(a, &b))
		return 0;
	if (!is_possible(a, &b, seq_sheet(s)))
		return refuse(s, a, &b);
	why = calloc(b.stack, sizeof *why);
	if (!why)
		return no_memory(s, &b);
	if (!is_refuted(&b, a, why) || is_demanded(a))
		rc = run(s, a, &b, why);
	free(why);
	return rc;
}

void eigen_batch_need(const struct args *a, const struct sheet *d,
                      const struct eigen_kernels *k, struct need *need)
{
	const struct batch b = batch_of(a, k);
	size_t room;

	if (!is_possible(a, &b, d) || !is_worth_it(a, &b))
		return;
	need_matrix(need, d, &a->in[EIGEN_A]);
	for (int i = EIGEN_VALUES; i <= EIGEN_VECTORS; i++) {
		struct matrix out = a->out[i];

		if (out.ndim == MATRIX_ABSENT)
			continue;
		out.dtype = dtype_part(out.dtype);
		need_matrix(need, d, &out);
	}
	if (a->out[EIGEN_VALUES].ndim == MATRIX_ABSENT)
		need_buffer(need, values_bytes(&b, a->dtype));
	need_buffer(need, told_bytes(&b, a->dtype));
	room = b.kernel->room(&b, a->dtype, d);
	if (room > 0)
		need_buffer(need, room);
}
