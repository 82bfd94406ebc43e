/* solve_room.h - the layout of the workspace in which a CPU solves the systems
 * of one matrix: offsets in bytes. Included by C and by OpenCL C.
 *
 * `columns` right-hand sides, and from column `probe` on the probes of
 * solve_told.h (-1: none), are stored in strips as lu/cpu.h defines them. B,
 * which becomes X, is stored in T itself, after the blocks of A. */
#ifndef KERNELS_SHARED_SOLVE_ROOM_H
#define KERNELS_SHARED_SOLVE_ROOM_H

#include "shared/solve_told.h"

/* Rows of a work-item of solve_rest: whole vectors. */
#define SOLVE_ROWS 48

struct solve_room {
	size_t rest;		/* strips: R = B - A X, then A^-1 R */
	size_t turned;		/* a block: the probes of A^-T */
	size_t x, old;		/* [columns][n]: X, now and before the step */
	size_t first, weight;	/* [n]: W for the probes, W after the step */
	size_t part[2];		/* [chunk of rows][columns][2] wide: largest
				 * backward error, |r|_1; before and after a
				 * step */
	size_t column;		/* [columns][COLUMN_LENGTH] wide */
	size_t end;
};

/* The number of blocks in the strips, of vw columns each. */
static inline int solve_blocks(int columns, int probe, int vw)
{
	const int last = probe < 0 ? columns : probe + SOLVE_TURNED;

	return ((last < 1 ? 1 : last) + 2 * vw - 1) / (2 * vw) * 2;
}

/* The first column of the probes, which share a block. */
static inline int solve_probe_column(int columns, int vw)
{
	return columns % vw > vw - SOLVE_TURNED ?
	       (columns + vw - 1) / vw * vw : columns;
}

static inline struct solve_room solve_room(int n, int ld, int columns,
                                           int probe, int real_bytes,
                                           int wide_bytes)
{
	const int line = 64, vw = line / real_bytes;
	const size_t block = (size_t)ld * line;
	const size_t row = ((size_t)n * real_bytes + line - 1) / line * line;
	const size_t chunks = (n + SOLVE_ROWS - 1) / SOLVE_ROWS;
	struct solve_room r;

	r.rest = 0;
	r.turned = r.rest + block * solve_blocks(columns, probe, vw);
	r.x = r.turned + (probe < 0 ? 0 : block);
	r.old = r.x + row * columns;
	r.first = r.old + row * columns;
	r.weight = r.first + row;
	r.part[0] = r.weight + row;
	r.part[1] = r.part[0] + chunks * columns * 2 * wide_bytes;
	r.column = r.part[1] + chunks * columns * 2 * wide_bytes;
	r.end = r.column + (size_t)columns * COLUMN_LENGTH * wide_bytes;
	r.end = (r.end + line - 1) / line * line;
	return r;
}

#endif
