/* judge_launch.h - what judge.c and measure.c have in common. */
#ifndef OPS_QR_JUDGE_LAUNCH_H
#define OPS_QR_JUDGE_LAUNCH_H

#include "base/size.h"
#include "ops/qr/judge.h"

/* Makes a buffer of so many numbers, or only counts it. */
struct buf judge_room(const struct judge *j, size_t numbers);

/* The grid of kernels/qr/judge.cl that has n work-groups for every matrix, one
 * for each of its rows or vectors. */
struct grid judge_groups(const struct judge *j, size_t n);

/* Returns how many work-groups of kernels/qr/spread.cl share the work on so
 * many elements of one matrix; and the grid with n of them for every matrix. */
size_t judge_pieces(size_t elements);
struct grid judge_spread(const struct judge *j, size_t n);

/* The kernel of kernels/qr/spread.cl that multiplies rows of n elements by
 * vectors, and how many rows its work-groups have. */
const char *judge_kernel(size_t n);
size_t judge_rows(size_t n);

/* measure.c: waits for the measures and sets them in the verdict. A measure
 * that was taken twice becomes the larger one. */
void judge_settle(const struct judge *j, struct verdict *v);

#endif
