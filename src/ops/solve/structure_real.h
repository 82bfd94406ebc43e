/* structure_real.h - the structures that matrices show, in one of the two types
 * (ops/lapack/each_type.h). */

/* Returns the kinds of `left` that row i of a does not contradict; bit k of
 * either is enum solve_kind k. */
static unsigned TYPED(look_at)(const real *a, size_t n, size_t i,
                               unsigned left)
{
	const unsigned lower = 1u << KIND_LOWER, upper = 1u << KIND_UPPER;
	const unsigned spd = 1u << KIND_SPD;
	const real *row = a + i * n;

	if (!(row[i] > 0))
		left &= ~spd;
	for (size_t j = 0; j < i && left & (upper | spd); j++) {
		if (row[j] != 0)
			left &= ~upper;
		if (row[j] != a[j * n + i])
			left &= ~spd;
	}
	for (size_t j = i + 1; j < n && left & lower; j++)
		if (row[j] != 0)
			left &= ~lower;
	return left;
}

/* Returns the kinds that all matrices of the stack show, as bits. KIND_SPD is
 * looked for only if `spd`. */
static unsigned TYPED(look)(const struct args *a, bool spd)
{
	const struct matrix *m = &a->in[SOLVE_A];
	const size_t n = matrix_rows(m);
	const real *at = matrix_data(m);
	unsigned left = 1u << KIND_LOWER | 1u << KIND_UPPER |
	                (spd ? 1u << KIND_SPD : 0);

	for (size_t k = 0; k < matrix_stack(m) && left; k++, at += n * n)
		for (size_t i = 0; i < n && left; i++)
			left = TYPED(look_at)(at, n, i, left);
	return left;
}
