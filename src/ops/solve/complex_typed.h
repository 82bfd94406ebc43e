/* complex_typed.h - the part of complex.c that is compiled for both types
 * (ops/lapack/each_complex.h). */

/* Factors A, solves, refines and judges. In complex64 only, sets *left and
 * leaves the system to complex128. */
static struct failure_detail TYPED(solve)(const struct lapack_call *c,
                                          size_t index,
                                          struct TYPED(complex_system) *y,
                                          const struct TYPED(complex_spare)
                                          *room, bool *left)
{
	const struct complex_plan *h = complex_how(c);
	const struct TYPED(complex_solver) solver = {
		.l = c->l, .n = h->n, .cholesky = h->kind == KIND_SPD,
		.lu = y->lu, .ld = y->ld, .pivots = y->pivots,
	};
	struct failure_detail d;

	TYPED(take)(c, index, y);
	TYPED(measure)(h, y, room->numbers);
	d = (h->kind == KIND_GENERAL || y->half) && isfinite(y->norm) ?
	    solve_nonfinite_sides(c->a, index) : solve_nonfinite(c->a, index);
	if (d.code != ERR_NONE)
		return d;
	if (TYPED(bring_into_range)(h, y))
		TYPED(measure)(h, y, room->numbers);
	if (TYPED(solve_quickly)(c, index, y, room))
		return d;
	d = TYPED(factor)(c, y, left);
	if (d.code != ERR_NONE || *left)
		return d;
	TYPED(take_sides)(c, index, y);
	*left = TYPED(leaves)(h, y->b);
	if (*left)
		return d;
	TYPED(complex_invert)(&solver, h->turned ? 'T' : 'N', h->sides, y->x);
	TYPED(complex_improve)(c, index, &solver, y, room);
	*left = TYPED(leaves)(h, y->x);
	TYPED(complex_store)(y->x, h->n, h->n, h->sides, c->a->dtype,
	                     lapack_out(c->a, 0, index));
	return d;
}

static struct TYPED(complex_system) TYPED(system_of)(
    const struct complex_plan *h, struct complex_room *r,
    struct TYPED(complex_spare) *spare)
{
	const size_t n = h->n;
	const bool refined = !complex_is_triangle(h) &&
	                     h->kind != KIND_FACTORS;
	struct TYPED(complex_system) y = { .up = 1 };

	y.ld = refined ? complex_ld(n, sizeof *y.lu) : n;
	y.copy = complex_array(r, n * n, sizeof *y.copy);
	y.lu = complex_array(r, y.ld * n, sizeof *y.lu);
	y.sizes = complex_array(r, refined ? n * n : 0, sizeof *y.sizes);
	y.b = complex_array(r, n * h->sides, sizeof *y.b);
	y.x = complex_array(r, n * h->sides, sizeof *y.x);
	y.pivots = complex_array(r, n, sizeof *y.pivots);
	spare->elements = complex_array(r, 2 * n, sizeof *spare->elements);
	spare->numbers = complex_array(r, 3 * n + 2 * h->sides,
	                               sizeof *spare->numbers);
	spare->refined = complex_array(r, complex_refine_room(n, h->sides), 1);
	return y;
}
