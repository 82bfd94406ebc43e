/* block.h - VW x VW numbers transposed in registers, by log2(VW)
 * perfect shuffles. Included by kernels for CPUs. */
#ifndef KERNELS_TRANSPOSE_BLOCK_H
#define KERNELS_TRANSPOSE_BLOCK_H

#include "lib/real.h"

#if VW == 16
#define LOW(a, b) (realv)((a).s0, (b).s0, (a).s1, (b).s1, (a).s2, (b).s2, \
	(a).s3, (b).s3, (a).s4, (b).s4, (a).s5, (b).s5, (a).s6, (b).s6,   \
	(a).s7, (b).s7)
#define HIGH(a, b) (realv)((a).s8, (b).s8, (a).s9, (b).s9, (a).sa, (b).sa, \
	(a).sb, (b).sb, (a).sc, (b).sc, (a).sd, (b).sd, (a).se, (b).se,   \
	(a).sf, (b).sf)
#elif VW == 4	/* pairs */
#define LOW(a, b) (realv)((a).s01, (b).s01, (a).s23, (b).s23)
#define HIGH(a, b) (realv)((a).s45, (b).s45, (a).s67, (b).s67)
#else
#define LOW(a, b) (realv)((a).s0, (b).s0, (a).s1, (b).s1, (a).s2, (b).s2, \
	(a).s3, (b).s3)
#define HIGH(a, b) (realv)((a).s4, (b).s4, (a).s5, (b).s5, (a).s6, (b).s6, \
	(a).s7, (b).s7)
#endif

/* Transposes VW rows of VW numbers in place. */
static void transpose_block(realv v[VW])
{
	realv w[VW];

	#pragma unroll
	for (int step = 1; step < VW; step *= 2) {
		#pragma unroll
		for (int i = 0; i < VW / 2; i++) {
			w[2 * i] = LOW(v[i], v[i + VW / 2]);
			w[2 * i + 1] = HIGH(v[i], v[i + VW / 2]);
		}
		#pragma unroll
		for (int i = 0; i < VW; i++)
			v[i] = w[i];
	}
}

#endif
