/* derived.h - the numbers of what operations derive from stored matrices; see
 * seq_derived(). */
#ifndef OPS_DERIVED_H
#define OPS_DERIVED_H

/* SPMV_DERIVED: the first of three numbers for slices, by the height of a slice
 * (spmv/slices.c). KRYLOV_DERIVED: the first of eight for a preconditioner
 * (krylov/factors.c), whose sweeps are others if they are `shared`. The
 * elements' type is counted in, because a stored matrix may be computed with in
 * another type. */
#define SPMV_DERIVED(t, height) ((int)(t) << 24 | (int)(height) << 4)
#define KRYLOV_DERIVED(t, preconditioner, shared) \
	((int)(t) << 24 | 1 << 20 | (int)(shared) << 12 | \
	 (int)(preconditioner) << 4)

#endif
