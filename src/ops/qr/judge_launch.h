/* judge_launch.h - what judge.c and measure.c have in common. */
#ifndef OPS_QR_JUDGE_LAUNCH_H
#define OPS_QR_JUDGE_LAUNCH_H

#include "base/size.h"
#include "ops/qr/judge.h"

/* Returns scratch memory for `numbers` numbers of `wide`; if j->need is set,
 * adds their memory to that instead. */
struct buf judge_room(const struct judge *j, size_t numbers);

/* Returns the grid of a kernel of kernels/qr/judge.cl that has n work-groups
 * for every matrix, one for each of its rows or vectors. */
struct grid judge_groups(const struct judge *j, size_t n);

/* Returns how many work-groups of kernels/qr/spread.cl share the work on
 * `elements` elements of one matrix. */
size_t judge_pieces(size_t elements);

/* Returns the grid of a kernel of kernels/qr/spread.cl that has n work-groups
 * for every matrix. */
struct grid judge_spread(const struct judge *j, size_t n);

/* Return the name of the kernel of kernels/qr/spread.cl that multiplies rows of
 * n elements by vectors, and the number of rows of its work-groups. */
const char *judge_kernel(size_t n);
size_t judge_rows(size_t n);

/* measure.c: waits for the numbers of all measures, and sets the verdict. The
 * orthogonality of svd is measured for U and for V, and the larger value
 * counts. */
void judge_settle(const struct judge *j, struct verdict *v);

#endif
