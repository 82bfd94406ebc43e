/* residues.h - how float64 products by residues are laid out
 * (kernels/matmul/nvidia/residues.h). */
#ifndef OPS_MATMUL_RESIDUES_H
#define OPS_MATMUL_RESIDUES_H

#include "ops/matmul/plan.h"
#include "shared/matmul_tensor.h"

struct residues_layout {
	size_t down, across, tiles;	/* of C */
	size_t lines;			/* rows of A and columns of B, in whole
					   tiles */
	size_t slabs;			/* of k */
	size_t every, bounds;		/* the certificate's product has slabs
					   0, every, 2 every, ...; `bounds` of
					   them */
	size_t chunk, chunks;		/* the k that one work-group reads to
					   know a line; parts of k */
	size_t known, words;		/* bytes of what is known of lines;
					   words about tiles after them */
	size_t room;			/* bytes of both */
};

/* For a part of that size of a product. */
struct residues_layout residues_layout_of(size_t k, const struct cuts *part);

/* Fills the table that the kernels read (shared/matmul_tensor.h). */
void residues_table(uint32_t table[RESIDUES_WORDS]);

/* Returns the largest error that the certificate allows an element of C, as a
 * multiple of 2^-53 (|A| |B|)_ij: 6 sqrt(k), where the bound for a sum in
 * float64 is k. The errors themselves are far smaller, since the certificate
 * takes each rounding at its worst and knows a quarter of |A| |B| only. */
double residues_bound(size_t k);

#endif
