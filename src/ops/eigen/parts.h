/* parts.h - divides the rows or the columns of a matrix among the threads of
 * lapack_parts(). */
#ifndef OPS_EIGEN_PARTS_H
#define OPS_EIGEN_PARTS_H

#include "base/size.h"
#include "ops/lapack/stack.h"

/* The number of parts, and a number of which the size of each part but the last
 * one is a multiple, so that parts of rows share no cache line. */
enum { EIGEN_PARTS = 64, EIGEN_TILE = 16 };

/* Rows or columns `first` to `end` - 1. */
struct eigen_span { size_t first, end; };

/* Returns part i, which may be empty, of n rows or columns. */
static inline struct eigen_span eigen_span(size_t n, size_t i)
{
	const size_t tiles = size_blocks(n, EIGEN_TILE);
	const size_t step = size_blocks(tiles, EIGEN_PARTS) * EIGEN_TILE;

	return (struct eigen_span){ size_min(i * step, n),
	                            size_min((i + 1) * step, n) };
}

/* Runs part(arg, i) for all parts. c may be NULL: the caller's thread does them
 * all. */
static inline void eigen_parts(const struct lapack_call *c,
                               void (*part)(void *arg, size_t i), void *arg)
{
	if (c)
		lapack_parts(c, EIGEN_PARTS, part, arg);
	else
		for (size_t i = 0; i < EIGEN_PARTS; i++)
			part(arg, i);
}

#endif
