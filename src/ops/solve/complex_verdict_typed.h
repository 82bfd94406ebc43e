/* complex_verdict_typed.h - the part of complex_verdict.c that is compiled for
 * both types (ops/lapack/each_complex.h). */

/* Returns the largest |b - op(A) x| / |x| of a column, in the 1-norm.
 * Overwrites B by B - op(A) X. */
static double TYPED(rest_of)(const struct complex_plan *h,
                             const struct TYPED(complex_system) *y)
{
	const int n = (int)h->n, sides = (int)h->sides;
	const number one = 1, minus = -1;
	double worst = 0;

	FORTRAN(gemm)(y->across ? "T" : "N", "N", &n, &sides, &n, &minus, y->a,
	              &n, y->x, &n, &one, y->b, &n);
	for (size_t j = 0; j < h->sides; j++)
		worst = verdict_worse(worst, complex_ratio(
		    TYPED(complex_sum)(y->b + j * h->n, h->n),
		    TYPED(complex_sum)(y->x + j * h->n, h->n)));
	return worst;
}

/* Sets the verdict on a refined X. */
static void TYPED(judge)(const struct lapack_call *c, size_t index,
                         const struct TYPED(complex_system) *y,
                         const struct TYPED(complex_refinement) *q,
                         const struct TYPED(complex_spare) *room)
{
	const struct complex_plan *h = complex_how(c);
	const enum dtype t = c->a->dtype;
	const double eps = dtype_epsilon(t);
	const double rounding = rounding_of(h, y->x, NUMBER_DTYPE, t);
	struct verdict *v = complex_told(c, index);
	double ratio;

	v->rcond = y->rcond > 0 ? y->rcond :
	           TYPED(complex_rcond)(q->solver, h->turned, y->norm,
	                                room->elements, room->numbers + h->n);
	v->forward_error = TYPED(complex_bound)(q->solver, h->turned,
	    q->weight, y->norm, 1, room->elements) + rounding;
	TYPED(complex_round)(y->x, h->n * h->sides, t);
	ratio = (t == NUMBER_DTYPE ? q->ratio : TYPED(rest_of)(h, y)) / y->norm;
	v->residual = ratio / ((double)h->n * eps / 2);
	v->forward_error = solve_forward(v->forward_error, ratio, v->rcond,
	                                 (double)h->n);
	if (!is_finite(h, y->x, NUMBER_DTYPE, t))
		tell_overflow(v);
}

bool TYPED(complex_improve)(const struct lapack_call *c, size_t index,
                            const struct TYPED(complex_solver) *solver,
                            const struct TYPED(complex_system) *y,
                            const struct TYPED(complex_spare) *room)
{
	const struct complex_plan *h = complex_how(c);
	struct TYPED(complex_refinement) q = {
		.solver = solver, .n = h->n, .sides = h->sides,
		.turned = h->turned, .a = y->a, .across = y->across,
		.half = y->half, .sizes = y->sizes, .b = y->b, .x = y->x,
		.weight = room->numbers, .room = room->refined,
	};

	TYPED(complex_refine)(&q);
	if (solver->quick && !(q.error <= 2 * COMPLEX_FEW_ROUNDINGS))
		return false;
	if (complex_is_judged(c))
		TYPED(judge)(c, index, y, &q, room);
	return true;
}
