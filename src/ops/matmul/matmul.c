/* matmul.c - the operation matmul: C = op(A) op(B), as NumPy's matmul
 * treats vectors and stacks. */
#include <stdio.h>

#include "base/size.h"
#include "ops/matmul/variant.h"
#include "ops/scalapack.h"
#include "shared/matmul_tensor.h"
#include "shared/matmul_tile.h"

/* The kernels count rows and columns in 32-bit integers; the difference to
 * INT32_MAX leaves room for rounding up to whole tiles. */
#define MATMUL_MAX ((size_t)INT32_MAX - 1024)

/* If several devices compute one call, the number of rows of each part is a
 * multiple of this: whole tiles of every variant. */
enum { PART_ROWS = 384 };
_Static_assert(PART_ROWS % MATMUL_STRIP == 0 && PART_ROWS % MATMUL_TILE == 0 &&
               PART_ROWS % TENSOR_ROWS == 0, "whole strips and tiles");

/* Up to this n, sample() makes a deep product if n is even. */
enum { SHALLOW = 64 };

#define SEED_ORIGIN "Speeding up Matrix Multiplication on GPGPU (2021)"

static const struct operand inputs[] = {
	{ "a", "the left matrix, a stack of them, or a row vector", 1, false,
	  DENSE },
	{ "b", "the right matrix, a stack of them, or a column vector", 1,
	  false, DENSE },
	{ 0 }
};

static const char *const precisions[] = {
	[MATMUL_FULL] = "full", [MATMUL_TF32] = "tf32",
	[MATMUL_FAST] = "fast", NULL
};

static const struct param params[] = {
	[MATMUL_TRANSPOSE_A] = {
		.name = "transpose_a", .type = PARAM_BOOLEAN,
		.help = "take a's transpose; a vector stays as it is",
	},
	[MATMUL_TRANSPOSE_B] = {
		.name = "transpose_b", .type = PARAM_BOOLEAN,
		.help = "take b's transpose; a vector stays as it is",
	},
	[MATMUL_CONJUGATE_A] = {
		.name = "conjugate_a", .type = PARAM_BOOLEAN,
		.help = "take a's complex conjugate, with transpose_a the "
		        "conjugate transpose; real elements stay as they are",
	},
	[MATMUL_CONJUGATE_B] = {
		.name = "conjugate_b", .type = PARAM_BOOLEAN,
		.help = "take b's complex conjugate, with transpose_b the "
		        "conjugate transpose; real elements stay as they are",
	},
	[MATMUL_PRECISION] = {
		.name = "precision", .type = PARAM_CHOICE,
		.fallback = MATMUL_FULL, .choices = precisions,
		.help = "with tf32 float32 elements may be rounded to 11 bits "
		        "where that is faster; with fast large products of "
		        "float64 may have larger errors, which error_bound "
		        "tells",
	},
	{ 0 }
};

static const struct output outputs[] = {
	{ "c", "the product", false },
	{ 0 }
};

/* How a variant's plan is made: by the planner for a kind of device, or with
 * the only kernel of a variant from the article. */
static const struct matmul_way
	cpu = { .plan = gemm_plan_cpu, .by_rows = true },
	tensor = { .plan = gemm_plan_tensor },
	any = { .plan = gemm_plan_any },
	naive = { .kernel = GEMM_NAIVE },
	local_tile = { .kernel = GEMM_LOCAL_TILE },
	broadcast = { .kernel = GEMM_BROADCAST };

/* What reads and writes the operands of the product of reals that stands for
 * one of complex numbers. */
#define OF_COMPLEX "complex_twist complex_take"

static const struct variant variants[] = {
	{ "packed", NEEDS_CPU, DEVICE_CPU,
	  DTYPE_REALS | DTYPE_INTEGERS | DTYPE_COMPLEXES,
	  "matmul_pack matmul_packed matmul_small matmul_sum matmul_batch "
	  "matvec_rows matvec_columns",
	  "linalgd", matmul_run, matmul_need, &cpu, matmul_batch_run,
	  .more_kernels =
	  "matmul_integer_bits matmul_integer_rows matmul_integer_far "
	  OF_COMPLEX },
	{ "tensor", NEEDS_SM90, DEVICE_GPU, DTYPE_REALS | DTYPE_COMPLEXES,
	  "matmul_tensor_pairs matmul_pairs_largest matmul_pairs_pack "
	  "matmul_tensor_halves matmul_halves_pack "
	  "matmul_tensor_3xtf32 matmul_tensor_tf32 matmul_pack_3xtf32 "
	  "matmul_pack_tf32 matmul_tensor_direct matmul_tensor_f64_128x128 "
	  "matmul_tensor_f64_128x64 matmul_tensor_f64_64x64 "
	  "matmul_tensor_f64_32x64 matmul_tensor_f64_32x32 "
	  "matmul_tensor_f64_rest matmul_tensor_residues "
	  "matmul_residues_lines matmul_residues_norms matmul_residues_finite "
	  "matmul_residues_magnitudes matmul_residues_bound "
	  "matmul_residues_pack matmul_residues_join matmul_tensor_sum "
	  "matmul_tile matmul_dot matmul_few matmul_flat",
	  "linalgd", matmul_run, matmul_need, .how = &tensor,
	  .more_kernels = OF_COMPLEX },
	{ "register-tile", 0, DEVICE_GPU | DEVICE_OTHER,
	  DTYPE_REALS | DTYPE_INTEGERS | DTYPE_COMPLEXES,
	  "matmul_tile matmul_dot matmul_few matmul_flat", "linalgd",
	  matmul_run, matmul_need, .how = &any, .more_kernels =
	  "matmul_integer_bits matmul_integer_tile matmul_integer_far "
	  OF_COMPLEX },
	{ "naive", 0, 0, DTYPE_REALS, "matmul_naive", SEED_ORIGIN,
	  matmul_run, matmul_need, .how = &naive },
	{ "local-tile", 0, 0, DTYPE_REALS, "matmul_local_tile", SEED_ORIGIN,
	  matmul_run, matmul_need, .how = &local_tile },
	{ "subgroup-broadcast", 0, 0, DTYPE_REALS,
	  "matmul_subgroup_broadcast", SEED_ORIGIN, matmul_run, matmul_need,
	  .how = &broadcast },
	SCALAPACK_VARIANT(scalapack_takes_matmul, scalapack_need_matmul),
	{ 0 }
};

/* Writes a factor as the client gave it, for example "3x2 transposed", and
 * returns text. */
static const char *factor_text(const struct args *a, int i, char *text,
                               size_t room)
{
	char shape[MATRIX_SHAPE_TEXT];
	bool transposed = a->param[i] != 0 && a->in[i].ndim > 1;

	snprintf(text, room, "%s%s", matrix_shape_text(&a->in[i], shape),
	         transposed ? " transposed" : "");
	return text;
}

/* The inner sizes of the two factors must agree. */
static int check_sizes(const struct args *a, struct err *e)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	bool ta = a->param[MATMUL_TRANSPOSE_A] != 0 && x->ndim > 1;
	bool tb = a->param[MATMUL_TRANSPOSE_B] != 0 && y->ndim > 1;
	size_t ka = x->dim[x->ndim - (ta ? 2 : 1)];
	size_t kb = y->dim[y->ndim - (tb || y->ndim == 1 ? 1 : 2)];
	char s[80], t[80];

	if (ka != kb)
		return err_set(e, ERR_SHAPE, "matmul: %s times %s: inner "
		               "sizes %zu and %zu differ",
		               factor_text(a, 0, s, sizeof s),
		               factor_text(a, 1, t, sizeof t), ka, kb);
	return 0;
}

static int check_stacks(const struct args *a, struct err *e)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	char s[80], t[80];

	for (int d = 0; d < MATRIX_DIMS; d++) {
		size_t of_x = product_leading(x, d);
		size_t of_y = product_leading(y, d);

		if (of_x != of_y && of_x != 1 && of_y != 1)
			return err_set(e, ERR_SHAPE, "matmul: %s times %s: "
			               "leading dimensions %zu and %zu differ",
			               factor_text(a, 0, s, sizeof s),
			               factor_text(a, 1, t, sizeof t), of_x,
			               of_y);
	}
	return 0;
}

static int check_limits(const struct args *a, struct err *e)
{
	struct product p = product_of(a);
	size_t most = size_max(size_max(p.m, p.n), size_max(p.k, p.stack));

	if (most > MATMUL_MAX)
		return err_set(e, ERR_TOO_LARGE, "matmul: %zu products of "
		               "%zux%zu and %zux%zu: sizes end at %zu",
		               p.stack, p.m, p.k, p.k, p.n, MATMUL_MAX);
	return 0;
}

static int check(const struct args *a, struct err *e)
{
	if (check_sizes(a, e) < 0 || check_stacks(a, e) < 0)
		return -1;
	return check_limits(a, e);
}

/* C has the leading dimensions of both factors, broadcast, then m unless a is a
 * vector, and n unless b is a vector. */
static int shape(struct args *a, struct err *e)
{
	const struct matrix *x = &a->in[0], *y = &a->in[1];
	bool ta = a->param[MATMUL_TRANSPOSE_A] != 0;
	bool tb = a->param[MATMUL_TRANSPOSE_B] != 0;
	struct matrix *c = &a->out[0];
	int dims = x->ndim > y->ndim ? x->ndim : y->ndim;

	(void)e;
	*c = (struct matrix){ .dtype = a->dtype };
	for (int d = dims - 3; d >= 0; d--)
		c->dim[c->ndim++] = product_broadcast(x, y, d);
	if (x->ndim > 1)
		c->dim[c->ndim++] = x->dim[x->ndim - (ta ? 1 : 2)];
	if (y->ndim > 1)
		c->dim[c->ndim++] = y->dim[y->ndim - (tb ? 2 : 1)];
	return 0;
}

/* Cuts a call by rows of A and of C for several devices. Products of integers
 * are not cut, because their error messages name a row of the whole product. */
static bool cut(const struct args *a, struct cut *c)
{
	*c = (struct cut){ .rows = a->in[0].dim[0], .unit = PART_ROWS,
	                   .in = 1, .out = 1 };
	return a->in[0].ndim == 2 && a->in[1].ndim == 2 &&
	       a->param[MATMUL_TRANSPOSE_A] == 0 &&
	       !dtype_is_integer(a->dtype);
}

static double flops(const struct args *a)
{
	struct product p = product_of(a);

	return (dtype_is_complex(a->dtype) ? 4 : 1) * product_flops(&p);
}

static double bytes(const struct args *a)
{
	struct product p = product_of(a);

	return product_bytes(&p, a->dtype);
}

/* Makes two matrices of small whole numbers, whose product is exact. Both are n
 * x n, except that a is a row vector if n is odd, and that an even n of up to
 * SHALLOW gives a deep product with k = n SHALLOW. */
static int sample(struct args *a, size_t n, struct memory_pool *pool,
                  struct err *e)
{
	const size_t k = n % 2 || n > SHALLOW ? n : n * SHALLOW;

	for (int i = 0; i < 2; i++) {
		const int ndim = i == 0 && n % 2 ? 1 : 2;

		a->in[i] = (struct matrix){ .dtype = a->dtype, .ndim = ndim,
		                            .dim = { i == 0 ? n : k,
		                                     i == 0 ? k : n } };
		if (matrix_alloc(&a->in[i], pool, e) < 0)
			return -1;
		for (size_t j = 0; j < matrix_elements(&a->in[i]); j++)
			matrix_set(&a->in[i], j, (double)(j % 7) - 3);
	}
	return 0;
}

const struct op op_matmul = {
	.name = "matmul",
	.summary = "the product of two matrices, vectors or stacks, as NumPy's "
	           "matmul",
	.details = "With dtype=int32 or int64 integers are multiplied "
	           "exactly, and a product with an element beyond that type is "
	           "refused with 422. Without dtype they become float64. "
	           "Complex products are exact but for rounding in their real "
	           "and their imaginary parts alike.",
	.dtypes = DTYPE_REALS | DTYPE_INTEGERS | DTYPE_COMPLEXES,
	.asked_dtypes = DTYPE_INTEGERS,
	.halves = true,
	.changing_in = 3,
	.changing_out = 1,
	.inputs = inputs,
	.params = params,
	.outputs = outputs,
	.variants = variants,
	.check = check,
	.shape = shape,
	.flops = flops,
	.bytes = bytes,
	.cut = cut,
	.sample = sample,
};
