/* reflections_real.h - reflections_times_s() and reflections_times_d(). */

/* Writes reflection i, v, to a column of V that has `rows` elements. Its
 * element i is 1, those above lie in A above the diagonal, the ones below are
 * 0. Where tau is 0, the reflection is I, and so is that of v = 0. */
static void TYPED(unpack)(const struct reflections *r, int i, real *v,
                          size_t rows)
{
	const size_t above = (size_t)i;
	const real *a = (const real *)r->a + (above + 1) * (size_t)r->ld;
	const bool none = ((const real *)r->tau)[i] == 0;

	memset(v, 0, rows * sizeof *v);
	if (none)
		return;
	memcpy(v, a, above * sizeof *v);
	v[above] = 1;
}

/* Z = (I - V U^-T V^T) Z for reflections `first` to first + k - 1. */
static void TYPED(times_block)(const struct reflections *r, int first, int k,
                               real *z, int columns)
{
	static const real one = 1, minus_one = -1, zero = 0;
	const int rows = first + k;
	real *v = r->room, *u = v + (size_t)rows * (size_t)k;
	real *w = u + BLOCK * BLOCK;	/* V^T Z */

	for (int j = 0; j < k; j++)
		TYPED(unpack)(r, first + j, v + (size_t)j * (size_t)rows,
		              (size_t)rows);
	OF(r->l)->syrk("U", "T", &k, &rows, &one, v, &rows, &zero, u, &k);
	for (int j = 0; j < k; j++) {
		const real tau = ((const real *)r->tau)[first + j];

		u[j * (k + 1)] = tau != 0 ? 1 / tau : 1;
	}
	OF(r->l)->gemm("T", "N", &k, &columns, &rows, &one, v, &rows, z, &r->ld,
	               &zero, w, &k);
	OF(r->l)->trsm("L", "U", "T", "N", &k, &columns, &one, u, &k, w, &k);
	OF(r->l)->gemm("N", "N", &rows, &columns, &k, &minus_one, v, &rows, w,
	               &k, &one, z, &r->ld);
}

void TYPED(reflections_times)(const struct reflections *r, real *z, int columns)
{
	for (int i = 0; i < r->n - 1; i += BLOCK)
		TYPED(times_block)(r, i, (int)size_min(BLOCK,
		                   (size_t)(r->n - 1 - i)), z, columns);
}
