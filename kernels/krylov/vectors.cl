/* vectors.cl - steps of the Krylov methods on vectors (krylov.h). z = M^-1 r is
 * r itself where neither z nor d is given, and D r where d, the reciprocals of
 * A's diagonal, is. Launch: a work-group per block. */
#include "krylov/krylov.h"

#define BLOCKS int n, int block
#define PARTS BLOCKS, global wide *restrict part

/* r = 2^-exponent b, where b_i is at b[at + i stride]; x = 0; parts of r^T
 * r. */
kernel void krylov_load(global const real *restrict b, long at, long stride,
                        int exponent, global real *restrict r,
                        global real *restrict x, PARTS)
{
	local wide room[KRYLOV_ITEMS];
	wide sum = 0;

	EACH(i) {
		const real v = ldexp(b[at + i * stride], -exponent);

		r[i] = v;
		x[i] = 0;
		sum += (wide)v * v;
	}
	put_part(sum, room, part, 0);
}

/* answer_i = 2^exponent x_i. Sets K_OVERFLOWS if one of them is not finite, and
 * K_UNDERFLOWS if one is rounded because it is subnormal; x_i then becomes what
 * the answer has. */
kernel void krylov_store(global real *restrict x, int exponent,
                         global real *restrict answer, long at, long stride,
                         BLOCKS, global wide *restrict state)
{
	EACH(i) {
		const real v = ldexp(x[i], exponent);
		const real back = ldexp(v, -exponent);

		answer[at + i * stride] = v;
		if (!isfinite(v)) {
			state[K_OVERFLOWS] = 1;
		} else if (back != x[i]) {
			x[i] = back;
			state[K_UNDERFLOWS] = 1;
		}
	}
}

/* to = 2^-exponent from; to and from may be the same. */
kernel void krylov_scale(global const real *from, int exponent,
                         global real *to, BLOCKS)
{
	EACH(i)
		to[i] = ldexp(from[i], -exponent);
}

/* Parts of w^T w and of u^T v. */
kernel void krylov_dots(STATE, global const real *restrict u,
                        global const real *restrict v,
                        global const real *restrict w, PARTS)
{
	local wide room[KRYLOV_ITEMS];
	wide ww = 0, uv = 0;

	if (state[K_DONE] != K_GOES_ON)
		return;
	{
		ANY_ORDER
		EACH(i) {
			ww += (wide)w[i] * w[i];
			uv += (wide)u[i] * v[i];
		}
	}
	put_part(ww, room, part, 0);
	put_part(uv, room, part, 1);
}

/* Parts of r^T r and of x^T x, also when the iteration is done. */
kernel void krylov_norms(global const real *restrict r,
                         global const real *restrict x, PARTS)
{
	local wide room[KRYLOV_ITEMS];
	wide rr = 0, xx = 0;

	{
		ANY_ORDER
		EACH(i) {
			rr += (wide)r[i] * r[i];
			xx += (wide)x[i] * x[i];
		}
	}
	put_part(rr, room, part, 0);
	put_part(xx, room, part, 1);
}

/* z = D r. */
kernel void krylov_diagonal(STATE, global const real *restrict d,
                            global const real *restrict r,
                            global real *restrict z, BLOCKS)
{
	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		z[i] = d[i] * r[i];
}

/* x = x + alpha p, r = r - alpha q; parts of r^T r and r^T z, where z is r or
 * D r. */
kernel void krylov_cg_step(STATE, global const real *restrict p,
                           global const real *restrict q,
                           global const real *restrict d,
                           global real *restrict x, global real *restrict r,
                           PARTS)
{
	local wide room[KRYLOV_ITEMS];
	const real alpha = (real)state[K_ALPHA];
	wide rr = 0, rz = 0;

	if (state[K_DONE] != K_GOES_ON)
		return;
	{
		ANY_ORDER
		EACH(i) {
			const real v = fma(-alpha, q[i], r[i]);

			x[i] = fma(alpha, p[i], x[i]);
			r[i] = v;
			rr += (wide)v * v;
			if (d)
				rz += (wide)v * (d[i] * v);
		}
	}
	put_part(rr, room, part, 0);
	put_part(d ? rz : rr, room, part, 1);
}

/* p = z + beta p. */
kernel void krylov_cg_direction(STATE, global const real *restrict z,
                                global const real *restrict d,
                                global real *restrict p, BLOCKS)
{
	const real beta = (real)state[K_BETA];

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		p[i] = fma(beta, p[i], d ? d[i] * z[i] : z[i]);
}

/* MINRES: v = z / beta. */
kernel void krylov_minres_begin(STATE, global const real *restrict z,
                                global real *restrict v, BLOCKS)
{
	const real by = (real)(1 / state[K_BETA]);

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		v[i] = by * z[i];
}

/* u1 = q - beta / beta_old u1 - alpha / beta u2, the next unscaled Lanczos
 * vector. */
kernel void krylov_minres_lanczos(STATE, global const real *restrict q,
                                  global const real *restrict u2,
                                  global real *restrict u1, BLOCKS)
{
	const wide old = state[K_OLD_BETA];
	const real a = old > 0 ? (real)(state[K_BETA] / old) : 0;
	const real c = (real)(state[K_ALPHA] / state[K_BETA]);

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		u1[i] = fma(-c, u2[i], fma(-a, u1[i], q[i]));
}

/* w1 = (v - epsilon_old w1 - delta w2) / gamma, x = x + phi w1, r = s^2 r -
 * phi_bar c u / beta; then v = z / beta for the next step. Parts of r^T r. */
kernel void krylov_minres_step(STATE, global const real *restrict u,
                               global const real *restrict z,
                               global const real *restrict w2,
                               global real *restrict w1,
                               global real *restrict v,
                               global real *restrict x,
                               global real *restrict r, PARTS)
{
	local wide room[KRYLOV_ITEMS];
	const wide beta = state[K_BETA], sine = state[K_SIN];
	const real by = beta > 0 ? (real)(1 / beta) : 0;
	const real e = (real)state[K_OLD_EPSILON], d = (real)state[K_DELTA];
	const real g = (real)(1 / state[K_GAMMA]), phi = (real)state[K_PHI];
	const real s = (real)(sine * sine);
	const real t = (real)state[K_TO_RESIDUAL];
	wide sum = 0;

	if (state[K_DONE] != K_GOES_ON)
		return;
	{
		ANY_ORDER
		EACH(i) {
			const real w = g * fma(-d, w2[i],
			                       fma(-e, w1[i], v[i]));
			const real rest = fma(t, u[i], s * r[i]);

			w1[i] = w;
			x[i] = fma(phi, w, x[i]);
			v[i] = by * z[i];
			r[i] = rest;
			sum += (wide)rest * rest;
		}
	}
	put_part(sum, room, part, 0);
}

/* BiCGStab: p = r + beta (p - omega v). */
kernel void krylov_bicg_direction(STATE, global const real *restrict r,
                                  global const real *restrict v,
                                  global real *restrict p, BLOCKS)
{
	const real beta = (real)state[K_BETA], omega = (real)state[K_OMEGA];

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		p[i] = fma(beta, fma(-omega, v[i], p[i]), r[i]);
}

/* r = r - alpha v. */
kernel void krylov_bicg_half(STATE, global const real *restrict v,
                             global real *restrict r, BLOCKS)
{
	const real alpha = (real)state[K_ALPHA];

	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		r[i] = fma(-alpha, v[i], r[i]);
}

/* x = x + alpha y + omega z, r = r - omega t; parts of r^T r and shadow^T r.
 * Without a preconditioner z is r as it was before. */
kernel void krylov_bicg_step(STATE, global const real *restrict y,
                             global const real *z,
                             global const real *restrict t,
                             global const real *restrict shadow,
                             global real *restrict x, global real *r,
                             PARTS)
{
	local wide room[KRYLOV_ITEMS];
	const real alpha = (real)state[K_ALPHA], omega = (real)state[K_OMEGA];
	wide rr = 0, sr = 0;

	if (state[K_DONE] != K_GOES_ON)
		return;
	{
		ANY_ORDER
		EACH(i) {
			const real v = fma(-omega, t[i], r[i]);

			x[i] = fma(alpha, y[i], fma(omega, z[i], x[i]));
			r[i] = v;
			rr += (wide)v * v;
			sr += (wide)shadow[i] * v;
		}
	}
	put_part(rr, room, part, 0);
	put_part(sr, room, part, 1);
}

/* x = x + z. */
kernel void krylov_add(STATE, global const real *restrict z,
                       global real *restrict x, BLOCKS)
{
	if (state[K_DONE] != K_GOES_ON)
		return;
	EACH(i)
		x[i] += z[i];
}
