/* judge_tile.h - the shape of judge_columns' work-groups. Kernels and C include
 * it. */
#ifndef SHARED_JUDGE_TILE_H
#define SHARED_JUDGE_TILE_H

enum {
	JUDGE_LANES = 16,	/* columns of a work-group */
	JUDGE_TEAMS = 16,	/* work-items that share a column */
	JUDGE_VECTORS = 4	/* vectors that are multiplied at once */
};

#endif
