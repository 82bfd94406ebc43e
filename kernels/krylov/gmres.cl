/* gmres.cl - GMRES with restarts (Y. Saad, M. H. Schultz 1986), with classical
 * Gram-Schmidt orthogonalization done twice (W. Kahan; L. Giraud and others
 * 2005). `basis` holds m + 1 vectors of n elements one after the other, g the
 * numbers that shared/krylov_state.h describes. Vectors are worked on as in
 * krylov.h; w is the newest one, v_k, which is made orthogonal to the k vectors
 * before it. */
#include "krylov/krylov.h"

#define BASIS STATE, int n, int block, int k, global const real *basis

/* Part c of part[] is a part of v_c^T w, for c < k. Launch: a work-group per
 * block. */
kernel void gmres_project(BASIS, global const real *restrict w,
                          global wide *restrict part)
{
	local wide room[KRYLOV_ITEMS];

	if (state[K_DONE] != K_GOES_ON)
		return;
	for (int c = 0; c < k; c++) {
		global const real *v = basis + (size_t)c * n;
		wide sum = 0;

		{
			ANY_ORDER
			EACH(i)
				sum += (wide)v[i] * w[i];
		}
		put_part(sum, room, part, c);
	}
}

/* w = w - sum of new_c v_c; parts of w^T w. Launch: a work-group per block. */
kernel void gmres_subtract(BASIS, global const wide *restrict g, int m,
                           global real *restrict w, global wide *restrict part)
{
	local wide room[KRYLOV_ITEMS];
	wide sum = 0;

	if (state[K_DONE] != K_GOES_ON)
		return;
	for (int c = 0; c < k; c++) {
		global const real *v = basis + (size_t)c * n;
		const real h = (real)g[GMRES_NEW(m) + c];

		EACH(i)
			w[i] = fma(-h, v[i], w[i]);
	}
	{
		ANY_ORDER
		EACH(i)
			sum += (wide)w[i] * w[i];
	}
	put_part(sum, room, part, 0);
}

/* v_k = w = w / |w|, the norm being K_STEP. Launch: a work-group per block. */
kernel void gmres_normalize(STATE, int n, int block, int k,
                            global real *restrict basis,
                            global real *restrict w)
{
	const real by = (real)(1 / state[K_STEP]);
	global real *v = basis + (size_t)k * n;

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		v[i] = w[i] = by * w[i];
}

/* Sets the coefficients `new` to the sums of the n parts, and adds them to
 * column k - 1 of R, or sets it with `first`. Launch: one work-group. */
kernel void gmres_fold(STATE, global wide *restrict g, int m, int k, int first,
                       global const wide *restrict part, int n)
{
	local wide room[KRYLOV_ITEMS];
	global wide *column = g + (size_t)(k - 1) * (m + 1);

	if (state[K_DONE] != K_GOES_ON)
		return;
	for (int c = 0; c < k; c++) {
		const wide sum = sum_of_parts(part, n, c, room);

		if (get_local_id(0) == 0) {
			g[GMRES_NEW(m) + c] = sum;
			column[c] = first ? sum : column[c] + sum;
		}
	}
}

/* Begins a cycle: the norm of r, the first vector. Launch: one work-group. */
kernel void gmres_begin(global wide *restrict state, global wide *restrict g,
                        int m, global const wide *restrict part, int n)
{
	local wide room[KRYLOV_ITEMS];
	const wide norm = sqrt(sum_of_parts(part, n, 0, room));

	if (get_local_id(0) != 0 || state[K_DONE] != K_GOES_ON)
		return;
	state[K_NORM] = state[K_STEP] = norm;
	g[GMRES_SIDE(m)] = norm;
	if (!isfinite(norm))
		state[K_DONE] = K_BEYOND;
	else if (!(norm > 0))
		state[K_DONE] = K_SMALL;
}

/* Turns column k - 1 of R by all rotations before and by a new one, and ends an
 * iteration. The cycle ends if the residual is small, if the space is invariant
 * (h_{k+1,k} is negligible beside the longest column of H, whose lengths the
 * rotations keep) or at the limit. Launch: one work-group. */
kernel void gmres_rotate(global wide *restrict state, global wide *restrict g,
                         int m, int k, global const wide *restrict part, int n)
{
	local wide room[KRYLOV_ITEMS];
	const wide below = sqrt(sum_of_parts(part, n, 0, room));
	global wide *r = g + (size_t)(k - 1) * (m + 1);
	global wide *cosine = g + GMRES_COS(m), *sine = g + GMRES_SIN(m);
	global wide *side = g + GMRES_SIDE(m);
	wide length, norm, square = 0;

	if (get_local_id(0) != 0 || state[K_DONE] != K_GOES_ON)
		return;
	for (int i = 0; i < k - 1; i++) {
		const wide x = r[i], y = r[i + 1];

		r[i] = cosine[i] * x + sine[i] * y;
		r[i + 1] = cosine[i] * y - sine[i] * x;
		square += r[i] * r[i];
	}
	length = hypot(r[k - 1], below);
	cosine[k - 1] = length > 0 ? r[k - 1] / length : 1;
	sine[k - 1] = length > 0 ? below / length : 0;
	r[k - 1] = length;
	side[k] = -sine[k - 1] * side[k - 1];
	side[k - 1] = cosine[k - 1] * side[k - 1];
	norm = fabs(side[k]);
	state[K_SPAN] = fmax(state[K_SPAN], sqrt(square + length * length));
	state[K_STEP] = below;
	state[K_NORM] = norm;
	state[K_ITERATIONS] += 1;
	state[K_HISTORY + (int)state[K_ITERATIONS] % KRYLOV_KEPT] = norm;
	if (!isfinite(norm) || !isfinite(length))
		state[K_DONE] = K_BEYOND;
	else if (norm <= state[K_GOAL])
		state[K_DONE] = K_SMALL;
	else if (state[K_ITERATIONS] >= state[K_LIMIT])
		state[K_DONE] = K_LIMIT_REACHED;
	else if (k == m || below <= state[K_EPSILON] * state[K_SPAN])
		state[K_DONE] = K_CYCLE;
}

/* Solves R y = g for k unknowns, in place in g. Unknowns of which R knows
 * nothing are 0. Launch: one work-item. */
kernel void gmres_solve(STATE, global wide *restrict g, int m, int k)
{
	global wide *y = g + GMRES_SIDE(m);
	wide most = 0;

	for (int c = 0; c < k; c++)
		most = fmax(most, fabs(g[(size_t)c * (m + 1) + c]));
	for (int c = k - 1; c >= 0; c--) {
		global const wide *r = g + (size_t)c * (m + 1);

		y[c] = fabs(r[c]) > state[K_EPSILON] * most ? y[c] / r[c] : 0;
		for (int i = 0; i < c; i++)
			y[i] -= r[i] * y[c];
	}
}

/* z = the sum of y_c v_c, c < k. Launch: a work-group per block. */
kernel void gmres_combine(global const wide *restrict g, int m, int n,
                          int block, int k, global const real *restrict basis,
                          global real *restrict z)
{
	EACH(i)
		z[i] = 0;
	for (int c = 0; c < k; c++) {
		global const real *v = basis + (size_t)c * n;
		const real y = (real)g[GMRES_SIDE(m) + c];

		EACH(i)
			z[i] = fma(y, v[i], z[i]);
	}
}
