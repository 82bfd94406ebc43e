/* derived.h - the numbers of what operations derive from stored matrices; see
 * seq_derived(). */
#ifndef OPS_DERIVED_H
#define OPS_DERIVED_H

/* SPMV_DERIVED() is the first of three numbers for the slices of that height
 * (spmv/slices.c). KRYLOV_DERIVED() is the first of eight numbers for a
 * preconditioner (krylov/factors.c), whose sweeps depend on wish.shared. Both
 * depend on the type of the elements, because a request may compute with a
 * stored matrix in another type. */
#define SPMV_DERIVED(t, height) ((int)(t) << 24 | (int)(height) << 4)
#define KRYLOV_DERIVED(t, preconditioner, shared) \
	((int)(t) << 24 | 1 << 20 | (int)(shared) << 12 | \
	 (int)(preconditioner) << 4)

#endif
