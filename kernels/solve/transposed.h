/* transposed.h - solves for the probes of solve_told.h with the transpose of an
 * LU factorization in T (lu/cpu.h) on a CPU: b = A^-T b, where a row of b is
 * one real4.
 *
 * Row k of b belongs to column k of T. Columns of T are stored side by side in
 * blocks, so that a line of a block, once read, serves a step of VW rows of
 * b. */
#ifndef KERNELS_SOLVE_TRANSPOSED_H
#define KERNELS_SOLVE_TRANSPOSED_H

#include "lu/cpu.h"
#include "shared/solve_told.h"

#if VW == 16
typedef float4 real4;
#else
typedef double4 real4;
#endif

/* The VW rows of b that belong to a block of T. */
struct rows4 {
	real4 b[VW];
};

/* b[to + z] minus the sum of t[i][z] b[i], for the lanes z of T's block t and
 * its rows i, from <= i < end. b consists of whole blocks of rows. */
static struct rows4 block_gather(global const real *t, int from, int end,
                                 global const real4 *b, int to)
{
	realv s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	real c0[VW], c1[VW], c2[VW], c3[VW];
	struct rows4 s;

	for (int i = from; i < end; i++) {
		const realv line = VLOAD(t + (size_t)i * VW);
		const real4 x = b[i];

		s0 += line * x.x;
		s1 += line * x.y;
		s2 += line * x.z;
		s3 += line * x.w;
	}
	VSTORE(s0, c0);
	VSTORE(s1, c1);
	VSTORE(s2, c2);
	VSTORE(s3, c3);
#pragma unroll
	for (int z = 0; z < VW; z++)
		s.b[z] = b[to + z] - (real4)(c0[z], c1[z], c2[z], c3[z]);
	return s;
}

/* b = U^-T b. In the diagonal block each solved row is subtracted at once from
 * the rows after it, so that few steps wait for each other. */
static void upper_transposed(global const real *t, int ld, int n,
                             global real4 *b)
{
	for (int j = 0; j < n; j += VW, t += (size_t)ld * VW) {
		global const real *u = t + (size_t)j * VW;
		struct rows4 s = block_gather(t, 0, j, b, j);

#pragma unroll
		for (int z = 0; z < VW; z++) {
			s.b[z] /= j + z < n ? u[z * VW + z] : 1;
#pragma unroll
			for (int y = z + 1; y < VW; y++)
				s.b[y] -= u[z * VW + y] * s.b[z];
			b[j + z] = s.b[z];
		}
	}
}

/* b = P^T L^-T b: panel by panel of nb columns, the last one first. Each panel
 * was factored after its own swaps and before later ones, so these are undone
 * panel by panel. */
static void lower_transposed(global const real *t, int ld, int n, int nb,
                             global const int *swaps, global real4 *b)
{
	for (int j = (n - 1) / nb * nb; j >= 0; j -= nb) {
		const int end = min(j + nb, n);

		for (int c = (end - 1) / VW * VW; c >= j; c -= VW) {
			global const real *l = t + ((size_t)c / VW * ld + c) *
			                           VW;
			struct rows4 s = block_gather(l - (size_t)c * VW,
			                              min(c + VW, n), n, b,
			                              c);

#pragma unroll
			for (int z = VW - 1; z >= 0; z--) {
#pragma unroll
				for (int y = 0; y < z; y++)
					s.b[y] -= l[z * VW + y] * s.b[z];
				b[c + z] = s.b[z];
			}
		}
		for (int k = end - 1; k >= j; k--) {
			const real4 x = b[k];

			b[k] = b[swaps[k]];
			b[swaps[k]] = x;
		}
	}
}

#endif
