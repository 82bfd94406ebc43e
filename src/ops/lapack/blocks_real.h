/* blocks_real.h - blocks.c for one of the two types (ops/lapack/each_type.h):
 * the exported xGEMM, xTRSM, xTRMM and xTRTRI, and factorizations by them. */

/* --- C = alpha op(A) op(B) + beta C */

struct TYPED(product) {
	const char *transa, *transb;
	int m, n, k;
	real alpha, beta;
	const real *a, *b;
	real *c;
	int lda, ldb, ldc;
};

/* Cuts the product in two while it is large: between columns of B as long as
 * there are many, because OpenBLAS copies A for every product, and then in the
 * longer one of the other dimensions. The two parts of a sum over k are added
 * one after the other. */
static void TYPED(multiply)(const struct TYPED(product) *p)
{
	struct TYPED(product) first = *p, then = *p;
	const bool columns = p->n > MANY, rows = !columns && p->m >= p->k;
	const int half = (columns ? p->n : rows ? p->m : p->k) / 2;
	const ptrdiff_t to = half;

	if (!is_large(p->m, p->n, p->k)) {
		escape_poll();
		OF(&inner)->gemm(p->transa, p->transb, &p->m, &p->n, &p->k,
		                 &p->alpha, p->a, &p->lda, p->b, &p->ldb,
		                 &p->beta, p->c, &p->ldc);
		return;
	}
	if (rows) {
		first.m = half;
		then.m -= half;
		then.a += is(p->transa, 'N') ? to : to * p->lda;
		then.c += to;
	} else if (columns) {
		first.n = half;
		then.n -= half;
		then.b += is(p->transb, 'N') ? to * p->ldb : to;
		then.c += to * p->ldc;
	} else {
		first.k = half;
		then.k -= half;
		then.a += is(p->transa, 'N') ? to * p->lda : to;
		then.b += is(p->transb, 'N') ? to : to * p->ldb;
		then.beta = 1;
	}
	TYPED(multiply)(&first);
	TYPED(multiply)(&then);
}

void FORTRAN(gemm)(const char *transa, const char *transb, const int *m,
                   const int *n, const int *k, const real *alpha,
                   const real *a, const int *lda, const real *b,
                   const int *ldb, const real *beta, real *c, const int *ldc)
{
	const struct TYPED(product) p = {
		.transa = transa, .transb = transb, .m = *m, .n = *n, .k = *k,
		.alpha = *alpha, .beta = *beta, .a = a, .b = b, .c = c,
		.lda = *lda, .ldb = *ldb, .ldc = *ldc,
	};

	TYPED(multiply)(&p);
}

/* --- triangles: B = alpha op(A)^-1 B and the like. Columns of B, or its rows
 * where A is on the right, do not depend on each other. */

#define TRIANGULAR(routine)                                                  \
void FORTRAN(routine)(const char *side, const char *uplo, const char *trans, \
                      const char *diag, const int *m, const int *n,          \
                      const real *alpha, const real *a, const int *lda,      \
                      real *b, const int *ldb)                               \
{                                                                            \
	const bool left = is(side, 'L');                                     \
	const int order = left ? *m : *n, sides = left ? *n : *m;            \
	const int most = is_large(order, order, sides) ?                     \
	    (int)fmax(LARGE / order / order, NARROW) : sides;                \
                                                                             \
	for (int at = 0, some; at < sides; at += some) {                     \
		real *const to = b + (left ? (ptrdiff_t)at * *ldb : at);     \
                                                                             \
		some = sides - at < most ? sides - at : most;                \
		escape_poll();                                               \
		OF(&inner)->routine(side, uplo, trans, diag,                 \
		                    left ? m : &some, left ? &some : n,      \
		                    alpha, a, lda, to, ldb);                 \
	}                                                                    \
}

TRIANGULAR(trsm)
TRIANGULAR(trmm)
#undef TRIANGULAR

/* --- the inverse of a triangle: of two halves on the diagonal, and between
 * them -A11^-1 A12 A22^-1 or -A22^-1 A21 A11^-1 */

void FORTRAN(trtri)(const char *uplo, const char *diag, const int *n, real *a,
                    const int *lda, int *info)
{
	const int half = *n / 2, rest = *n - half;
	const ptrdiff_t to = half, ld = *lda;
	const real one = 1, minus = -1;
	const bool upper = is(uplo, 'U');
	const real *const last = a + to * ld + to;
	real *const beside = a + (upper ? to * ld : to);
	const int *const rows = upper ? &half : &rest;
	const int *const columns = upper ? &rest : &half;

	if (*n <= WHOLE || !escape_here) {
		escape_poll();
		OF(&inner)->trtri(uplo, diag, n, a, lda, info);
		return;
	}
	FORTRAN(trtri)(uplo, diag, &half, a, lda, info);
	if (*info == 0)
		FORTRAN(trtri)(uplo, diag, &rest, a + to * ld + to, lda, info);
	else
		return;
	if (*info > 0) {
		*info += half;
		return;
	}
	FORTRAN(trmm)("L", uplo, "N", diag, rows, columns, &minus,
	              upper ? a : last, lda, beside, lda);
	FORTRAN(trmm)("R", uplo, "N", diag, rows, columns, &one,
	              upper ? last : a, lda, beside, lda);
}

/* --- A = L L^T or A = U^T U. A's rows and columns are halved, and the halves
 * are factored in the same way:
 *
 *     L11 L11^T = A11,    L21 = A21 L11^-T,    L22 L22^T = A22 - L21 L21^T
 *
 * Triangular systems are halved, too, so that xGEMM does most of the work:
 * OpenBLAS's xTRSM takes twice as long for the same operations if the triangle
 * is small. */

/* B = U^-T B, which is k x sides, or B = B L^-T, which is sides x k. */
static void TYPED(behind)(bool upper, int k, int sides, const real *l, real *b,
                          int lda)
{
	const int half = half_of(k), rest = k - half;
	const ptrdiff_t to = half, ld = lda;
	const real one = 1, minus = -1;
	real *const last = b + (upper ? to : to * ld);

	if (k <= LEAF) {
		FORTRAN(trsm)(upper ? "L" : "R", upper ? "U" : "L", "T", "N",
		              upper ? &k : &sides, upper ? &sides : &k, &one,
		              l, &lda, b, &lda);
		return;
	}
	TYPED(behind)(upper, half, sides, l, b, lda);
	if (upper)
		FORTRAN(gemm)("T", "N", &rest, &sides, &half, &minus,
		              l + to * ld, &lda, b, &lda, &one, last, &lda);
	else
		FORTRAN(gemm)("N", "T", &sides, &rest, &half, &minus, b, &lda,
		              l + to, &lda, &one, last, &lda);
	TYPED(behind)(upper, rest, sides, l + to * ld + to, last, lda);
}

/* The n x n triangle A -= U^T U or L L^T, of k rows of U or columns of L. */
static void TYPED(downdate)(bool upper, int n, int k, const real *l, real *a,
                            int lda)
{
	const int half = half_of(n), rest = n - half;
	const ptrdiff_t to = half, ld = lda;
	const real one = 1, minus = -1;
	const real *const last = l + (upper ? to * ld : to);

	if (!is_large(n, n, k)) {
		escape_poll();
		OF(&inner)->syrk(upper ? "U" : "L", upper ? "T" : "N", &n, &k,
		                 &minus, l, &lda, &one, a, &lda);
		return;
	}
	TYPED(downdate)(upper, half, k, l, a, lda);
	if (upper)
		FORTRAN(gemm)("T", "N", &half, &rest, &k, &minus, l, &lda,
		              last, &lda, &one, a + to * ld, &lda);
	else
		FORTRAN(gemm)("N", "T", &rest, &half, &k, &minus, last, &lda,
		              l, &lda, &one, a + to, &lda);
	TYPED(downdate)(upper, rest, k, last, a + to * ld + to, lda);
}

/* Factors a matrix that is not cut. OpenBLAS does not stop at a diagonal
 * element that is NaN. One becomes NaN if elements to its left overflow, which
 * cannot happen if the matrix is positive definite. */
static int TYPED(factor_leaf)(char uplo, int n, real *a, int lda)
{
	int info = 0;

	OF(&inner)->potrf(&uplo, &n, a, &lda, &info);
	for (int i = 0; i < n && info == 0; i++)
		if (!(a[(ptrdiff_t)i * (lda + 1)] > 0))
			info = i + 1;
	return info;
}

int TYPED(blocks_potrf)(int layout, char uplo, int n, real *a, int lda)
{
	const bool upper = uplo == 'U';
	const int half = half_of(n), rest = n - half;
	const ptrdiff_t to = half, ld = lda;
	real *const beside = a + (upper ? to * ld : to);
	real *const last = a + to * ld + to;
	int info;

	escape_poll();
	if (n <= LEAF)
		return TYPED(factor_leaf)(uplo, n, a, lda);
	info = TYPED(blocks_potrf)(layout, uplo, half, a, lda);
	if (info != 0)
		return info;
	TYPED(behind)(upper, half, rest, a, beside, lda);
	TYPED(downdate)(upper, rest, half, beside, last, lda);
	info = TYPED(blocks_potrf)(layout, uplo, rest, last, lda);
	return info > 0 ? info + half : info;
}

/* --- P A = L U. The columns are halved, and each half is factored in the same
 * way (S. Toledo, "Locality of Reference in LU Decomposition with Partial
 * Pivoting", 1997):
 *
 *     P1 (A11, A21) = (L11, L21) U11,    U12 = L11^-1 (P1 A12)
 *     P2 (A22 - L21 U12) = L22 U22 */

/* B = L^-1 B, for the unit lower triangle of k rows. */
static void TYPED(below)(int k, int sides, const real *l, real *b, int lda)
{
	const int half = half_of(k), rest = k - half;
	const ptrdiff_t to = half;
	const real one = 1, minus = -1;

	if (k <= LEAF) {
		FORTRAN(trsm)("L", "L", "N", "U", &k, &sides, &one, l, &lda, b,
		              &lda);
		return;
	}
	TYPED(below)(half, sides, l, b, lda);
	FORTRAN(gemm)("N", "N", &rest, &sides, &half, &minus, l + to, &lda, b,
	              &lda, &one, b + to, &lda);
	TYPED(below)(rest, sides, l + to * lda + to, b + to, lda);
}

static int TYPED(halves)(int m, int n, real *a, int lda, int *pivots)
{
	const int k = m < n ? m : n, half = half_of(k), next = half + 1;
	const int right = n - half, under = m - half, first = 1, step = 1;
	const ptrdiff_t to = half, ld = lda;
	real *const beside = a + to * ld;
	const real one = 1, minus = -1;
	int info = 0, later;

	escape_poll();
	if (k <= LEAF) {
		OF(&inner)->getrf(&m, &n, a, &lda, pivots, &info);
		return info;
	}
	info = TYPED(halves)(m, half, a, lda, pivots);
	OF(&inner)->laswp(&right, beside, &lda, &first, &half, pivots, &step);
	TYPED(below)(half, right, a, beside, lda);
	FORTRAN(gemm)("N", "N", &under, &right, &half, &minus, a + to, &lda,
	              beside, &lda, &one, beside + to, &lda);
	later = TYPED(halves)(under, right, beside + to, lda, pivots + half);
	for (int i = half; i < k; i++)
		pivots[i] += half;
	OF(&inner)->laswp(&half, a, &lda, &next, &k, pivots, &step);
	return info == 0 && later > 0 ? later + half : info;
}

/* Some versions of OpenBLAS multiply the column below a subnormal pivot by its
 * inverse, which overflows, and others leave the column as it is. Makes all
 * that depends on such a pivot NaN, so that callers notice it. */
static void TYPED(spoil)(int m, int n, real *a, int lda)
{
	const int k = m - 1 < n ? m - 1 : n;
	const ptrdiff_t ld = lda;
	ptrdiff_t j = 0;

	while (j < k && fpclassify(a[j * ld + j]) != FP_SUBNORMAL)
		j++;
	for (ptrdiff_t c = j; j < k && c < n; c++)
		for (ptrdiff_t i = j + 1; i < m; i++)
			a[c * ld + i] = NAN;
}

int TYPED(blocks_getrf)(int layout, int m, int n, real *a, int lda,
                        int *pivots)
{
	int info = 0;

	(void)layout;
	escape_poll();
	if (is_large(m, n, m < n ? m : n))
		info = TYPED(halves)(m, n, a, lda, pivots);
	else
		OF(&inner)->getrf(&m, &n, a, &lda, pivots, &info);
	TYPED(spoil)(m, n, a, lda);
	return info;
}

/* X = U^-1 L^-1 P B, or P^T L^-T U^-T B */
int TYPED(blocks_getrs)(int layout, char trans, int n, int sides,
                        const real *a, int lda, const int *pivots, real *b,
                        int ldb)
{
	const bool turned = trans != 'N';
	const int first = 1, step = turned ? -1 : 1;
	const real one = 1;

	(void)layout;
	if (!turned)
		OF(&inner)->laswp(&sides, b, &ldb, &first, &n, pivots, &step);
	FORTRAN(trsm)("L", turned ? "U" : "L", &trans, turned ? "N" : "U", &n,
	              &sides, &one, a, &lda, b, &ldb);
	FORTRAN(trsm)("L", turned ? "L" : "U", &trans, turned ? "U" : "N", &n,
	              &sides, &one, a, &lda, b, &ldb);
	if (turned)
		OF(&inner)->laswp(&sides, b, &ldb, &first, &n, pivots, &step);
	return 0;
}
