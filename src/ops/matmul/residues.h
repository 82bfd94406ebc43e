/* residues.h - sizes and constants of float64 products by residues.
 * kernels/matmul/nvidia/residues.h describes the method. */
#ifndef OPS_MATMUL_RESIDUES_H
#define OPS_MATMUL_RESIDUES_H

#include "ops/matmul/plan.h"
#include "shared/matmul_tensor.h"

struct residues_layout {
	size_t down, across, tiles;	/* tiles in a column of C, in a row of
					   C, and in all of C */
	size_t lines;			/* rows of A plus columns of B, each
					   rounded up to whole tiles */
	size_t slabs;			/* slabs of k */
	size_t every, bounds;		/* the certificate's product has slabs
					   0, every, 2 every, ...; `bounds` of
					   them */
	size_t chunk, chunks;		/* work-groups that share a line to find
					   its norms take `chunk` of k each;
					   there are `chunks` of them */
	size_t known, words;		/* the bytes of `struct known` that are
					   about lines; the words after them,
					   which are about tiles */
	size_t room;			/* the bytes of both together */
};

/* Returns the layout of a single product, whatever its stack. */
struct residues_layout residues_layout_of(const struct product *p);

/* Fills the table that the kernels read (shared/matmul_tensor.h). */
void residues_table(uint32_t table[RESIDUES_WORDS]);

/* Returns the largest error that the certificate allows for an element of C, in
 * units of 2^-53 (|A| |B|)_ij. It is 6 sqrt(k); in the same units, the error
 * bound of a sum of k products in float64 is k. Actual errors are far smaller:
 * the certificate assumes that all rounding errors have the same sign, and it
 * evaluates |A| |B| for a quarter of k only. */
double residues_bound(size_t k);

/* Returns an upper bound of |c_ij - (A B)_ij| / (|a_i| |b_j|) in 2-norms of the
 * rows of A and the columns of B, for a product without a certificate, which
 * has RESIDUES_LEAST moduli. */
double residues_fast_bound(size_t k);

#endif
