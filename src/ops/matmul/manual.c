/* manual.c - what the pages on products say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_matmul = {
	.mathematics =
		"C = A B with c_ij = Σ_k a_ik b_kj for an m x k matrix A and "
		"a k x n matrix B, of their transposes with transpose_a and "
		"transpose_b. A vector on the left is a row, one on the "
		"right a column. Of stacks matching matrices are multiplied; "
		"leading dimensions are equal, or 1, which is repeated.",
	.work =
		"2 m n k operations for each product. At the least A, B and "
		"C are moved once.",
	.verdict =
		"|C - A B| is at most k ε |A| |B| element by element, and with "
		"precision=tf32 about 2⁻¹⁰ |A| |B|. Large float64 products on "
		"NVIDIA's tensor cores are computed by residues only where "
		"their error is proved to be at most 6 √k 2⁻⁵³ |A| |B|. With "
		"precision=fast they take fewer residues and no proof, and "
		"error_bound tells a bound on |c_ij - (A B)_ij| / (|a_i| "
		"|b_j|), with the 2-norms of rows of A and columns of B; "
		"without precision=fast matmul has no verdict.",
	.source =
		"Packed panels on CPUs: Goto and van de Geijn (2008). "
		"Stream-K: Osama and others (2023). float32 as three "
		"products in TF32: Ootomo and Yokota (2022). float64 by "
		"residues: Ozaki, Uchino and Imamura (2025). naive and "
		"local-tile: Speeding up Matrix Multiplication on GPGPU "
		"(2021).",
	.see = "matmul.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "the inner sizes differ, or leading dimensions differ and "
		  "neither is 1" },
		{ ERR_MATHEMATICS,
		  "dtype is int32 or int64, and an element of the product is "
		  "beyond that type" },
		{ 0 }
	},
};
