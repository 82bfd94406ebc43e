/* structure.c - finds out which structure the matrices of a call have. */
#include "ops/solve/structure.h"

enum solve_kind solve_named(const struct args *a)
{
	static const enum solve_kind kinds[] = {
		[STRUCTURE_AUTO] = KIND_GENERAL,
		[STRUCTURE_GENERAL] = KIND_GENERAL,
		[STRUCTURE_SYMMETRIC] = KIND_SYMMETRIC,
		[STRUCTURE_SPD] = KIND_SPD,
		[STRUCTURE_LOWER] = KIND_LOWER,
		[STRUCTURE_UPPER] = KIND_UPPER,
	};

	return a->in[SOLVE_A].ndim == MATRIX_ABSENT ? KIND_FACTORS :
	       kinds[(int)a->param[SOLVE_P_STRUCTURE]];
}

enum solve_kind solve_kind_in(const struct args *a, const struct variant *v)
{
	const enum solve_kind named = solve_named(a);

	return named != KIND_FACTORS && v && v->how ? KIND_GENERAL : named;
}

#define LAPACK_BODY "ops/solve/structure_real.h"
#include "ops/lapack/each_type.h"

enum solve_kind solve_kind_of(const struct args *a, const struct sheet *d)
{
	const enum solve_kind named = solve_kind_in(a, a->variant);
	const struct systems y = systems_of(NULL, a);
	const size_t cores = d->compute_units;
	unsigned shows;

	if (named != KIND_GENERAL || d->type != DEVICE_CPU ||
	    y.n < SOLVE_TRIANGLE_ROWS * cores || y.columns > SOLVE_FEW ||
	    a->param[SOLVE_P_STRUCTURE] != STRUCTURE_AUTO)
		return named;
	shows = (a->dtype == FLOAT32 ? look_s : look_d)
	        (a, y.n >= SOLVE_SPD_ROWS * cores);
	for (enum solve_kind k = KIND_LOWER; k <= KIND_SPD; k++)
		if (shows >> k & 1)
			return k;
	return KIND_GENERAL;
}
