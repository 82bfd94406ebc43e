/* batch.c - computes all eigenvalues of a stack of small symmetric matrices on
 * the device by Jacobi's method, with kernels/eigen/jacobi.cl, or on a CPU with
 * kernels/eigen/cpu/jacobi.cl. */
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/eigen/many.h"

/* On two cores of an AMD EPYC of 2021, for stacks of 1000 float64 matrices with
 * n = 8, 16, 32, 48 and 64 rows, the kernel for CPUs took 0.7, 7.8, 109, 344
 * and 952 ms, and LAPACK took 7.2, 48, 246, 514 and 849 ms. */
enum {
	MOST = 64,			/* rows */
	MOST_LANES = 48,		/* rows, where the kernel for CPUs is
					 * faster than LAPACK */
	TINY = 16,			/* rows */
	/* The smallest stacks for which the device is faster: of tiny matrices,
	 * and of larger ones. */
	FEWEST_TINY = 2, FEWEST = 8,
	ITEMS_PER_UNIT = 2,		/* work-items on CPUs */
	TOLD = 3			/* numbers of a matrix in `told` */
};

struct batch {
	const struct matrix *a;
	size_t n, stack;
	bool vectors;			/* are they wanted? */
	bool lanes;			/* uses the kernel for CPUs */
	size_t group;			/* work-items of a matrix */
};

static struct batch batch_of(const struct args *a,
                             const struct eigen_kernels *k)
{
	const struct matrix *m = &a->in[EIGEN_A];
	struct batch b = {
		.a = m, .n = matrix_rows(m), .stack = matrix_stack(m),
		.vectors = args_wants(a, EIGEN_VECTORS) &&
		           a->out[EIGEN_VECTORS].ndim != MATRIX_ABSENT,
		.lanes = k->local == 1, .group = 32,
	};

	while (b.group < 256 && 4 * b.group < b.n * b.n)
		b.group *= 2;
	return b;
}

/* The local memory of struct room in kernels/eigen/jacobi.cl. */
static size_t local_bytes(const struct batch *b, enum dtype t)
{
	const size_t m = b->n + b->n % 2;

	return (2 * m * (m + 1) + 3 * m + b->group) * dtype_bytes(t) +
	       m * sizeof(int32_t);
}

/* The number of work-items of the kernel for CPUs. */
static size_t items_of(const struct batch *b, const struct sheet *d,
                       enum dtype t)
{
	const size_t lanes = 64 / dtype_bytes(t);

	return size_min(size_blocks(b->stack, lanes),
	                ITEMS_PER_UNIT * size_max(d->compute_units, 1));
}

/* The global memory that the kernel for CPUs uses as its workspace. */
static size_t room_bytes(const struct batch *b, const struct sheet *d,
                         enum dtype t)
{
	return items_of(b, d, t) * (2 * b->n * (b->n | 1) + b->n) * 64;
}

/* Can the device answer the call, if all matrices are symmetric? */
static bool is_possible(const struct args *a, const struct batch *b,
                        const struct sheet *d)
{
	return eigen_which(a) == EIGEN_ALL && !eigen_has_b(a) &&
	       !args_wants(a, EIGEN_LEFT_VECTORS) &&
	       a->param[EIGEN_P_STRUCTURE] != EIGEN_GENERAL_STRUCTURE &&
	       b->n <= MOST && b->stack >= 1 && b->stack <= INT32_MAX / 64 &&
	       (b->lanes || (d->local_memory_bytes >=
	                    local_bytes(b, a->dtype) &&
	                    d->max_work_group_size >= b->group));
}

static bool is_demanded(const struct args *a)
{
	return a->param[EIGEN_P_METHOD] == EIGEN_JACOBI;
}

static bool is_worth_it(const struct args *a, const struct batch *b)
{
	return is_demanded(a) ||
	       (a->param[EIGEN_P_METHOD] == EIGEN_AUTO &&
	        b->stack >= (b->n <= TINY ? FEWEST_TINY : FEWEST) &&
	        (b->n <= MOST_LANES || !b->lanes));
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

/* Launches the kernel. Returns the buffer of its TOLD numbers for every
 * matrix. */
static struct buf launch(struct seq *s, const struct args *a,
                         const struct batch *b)
{
	const enum dtype t = a->dtype;
	const double n = (double)b->n, flops = 40 * n * n * n;
	const bool judged = a->quality != QUALITY_NONE && b->vectors;
	const struct buf told = seq_scratch(s, b->stack * TOLD *
	                                       dtype_bytes(t));
	const struct buf values = real_output(s, &a->out[EIGEN_VALUES],
	                                      values_bytes(b, t));
	const struct buf vectors = b->vectors ?
	    real_output(s, &a->out[EIGEN_VECTORS], 0) : told;
	const size_t items = items_of(b, seq_sheet(s), t);

	seq_work(s, flops * (double)b->stack, (double)matrix_size(b->a));
	if (b->lanes)
		seq_launch(s, "eigen_jacobi_lanes", GRID1(items, 1),
		           ARG_BUF(seq_input(s, b->a)), ARG_INT(b->n),
		           ARG_INT(b->stack), ARG_BUF(values),
		           ARG_BUF(vectors), ARG_INT(b->vectors),
		           ARG_INT(judged), ARG_BUF(told),
		           ARG_BUF(seq_scratch(s, room_bytes(b, seq_sheet(s),
		                                             t))));
	else
		seq_launch(s, "eigen_jacobi", GRID1(b->stack * b->group,
		           b->group),
		           ARG_BUF(seq_input(s, b->a)), ARG_INT(b->n),
		           ARG_BUF(values), ARG_BUF(vectors),
		           ARG_INT(b->vectors), ARG_INT(judged), ARG_BUF(told),
		           ARG_LOCAL(local_bytes(b, t)));
	return told;
}

/* Number i of `told`, whose elements have the call's type. */
static double told_of(const struct args *a, const void *told, size_t i)
{
	return a->dtype == FLOAT32 ? (double)((const float *)told)[i] :
	                             ((const double *)told)[i];
}

/* Sets the verdict from the measures of all matrices that have an answer.
 * Returns false if one of them has not converged. */
static bool take(struct args *a, const struct batch *b, const void *told,
                 const struct failure_detail *why)
{
	struct verdict v = verdict_none();

	for (size_t i = 0; i < b->stack; i++) {
		if (why[i].code != ERR_NONE)
			continue;
		if (told_of(a, told, TOLD * i) == 0)
			return false;
		v.residual = fmax(v.residual, told_of(a, told, TOLD * i + 1));
		v.orthogonality = fmax(v.orthogonality,
		                       told_of(a, told, TOLD * i + 2));
	}
	if (a->quality != QUALITY_NONE) {
		a->verdict.condition = 1;
		if (b->vectors) {
			a->verdict.residual = v.residual;
			a->verdict.orthogonality = v.orthogonality;
		}
	}
	return true;
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
               const struct failure_detail *why)
{
	const size_t bytes = b->stack * TOLD * dtype_bytes(a->dtype);
	void *told = malloc(bytes);
	int rc;

	if (!told)
		return no_memory(s, b);
	seq_read(s, launch(s, a, b), 0, told, bytes);
	rc = seq_finish(s) < 0 ? -1 : take(a, b, told, why);
	free(told);
	if (rc == 1)
		end(a, b, why);
	return rc;
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
		return !is_demanded(a) ? 0 : err_set_at(seq_err(s),
		    ERR_PARAMETER, "/method", "eigen: method=jacobi takes "
		    "symmetric matrices that have at most %d rows and fit into "
		    "the device's local memory, and answers no "
		    "left_eigenvectors", MOST);
	why = malloc(b.stack * sizeof *why);
	if (!why)
		return no_memory(s, &b);
	if (look_at_all(&b, a, why) || is_demanded(a))
		rc = run(s, a, &b, why);
	free(why);
	return rc;
}

void eigen_batch_need(const struct args *a, const struct sheet *d,
                      const struct eigen_kernels *k, struct need *need)
{
	const struct batch b = batch_of(a, k);

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
	need_buffer(need, b.stack * TOLD * dtype_bytes(a->dtype));
	if (b.lanes)
		need_buffer(need, room_bytes(&b, d, a->dtype));
}
