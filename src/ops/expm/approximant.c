/* approximant.c - the Pade approximant on the device; see device.c. */
#include "ops/blas/gemm.h"
#include "ops/expm/device.h"
#include "ops/expm/expm.h"

/* c = a b */
void expm_times(const struct expm_task *t, struct buf a, struct buf b,
                struct buf c)
{
	const struct blas_part x = { .b = a, .ld = t->n };
	const struct blas_part y = { .b = b, .ld = t->n };
	const struct blas_part z = { .b = c, .ld = t->n };

	blas_gemm(t->s, &(struct blas_gemm){ .stack = 1, .m = t->n, .n = t->n,
	          .k = t->n, .alpha = 1 }, &x, &y, &z);
}

/* to (+)= c[0] I + c[1] A^2 + c[2] A^4 + c[3] A^6 + c[4] a8 */
static void combine(const struct expm_task *t, const double c[5], struct buf a8,
                    bool add, struct buf to)
{
	seq_launch(t->s, "expm_combine", EXPM_BY_ELEMENTS(t), ARG_BUF(t->a2),
	           ARG_BUF(t->a4), ARG_BUF(t->a6), ARG_BUF(a8),
	           EXPM_REAL(t, c[0]), EXPM_REAL(t, c[1]), EXPM_REAL(t, c[2]),
	           EXPM_REAL(t, c[3]), EXPM_REAL(t, c[4]), ARG_INT(t->n),
	           ARG_INT(add), ARG_BUF(to));
}

/* w = U / A, v = V */
static void polynomials(const struct expm_task *t, int m,
                        const double c[EXPM_MOST_DEGREE + 1])
{
	double odd[5] = { 0 }, even[5] = { 0 };

	for (int k = 0; k <= m && k < 10; k++)
		(k % 2 ? odd : even)[k / 2] = c[k];
	if (m < EXPM_MOST_DEGREE) {
		if (m == 9)
			expm_times(t, t->a4, t->a4, t->u);
		combine(t, odd, t->u, false, t->w);
		combine(t, even, t->u, false, t->v);
		return;
	}
	odd[4] = even[4] = 0;
	/* U / A = A6 (c13 A6 + c11 A4 + c9 A2) + c7 A6 + c5 A4 + c3 A2 + c1 */
	combine(t, (double[]){ 0, c[9], c[11], c[13], 0 }, t->a2, false, t->u);
	expm_times(t, t->a6, t->u, t->w);
	combine(t, odd, t->a2, true, t->w);
	/* V = A6 (c12 A6 + c10 A4 + c8 A2) + c6 A6 + c4 A4 + c2 A2 + c0 */
	combine(t, (double[]){ 0, c[8], c[10], c[12], 0 }, t->a2, false, t->u);
	expm_times(t, t->a6, t->u, t->v);
	combine(t, even, t->a2, true, t->v);
}

void expm_approximate(struct expm_task *t, int degree)
{
	const size_t lanes = seq_sheet(t->s)->type == DEVICE_CPU ? 1 :
	                     EXPM_GROUP;
	double c[EXPM_MOST_DEGREE + 1];

	expm_coefficients(degree, c);
	polynomials(t, degree, c);
	expm_times(t, t->a1, t->w, t->u);
	seq_launch(t->s, "expm_denominator", GRID2(t->n, t->n, EXPM_TILE,
	           EXPM_TILE), ARG_BUF(t->v), ARG_BUF(t->u), ARG_INT(t->n),
	           ARG_BUF(t->w));
	/* P Q^T = L U */
	(*(const bool *)t->a->variant->how ? lu_factor_spread :
	                                     lu_factor_tiled)(t->s, &t->f);
	lu_refactored(&t->how);
	seq_launch(t->s, "solve_places",
	           GRID2(lanes == 1 ? 1 : t->n, 1, lanes, 1),
	           ARG_BUF(t->f.swaps), ARG_INT(t->n), ARG_BUF(t->place));
	seq_launch(t->s, "expm_numerator", EXPM_BY_ELEMENTS(t), ARG_BUF(t->v),
	           ARG_BUF(t->u), ARG_INT(t->n), ARG_BUF(t->place),
	           ARG_BUF(t->a4));
	lu_substitute(&t->how, t->a4, t->n);
}
