/* seeds_tables.c - the articles' tables and their figures.
 *
 * Sources: itzmeanjan, series on SYCL, "Speeding up Matrix Multiplication on
 * GPGPU" (2021-09-25), "Improving Parallel LU Decomposition" (2021-10-15),
 * "Optimizing Parallel Similarity Transformation" (2021-11-27); oneAPI GPU
 * Optimization Guide, chapter Reduction (which published no figures).
 */
#include "bench/seeds_tables.h"

#define SIMILARITY "Optimizing Parallel Similarity Transformation, 2021-11-27"
#define LU "Improving Parallel LU Decomposition by ~20x, 2021-10-15"
#define MATMUL "Speeding up Matrix Multiplication on GPGPU, 2021-09-25"
#define REDUCTION "oneAPI GPU Optimization Guide, Reduction"

#define XEON "Xeon E5-2686 v4"
#define XE_MAX "Iris Xe MAX"
#define SKYLAKE "Xeon Skylake"

#define MATRICES { 128, 256, 512, 1024, 2048, 4096, 8192 }
#define VECTORS { 1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, \
                  1 << 22, 1 << 23, 1 << 24, 1 << 25 }

#define OURS { .name = "linalgd", .by = SEED_OURS }

/* A reduction whose version is a variant of the same name. */
#define REDUCTION_BY(v) { .name = v, .by = SEED_VARIANT, .variant = v }

const struct seed_table seed_tables[] = {
{
	.name = "row-sums", .article = SIMILARITY,
	.title = "sums along the rows of a random n x n matrix",
	.op = "reduce", .params = { "op", "sum", "axis", "1" },
	.dtype = FLOAT32, .shape = "nn",
	.operands = { "nn" }, .generators = { "random" },
	.kernel = seed_kernel_row_sums, .result = "n",
	.results = { "values" }, .error = seed_error_row_sums,
	.error_is = "largest |s - sum| / sum |a|",
	.machines = { XEON, XE_MAX }, .sizes = MATRICES,
	.versions = {
		{ .name = "v0", .by = SEED_KERNEL, .number = 0, .published = {
			{ 2.688, .602, 1.294, 5.474, 20.816, 79.719, 315.3 },
			{ 7.844, 47.783, 298.784, 1652.19, 7182.5, 35201.8,
			  191747 } } },
		{ .name = "v1", .by = SEED_KERNEL, .number = 1, .published = {
			{ 1.235, .219, .363, 1.04, 3.746, 14.896, 59.13 },
			{ .536, .531, 1.395, 5.726, 22.359, 101.141,
			  502.316 } } },
		{ .name = "v2", .by = SEED_KERNEL, .number = 2, .published = {
			{ .23, .431, .683, 2.12, 8.167, 32.721, 126.747 },
			{ .617, .624, 1.378, 3.934, 14.186, 54.654,
			  220.202 } } },
		OURS,
	},
}, {
	.name = "max", .article = SIMILARITY,
	.title = "the largest element of a random vector of n",
	.op = "reduce", .params = { "op", "max" },
	.dtype = FLOAT32, .shape = "n",
	.operands = { "n" }, .generators = { "random" },
	.kernel = seed_kernel_max, .result = "",
	.results = { "value" }, .error = seed_error_max,
	.error_is = "|m - max|",
	.machines = { XEON, XE_MAX }, .sizes = VECTORS,
	.versions = {
		{ .name = "v0", .by = SEED_KERNEL, .number = 0, .published = {
			{ .153, .207, .319, .54, .981, 1.853, 3.622, 7.379,
			  14.867, 28.477 },
			{ .588, .758, 1.096, 1.832, 3.315, 6.373, 12.108,
			  23.492, 46.511, 91.242 } } },
		{ .name = "v1", .by = SEED_KERNEL, .number = 1, .published = {
			{ .149, .197, .303, .509, .928, 1.756, 3.421, 7.159,
			  14.027, 27.881 },
			{ .459, .609, .815, 1.2, 2.101, 3.853, 7.278, 13.92,
			  26.941, 53.695 } } },
		{ .name = "v2", .by = SEED_KERNEL, .number = 2, .published = {
			{ .217, .328, .506, .873, 1.439, 2.78, 5.298, 11.136,
			  22.701, 44.979 },
			{ .475, .613, .834, 1.222, 2.155, 3.893, 7.303,
			  13.961, 27.154, 53.736 } } },
		OURS,
	},
}, {
	.name = "update", .article = SIMILARITY,
	.title = "the eigenvector's update v_i *= s_i / max, of n elements",
	.dtype = FLOAT32, .shape = "n",
	.operands = { "n", "n", "" },
	.generators = { "random", "random", "ones" },
	.kernel = seed_kernel_update, .result = "n",
	.error = seed_error_update,
	.error_is = "largest |v - v'| / |v'|",
	.note = "linalgd has no such kernel: a round of eigen is one product "
	        "that scales on its way",
	.machines = { XEON, XE_MAX }, .sizes = VECTORS,
	.versions = {
		{ .name = "v0", .by = SEED_KERNEL, .number = 0, .published = {
			{ 1.057, .122, .169, .236, .397, .71, 1.682, 4.186,
			  8.177, 16.149 },
			{ .096, .107, .109, .153, .295, .437, .902, 1.754,
			  3.447, 6.827 } } },
		{ .name = "v1", .by = SEED_KERNEL, .number = 1, .published = {
			{ .124, .134, .167, .262, .382, .828, 1.878, 4.164,
			  8.156, 16.293 },
			{ .1, .11, .112, .18, .301, .496, .885, 1.733, 3.497,
			  6.904 } } },
	},
}, {
	.name = "next-matrix", .article = SIMILARITY,
	.title = "the next matrix D^-1 A D of a random n x n matrix",
	.op = "eigen", .params = { "method", "similarity", "max_iterations",
	                           "1", "allow_partial", "true" },
	.dtype = FLOAT32, .shape = "nn",
	.operands = { "nn", "n" }, .generators = { "random", "random" },
	.kernel = seed_kernel_next, .result = "nn",
	.error = seed_error_next,
	.error_is = "largest |a - a'| / |a'|",
	.note = "linalgd leaves the matrix as it is: its column is a whole "
	        "eigen of one round instead, five kernels of the articles' "
	        "in one",
	.machines = { XEON, XE_MAX }, .sizes = MATRICES,
	.versions = {
		{ .name = "final", .by = SEED_KERNEL, .published = {
			{ .152, .23, .504, 1.699, 6.497, 25.806, 103.048 },
			{ .059, .064, .092, .192, .594, 2.412, 9.962 } } },
		{ .name = "linalgd", .by = SEED_OURS, .unjudged = true },
	},
}, {
	.name = "stop", .article = SIMILARITY,
	.title = "the stop criterion: are neighbours of n sums alike?",
	.dtype = FLOAT32, .shape = "n",
	.operands = { "n", "" }, .generators = { "random", "ones" },
	.kernel = seed_kernel_stop, .result = "", .result_dtype = INT32,
	.error = seed_error_stop, .error_is = "|answer - right answer|",
	.note = "linalgd has no such kernel: a round of eigen brings the "
	        "bracket of all sums with it",
	.machines = { XEON, XE_MAX }, .sizes = VECTORS,
	.versions = {
		{ .name = "v0", .by = SEED_KERNEL, .number = 0 },
		{ .name = "shuffle", .by = SEED_KERNEL, .number = 1,
		  .published = {
			{ .707, .85, 1.435, 2.615, 5.072, 9.812, 19.469,
			  38.686, 77.394, 154.021 },
			{ .676, .634, .84, 1.248, 2.246, 3.964, 7.339,
			  13.655, 26.739, 54.011 } } },
	},
}, {
	.name = "eigen", .article = SIMILARITY,
	.title = "largest eigenvalue and its vector, Hilbert's n x n matrix",
	/* The article stops at differences of 1e-3, with eigenvalues of
	 * 2.2 to 2.6. */
	.op = "eigen", .params = { "tol", "4.4e-4" },
	.dtype = FLOAT32, .shape = "nn",
	.operands = { "nn" }, .generators = { "hilbert" },
	.results = { "eigenvalue", "eigenvector" },
	.error = seed_error_eigen,
	.error_is = "largest |A v - lambda v|, of max |v| = 1",
	.note = "rounds are counted from 0, as the article does; v0 to v2 "
	        "count the product that judges their vector, too",
	.machines = { XEON, XE_MAX }, .sizes = MATRICES,
	.rounds = { 9, 10, 12, 13, 14, 15, 17 },
	.versions = {
		{ .name = "v0", .by = SEED_VARIANT, .variant = "seed-v0" },
		{ .name = "v1", .by = SEED_VARIANT, .variant = "seed-v1" },
		{ .name = "v2", .by = SEED_VARIANT, .variant = "seed-v2",
		  .published = {
			{ 11, 6, 17, 54, 213, 911, 4052 },
			{ 13, 9, 14, 35, 130, 535, 2373 } } },
		OURS,
	},
}, {
	.name = "lu", .article = LU,
	.title = "LU decomposition of a random 1024 x 1024 matrix",
	.op = "lu", .dtype = FLOAT32, .shape = "nn",
	.operands = { "nn" }, .generators = { "random" },
	.results = { "lu", "pivots" }, .error = seed_error_lu,
	.error_is = "max |P A - L U|",
	.note = "v0 and v1 do not pivot; linalgd does",
	.machines = { SKYLAKE }, .sizes = { 1024 },
	.versions = {
		{ .name = "v0 naive", .by = SEED_VARIANT,
		  .variant = "seed-v0", .published = { { 3870 } },
		  .deviation = { .0339518 } },
		{ .name = "v1 improved", .by = SEED_VARIANT,
		  .variant = "seed-v1", .published = { { 162 } },
		  .deviation = { .498501 } },
		OURS,
	},
}, {
	.name = "matmul", .article = MATMUL,
	.title = "product of two random 1024 x 1024 matrices",
	.op = "matmul", .dtype = FLOAT32, .shape = "nnn",
	.operands = { "nn", "nn" }, .generators = { "random", "random" },
	.results = { "c" }, .error = seed_error_matmul,
	.error_is = "largest |c - sum| / sum |a b|, some rows",
	.machines = { SKYLAKE, XE_MAX }, .sizes = { 1024 },
	.versions = {
		{ .name = "v0 naive", .by = SEED_VARIANT, .variant = "naive",
		  .published = { { 519 }, { 225 } } },
		{ .name = "v1 local-tile", .by = SEED_VARIANT,
		  .variant = "local-tile", .published = { { 330 }, { 21 } } },
		{ .name = "v2 subgroup", .by = SEED_VARIANT,
		  .variant = "subgroup-broadcast",
		  .published = { { 119 }, { 18 } } },
		OURS,
	},
}, {
	.name = "reductions", .article = REDUCTION,
	.title = "sum of 10 x 1024 x 1024 integers, all of them 1",
	.op = "reduce", .params = { "op", "sum" },
	.dtype = INT32, .shape = "n",
	.operands = { "n" }, .generators = { "ones" },
	.results = { "value" }, .error = seed_error_sum,
	.error_is = "|sum - n|",
	.note = "the guide published no figures",
	.sizes = { 10 << 20 },
	.versions = {
		REDUCTION_BY("serial"), REDUCTION_BY("atomic"),
		REDUCTION_BY("chunk"), REDUCTION_BY("strided"),
		REDUCTION_BY("strided-many"), REDUCTION_BY("tree-1"),
		REDUCTION_BY("tree-2"), REDUCTION_BY("builtin"),
		REDUCTION_BY("blocked-serial"), REDUCTION_BY("blocked-tree"),
		REDUCTION_BY("blocked-builtin"),
		REDUCTION_BY("subgroup-load"), OURS,
	},
},
{ 0 }
};
