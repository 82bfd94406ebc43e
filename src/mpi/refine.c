/* refine.c - the iterative refinement of solve. PxGERFS of ScaLAPACK 2.2.1 does
 * not do: it calls PxGETRS with an argument that it has not set. */
#include "mpi/routines.h"
#include "mpi/solve.h"

void solve_defect(struct solving *s)
{
	for (size_t j = 0; j < s->r.cols; j++)
		for (size_t i = 0; i < s->r.rows; i++)
			dist_set(&s->r, i, j, dist_element(&s->b, i, j));
	routine_gemm(false, -1, &s->a, &s->x, 1, &s->r);
}

void solve_refine(struct solving *s)
{
	solve_defect(s);
	routine_getrs(false, &s->lu, s->pivots, &s->r);
	for (size_t j = 0; j < s->x.cols; j++)
		for (size_t i = 0; i < s->x.rows; i++)
			dist_set(&s->x, i, j, dist_element(&s->x, i, j) +
			         dist_element(&s->r, i, j));
}
