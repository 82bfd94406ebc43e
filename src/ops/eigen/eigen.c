/* eigen.c - eigenvalues and eigenvectors of a square matrix, or of every matrix
 * of a stack: the operation's tables (see eigen.h and many.h for its parts). */
#include "base/size.h"
#include "ops/blas/gemm.h"
#include "ops/eigen/complex.h"
#include "ops/eigen/gang.h"
#include "ops/eigen/many.h"
#include "ops/hessenberg/hessenberg.h"
#include "ops/qr/judge.h"
#include "ops/scalapack.h"
#include "ops/schur/schur.h"
#include "ops/tridiagonal/symmetric.h"

#define TRIDIAGONAL_KERNELS \
	SYMMETRIC_KERNELS " tridiagonal_gather tridiagonal_signs " \
	BLAS_GEMM_KERNELS " " JUDGE_KERNELS " " EIGEN_GANG_KERNELS
#define GENERAL_KERNELS HESSENBERG_KERNELS " " SCHUR_KERNELS
#define SEED_ORIGIN "Optimizing Parallel Similarity Transformation (2021)"

static const struct eigen_kernels fused = {
	.look = "eigen_look", .round = "eigen_round", .fold = "eigen_fold",
	.project = "eigen_project", .subtract = "eigen_subtract",
	.normalise = "eigen_normalise", .rotate = "eigen_rotate",
	.local = 1, .rows = 8, .chunk = 1024, .blocks_per_unit = 16,
};

static const struct eigen_kernels fused_group = {
	.look = "eigen_group_look", .round = "eigen_group_round",
	.fold = "eigen_group_fold", .project = "eigen_group_project",
	.subtract = "eigen_group_subtract",
	.normalise = "eigen_group_normalise", .rotate = "eigen_group_rotate",
	.local = 128, .rows = 4, .chunk = 128, .blocks_per_unit = INT32_MAX,
};

/* How a variant computes. A variant with the article's kernels takes the
 * device's kernels for all steps that the article has none for. */
struct way {
	const struct eigen_kernels *kernels;	/* NULL: the device's */
	int seed;				/* the article's version + 1,
						 * or 0 without its kernels */
};

static const struct eigen_kernels *kernels_of(const struct variant *v,
                                              const struct sheet *d)
{
	const struct way *way = v->how;

	return way->kernels ? way->kernels :
	       d->type == DEVICE_CPU ? &fused : &fused_group;
}

static int run(struct seq *s, struct args *a)
{
	struct eigen_kernels k = *kernels_of(a->variant, seq_sheet(s));

	if (a->gang.parts)
		return eigen_gang(s, a);
	if (eigen_which(a) != EIGEN_DOMINANT)
		return eigen_many_run(s, a, &k);
	k.seed = ((const struct way *)a->variant->how)->seed;
	return eigen_run(s, a, &k);
}

/* For the dominant pair, the last residual that run() computed serves as the
 * estimate, and only quality=full computes another. Where there are several
 * pairs, run() has judged them already. */
static int residual(struct seq *s, struct args *a)
{
	return a->quality == QUALITY_FULL &&
	       eigen_which(a) == EIGEN_DOMINANT ?
	       eigen_residual(s, a, kernels_of(a->variant, seq_sheet(s))) : 0;
}

/* The outputs of the dominant pair need no memory of the device, because the
 * host writes them. The elements decide which methods run, so this counts the
 * buffers of all that may run: the article's if the variant has it, and
 * Krylov's. */
static void need(const struct args *a, const struct variant *v,
                 const struct sheet *d, struct need *need)
{
	const struct eigen_kernels *k = kernels_of(v, d);
	const enum eigen_method method =
	    (enum eigen_method)a->param[EIGEN_P_METHOD];
	const size_t n = matrix_rows(&a->in[0]);

	if (a->gang.parts) {
		eigen_gang_need(a, d, need);
		return;
	}
	if (eigen_which(a) != EIGEN_DOMINANT) {
		eigen_batch_need(a, d, k, need);
		eigen_tridiagonal_need(a, d, k, need);
		if (eigen_is_reduced(a, d, k))
			eigen_reduced_need(need, d, n);
		if (eigen_is_large(a))
			eigen_large_need(a, d, need);
		return;
	}
	need_matrix(need, d, &a->in[0]);
	eigen_problem_need(need, d, a->dtype, k, n);
	eigen_scaling_need(need, eigen_acc_bytes(d, a->dtype), n);
	if (a->quality == QUALITY_FULL && args_wants(a, EIGEN_VALUE) &&
	    args_wants(a, EIGEN_VECTOR))
		eigen_problem_need(need, d, a->dtype, k, n);
	if (method == EIGEN_AUTO || method == EIGEN_KRYLOV)
		eigen_krylov_need(need, eigen_acc_bytes(d, a->dtype), k, n);
	if (((const struct way *)v->how)->seed > 0 &&
	    (method == EIGEN_AUTO || method == EIGEN_SIMILARITY))
		eigen_seed_need(need, a->dtype, n);
}

/* The operations of one matrix-vector product for the dominant pair, because
 * the number of products is not known in advance; else about those of a full
 * decomposition, 25 n^3. */
static double flops(const struct args *a)
{
	enum { PRODUCTS = 100 };	/* with a sparse matrix */
	const double elements = (double)matrix_elements(&a->in[0]);

	if (eigen_is_large(a))
		return 2 * PRODUCTS * elements;
	return eigen_which(a) == EIGEN_DOMINANT ? 2 * elements :
	       25 * elements * (double)matrix_rows(&a->in[0]);
}

static double bytes(const struct args *a)
{
	return (double)matrix_size(&a->in[0]);
}

static const char *const methods[] = {
	[EIGEN_AUTO] = "auto", [EIGEN_SIMILARITY] = "similarity",
	[EIGEN_POWER] = "power", [EIGEN_KRYLOV] = "krylov",
	[EIGEN_LAPACK] = "lapack", [EIGEN_JACOBI] = "jacobi",
	[EIGEN_QL] = "ql", [EIGEN_TRIDIAGONAL] = "tridiagonal",
	[EIGEN_HESSENBERG] = "hessenberg", NULL
}, *const whiches[] = {
	[EIGEN_DOMINANT] = "dominant", [EIGEN_ALL] = "all",
	[EIGEN_LARGEST] = "largest", [EIGEN_SMALLEST] = "smallest",
	[EIGEN_LARGEST_REAL] = "largest-real",
	[EIGEN_SMALLEST_REAL] = "smallest-real",
	[EIGEN_NEAREST] = "nearest", [EIGEN_INTERVAL] = "interval", NULL
}, *const structures[] = {
	[EIGEN_ANY_STRUCTURE] = "auto",
	[EIGEN_SYMMETRIC_STRUCTURE] = "symmetric",
	[EIGEN_GENERAL_STRUCTURE] = "general", NULL
}, *const problems[] = {
	[EIGEN_DEFINITE] = "definite", [EIGEN_DEFINITE_ABX] = "definite-abx",
	[EIGEN_DEFINITE_BAX] = "definite-bax",
	[EIGEN_GENERAL_PENCIL] = "general", NULL
}, *const orders[] = {
	[EIGEN_SORTED] = "sorted", [EIGEN_FOUND] = "found", NULL
};

const struct op op_eigen = {
	.name = "eigen",
	.summary = "the dominant eigenvalue and its eigenvector, or all or "
		"some eigenvalues and eigenvectors, of a square matrix or "
		"of every matrix of a stack",
	.details = "By default eigen answers the dominant eigenpair, that of "
		"the eigenvalue of largest modulus. `which` asks for other "
		"eigenvalues: for `all`, for `k` of a kind, or for those of "
		"an `interval`. The "
		"eigenvalues of a symmetric matrix ascend. Those "
		"of a general matrix descend by modulus, and of a conjugate "
		"pair the one with the positive imaginary part comes first. "
		"Where k would cut a pair in two, the answer has k + 1 "
		"eigenvalues; in a stack, the rows of matrices that have only "
		"k then end with NaN.\n\n"
		"With `b` the problem is A x = λ B x, or A B x = λ x or B A x "
		"= λ x, where B is symmetric or hermitian, and positive "
		"definite. `problem=general` takes any B, even a singular "
		"one: an eigenvalue λ = α / β is then infinite if β is 0, and "
		"NaN if α and β are both 0, which a singular pencil has. The "
		"output `alpha_beta` has α and β.\n\n"
		"LAPACK computes several eigenvalues on the host: those of a "
		"symmetric matrix in its own type, all others in float64. All "
		"eigenvalues of a stack of small symmetric matrices come from "
		"Jacobi's method or the QL method on the device. A GPU reduces "
		"one larger symmetric matrix to tridiagonal form, which it "
		"decomposes by divide and conquer, and one that is not "
		"symmetric to Hessenberg form, on which it runs the QR "
		"algorithm; the host decomposes small blocks for that. Up to "
		"an eighth of the eigenvalues of a sparse matrix of more than "
		"512 rows are computed without making it dense; the answer "
		"then has `iterations` and `converged`, too.",
	.dtypes = DTYPE_REALS | DTYPE_COMPLEXES,
	.booleans = 1u << EIGEN_CONVERGED | 1u << EIGEN_TIE,
	.complex_too = 1u << EIGEN_VALUE | 1u << EIGEN_VECTOR |
		1u << EIGEN_VALUES | 1u << EIGEN_VECTORS |
		1u << EIGEN_LEFT_VECTORS | 1u << EIGEN_ALPHA_BETA,
	.shorter_too = 1u << EIGEN_VALUES | 1u << EIGEN_VECTORS |
		1u << EIGEN_LEFT_VECTORS | 1u << EIGEN_ALPHA_BETA,
	.sparse_too = 1u << EIGEN_A,
	.iterative = true,
	.inputs = (const struct operand[]){
		[EIGEN_A] = { "a", "a square matrix, or a stack of them",
			2, false, DENSE },
		[EIGEN_B] = { "b", "the matrix B of A x = λ B x and of the "
			"other problems of a pair, or a stack of them; it "
			"does not go with which=dominant", 2, true, DENSE },
		{ 0 }
	},
	.params = (const struct param[]){
		[EIGEN_P_METHOD] = { .name = "method", .type = PARAM_CHOICE,
			.choices = methods,
			.help = "the method. For the dominant pair, auto takes "
				"the diagonal of a triangular matrix; "
				"similarity for a non-negative matrix, as long "
				"as its bracket closes fast; a full "
				"decomposition up to 512 rows, and where "
				"krylov does not converge; else krylov. Up to "
				"512 rows, a full decomposition confirms what "
				"power and krylov find. For other eigenvalues "
				"auto takes lapack, on the host; for all "
				"eigenvalues of a stack of small symmetric "
				"matrices jacobi on CPUs and ql, which is "
				"Householder's reflections and the QL "
				"iteration, on other devices; and on a GPU, "
				"for one larger matrix, tridiagonal if it is "
				"symmetric, else hessenberg, which takes the "
				"host, too" },
		[EIGEN_P_TOL] = { .name = "tol", .type = PARAM_REAL,
			.fallback = NAN, .min = 0, .max = INFINITY,
			.above_min = true,
			.help = "the bound on |Av - λv| / |λ|, or on the "
				"relative width of the bracket; for several "
				"eigenvalues the bound on |Av - λv| / |A|. By "
				"default it is 1e-8, or 1e-5 for float32. "
				"Where |λ| is so small beside the norm of A "
				"that rounding errors alone exceed tol |λ|, a "
				"residual of their size counts as converged" },
		[EIGEN_P_MAX_ITERATIONS] = { .name = "max_iterations",
			.type = PARAM_INTEGER, .fallback = 1000,
			.min = 1, .max = 1e9,
			.help = "the largest number of matrix-vector products "
				"for the dominant pair. For several "
				"eigenvalues of a large sparse matrix, it is "
				"the largest number for each of them, and as "
				"many more confirm that none is missing" },
		[EIGEN_P_ALLOW_PARTIAL] = { .name = "allow_partial",
			.type = PARAM_BOOLEAN,
			.help = "answer 200 with the best estimate and "
				"converged false, instead of 422, when the "
				"dominant pair, or those of a large sparse "
				"matrix, do not converge" },
		[EIGEN_P_WHICH] = { .name = "which", .type = PARAM_CHOICE,
			.choices = whiches,
			.help = "the eigenvalues to answer: the dominant one, "
				"all, or the k of largest or smallest modulus, "
				"of largest or smallest real part, or nearest "
				"to sigma; or those of an interval, whose real "
				"parts are larger than low and at most high" },
		[EIGEN_P_K] = { .name = "k", .type = PARAM_INTEGER,
			.fallback = NAN, .min = 1, .max = 1e9,
			.help = "the number of eigenvalues to answer, by "
				"default 1; it does not go with "
				"which=dominant, all or interval" },
		[EIGEN_P_SIGMA] = { .name = "sigma", .type = PARAM_REAL,
			.fallback = NAN, .min = -INFINITY, .max = INFINITY,
			.help = "the number to which the eigenvalues of "
				"which=nearest are nearest" },
		[EIGEN_P_STRUCTURE] = { .name = "structure",
			.type = PARAM_CHOICE, .choices = structures,
			.help = "the structure of a. With auto, a matrix "
				"counts as symmetric if it is exactly "
				"symmetric; with symmetric, it may differ from "
				"its transpose by rounding errors, and other "
				"matrices are refused; with general, no matrix "
				"counts as symmetric. It does not go with "
				"which=dominant" },
		[EIGEN_P_PROBLEM] = { .name = "problem", .type = PARAM_CHOICE,
			.choices = problems,
			.help = "the problem with b. With definite it is A x = "
				"λ B x, with definite-abx A B x = λ x, and "
				"with definite-bax B A x = λ x, where b must "
				"be positive definite and, up to rounding "
				"errors, symmetric or hermitian; with general "
				"it is A x = λ B x for any b, solved by the QZ "
				"algorithm" },
		[EIGEN_P_ORDER] = { .name = "order", .type = PARAM_CHOICE,
			.choices = orders,
			.help = "the order of the eigenvalues of a general "
				"matrix: sorted by descending modulus, or the "
				"order in which the algorithm finds them, "
				"which is LAPACK's" },
		[EIGEN_P_LOW] = { .name = "low", .type = PARAM_REAL,
			.fallback = NAN, .min = -INFINITY, .max = INFINITY,
			.help = "the lower bound of which=interval, by default "
				"none" },
		[EIGEN_P_HIGH] = { .name = "high", .type = PARAM_REAL,
			.fallback = NAN, .min = -INFINITY, .max = INFINITY,
			.help = "the upper bound of which=interval, by default "
				"none" },
		[EIGEN_P_DEVICES] = {
			.name = "devices", .type = PARAM_INTEGER,
			.fallback = NAN, .min = 1, .max = SHEETS,
			.help = "how many devices compute all eigenvalues of a "
				"real symmetric matrix together (which=all), "
				"each holding some of its columns; by default "
				"one" },
		{ 0 }
	},
	.outputs = (const struct output[]){
		[EIGEN_VALUE] = { "eigenvalue", "the eigenvalue of largest "
			"modulus; of a complex conjugate pair, the one with "
			"the positive imaginary part", false },
		[EIGEN_VECTOR] = { "eigenvector", "its eigenvector, which has "
			"unit 2-norm and whose largest component is real and "
			"positive", false },
		[EIGEN_ITERATIONS] = { "iterations", "the number of "
			"matrix-vector products", false },
		[EIGEN_CONVERGED] = { "converged", "true if tol was met",
			false },
		[EIGEN_BRACKET] = { "bracket", "a lower and an upper bound of "
			"the dominant eigenvalue of a non-negative matrix",
			false },
		[EIGEN_TIE] = { "tie", "true if other eigenvalues have the "
			"same modulus, else absent", false },
		[EIGEN_VALUES] = { "eigenvalues", "the eigenvalues that "
			"`which` asks for, unless it is dominant", false },
		[EIGEN_VECTORS] = { "eigenvectors", "the columns are their "
			"eigenvectors, which have unit 2-norm and whose "
			"largest components are real and positive; with "
			"which=all only on request", false },
		[EIGEN_LEFT_VECTORS] = { "left_eigenvectors", "the columns are "
			"their left eigenvectors y, for which yᴴA = λyᴴ or, "
			"with b, yᴴA = λyᴴB, yᴴAB = λyᴴ or yᴴBA = λyᴴ; they "
			"are scaled like eigenvectors", true },
		[EIGEN_ALPHA_BETA] = { "alpha_beta", "with problem=general, "
			"two rows: the numbers α, and the numbers β ≥ 0, of "
			"the eigenvalues λ = α / β", true },
		{ 0 }
	},
	.variants = (const struct variant[]){
		{ "fused", NEEDS_CPU, DEVICE_CPU, DTYPE_REALS,
		  "eigen_look eigen_round eigen_fold eigen_project "
		  "eigen_subtract eigen_normalise eigen_rotate eigen_squares "
		  "eigen_columns eigen_scale eigen_jacobi_lanes "
		  TRIDIAGONAL_KERNELS " " GENERAL_KERNELS, "linalgd",
		  run,
		  .need = need, .takes = eigen_takes,
		  .how = &(const struct way){ &fused, 0 } },
		{ "fused-group", 0, DEVICE_GPU | DEVICE_OTHER, DTYPE_REALS,
		  "eigen_group_look eigen_group_round eigen_group_fold "
		  "eigen_group_project eigen_group_subtract "
		  "eigen_group_normalise eigen_group_rotate eigen_squares "
		  "eigen_columns eigen_scale eigen_jacobi eigen_ql "
		  "eigen_ql_large "
		  TRIDIAGONAL_KERNELS " " GENERAL_KERNELS, "linalgd",
		  run,
		  .need = need, .takes = eigen_takes,
		  .how = &(const struct way){ &fused_group, 0 } },
		{ "seed-v0", 0, 0, DTYPE_REALS,
		  "seed_scale seed_row_sums_v0 seed_max_v0 seed_update_v0 "
		  "seed_stop_v0 seed_next", SEED_ORIGIN, run,
		  .need = need, .takes = eigen_takes,
		  .how = &(const struct way){ NULL, 1 } },
		{ "seed-v1", 0, 0, DTYPE_REALS,
		  "seed_scale seed_row_sums_v1 seed_max_v1 seed_update_v1 "
		  "seed_stop_shuffle seed_next", SEED_ORIGIN, run,
		  .need = need, .takes = eigen_takes,
		  .how = &(const struct way){ NULL, 2 } },
		{ "seed-v2", 0, 0, DTYPE_REALS,
		  "seed_scale seed_row_sums_v2 seed_max_v2 seed_update_v1 "
		  "seed_stop_shuffle seed_next", SEED_ORIGIN, run,
		  .need = need, .takes = eigen_takes,
		  .how = &(const struct way){ NULL, 3 } },
		{ "complex", 0, DEVICE_CPU | DEVICE_GPU | DEVICE_OTHER,
		  DTYPE_COMPLEXES, "", "LAPACK", eigen_complex,
		  .need = NULL, .takes = eigen_takes },
		SCALAPACK_VARIANT(scalapack_takes_eigen, scalapack_need_eigen),
		{ 0 }
	},
	.stays_sparse = eigen_stays_sparse,
	.check = eigen_check,
	.shape = eigen_shape,
	.flops = flops,
	.bytes = bytes,
	.gang = eigen_gang_plan,
	.residual = residual,
	.describe = eigen_describe,
	.sample = eigen_sample,
};
