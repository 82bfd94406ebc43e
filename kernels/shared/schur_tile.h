/* schur_tile.h - sizes that the kernels of the QR algorithm and their launches
 * share. Included by C and by OpenCL C. */
#ifndef KERNELS_SHARED_SCHUR_TILE_H
#define KERNELS_SHARED_SCHUR_TILE_H

/* SCHUR_BULGES bulges form a chain. A launch of schur_chase has SCHUR_STEPS
 * steps, in each of which every bulge moves down by one row. The reflections of
 * a chain act on at most SCHUR_WINDOW rows in a launch. */
#define SCHUR_BULGES 8
#define SCHUR_STEPS 30
#define SCHUR_WINDOW (3 * SCHUR_BULGES + SCHUR_STEPS - 1)

/* The distance in rows between the first bulges of successive chains; it leaves
 * one row between their windows. */
#define SCHUR_GAP (3 * SCHUR_BULGES + SCHUR_STEPS)

/* The number of elements from one row to the next in local memory: at least
 * SCHUR_WINDOW + 1, and odd, so that the elements of a column are in different
 * banks. */
#define SCHUR_PITCH (SCHUR_WINDOW + 2)

/* Work-items of a work-group of schur_chase: SCHUR_TEAM for each bulge. The
 * first SCHUR_MAKERS items compute the reflections. */
#define SCHUR_TEAM 64
#define SCHUR_GROUP (SCHUR_BULGES * SCHUR_TEAM)
#define SCHUR_MAKERS 32

/* A work-group of schur_left or schur_right updates SCHUR_TILE columns or rows,
 * by SCHUR_TEAMS teams of SCHUR_TILE work-items. */
#define SCHUR_TILE 32
#define SCHUR_TEAMS 8

/* The numbers stored for the two shifts of a bulge: real and imaginary
 * parts. */
#define SCHUR_SHIFT 4

/* schur_solve computes SCHUR_VECTORS eigenvectors in each work-group, each by
 * SCHUR_LANES work-items. A block usually has SCHUR_BLOCK rows; it has one
 * more, SCHUR_LANES, if it would otherwise cut a 2 x 2 block of T in two. */
#define SCHUR_BLOCK 31
#define SCHUR_LANES 32
#define SCHUR_VECTORS 4

#endif
