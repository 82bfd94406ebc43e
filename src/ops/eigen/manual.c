/* manual.c - what the pages on eigenvalues say; see ops/manual.h. */
#include "ops/manual.h"

const struct manual manual_eigen = {
	.mathematics =
		"For a square matrix A of order n, eigen answers numbers λ "
		"and vectors x ≠ 0 with A x = λ x. With b the equation is "
		"A x = λ B x, A B x = λ x or B A x = λ x for a hermitian "
		"positive definite B, or β A x = α B x for any B, where "
		"λ = α / β. Left "
		"eigenvectors y satisfy yᴴA = λyᴴ or, with b, yᴴA = λyᴴB, "
		"yᴴAB = λyᴴ or yᴴBA = λyᴴ. "
		"The dominant eigenvalue is one of largest modulus. For a "
		"non-negative matrix and a positive vector x it lies between "
		"the least and the largest of (A x)_i / x_i, which is "
		"`bracket`. A dominant pair has converged when |A v - λ v| "
		"<= tol |λ| for the unit vector v, several eigenpairs when "
		"|A v - λ v| <= tol |A|.",
	.work =
		"A product with A takes 2 n² operations; `iterations` counts "
		"products. Of `all` and of `k` eigenvalues of a dense "
		"matrix, 25 n³ operations are counted, which is what the QR "
		"algorithm takes with vectors; symmetric matrices take less. "
		"Of large sparse matrices 100 products are counted, each of "
		"2 operations for an entry. At the least A is read once.",
	.verdict =
		"residual is |A x - λ x| / (n ε |A|) or, with b, |A x - λ B "
		"x| / (n ε (|A| + |λ| |B|)), |A B x - λ x| / (n ε |A| |B|), "
		"|B A x - λ x| / (n ε |A| |B|) or, with problem=general, "
		"|β A x - α B x| / (n ε max(|α| |B|, |β| |A|)). For the "
		"dominant pair tol may leave it far above 30. orthogonality "
		"is |XᵀX - I| / (n ε), of symmetric matrices without b. "
		"condition is the largest condition number of the answered "
		"eigenvalues, where one is known.",
	.source =
		"Similarity transformations: Optimizing Parallel Similarity "
		"Transformation (2021), with the bracket of Collatz (1942) "
		"and Wielandt (1950). Krylov-Schur: Stewart (2001), for "
		"symmetric matrices thick-restart Lanczos (Wu and Simon "
		"2000). QR algorithm: Braman, Byers and Mathias (2002). "
		"Divide and conquer: Cuppen (1981), Gu and Eisenstat (1995). "
		"Hessenberg form: Quintana-Ortí and van de Geijn (2006). "
		"Tridiagonal form: Dongarra, Sorensen and Hammarling (1989). "
		"QZ algorithm: Moler and Stewart (1973). "
		"On the host LAPACK.",
	.see = "eigen.md",
	.refusals = (const struct refusal[]){
		{ ERR_SHAPE,
		  "a is not square, has no rows, or b has another shape" },
		{ ERR_NONFINITE, "an element of a or b is NaN or infinite" },
		{ ERR_PARAMETER,
		  "k, sigma or method do not go with which, k is larger "
		  "than n, problem asks for b, which is missing, or several "
		  "devices do not compute such a request" },
		{ ERR_NOT_POSITIVE,
		  "b is not positive definite, and problem is not general" },
		{ ERR_MATHEMATICS,
		  "structure=symmetric or several devices, and a is not "
		  "symmetric" },
		{ ERR_CONVERGENCE,
		  "tol was not met within max_iterations, and allow_partial is "
		  "false" },
		{ 0 }
	},
};
