/* strips.h - how a matrix in the host's memory is cut into strips of columns,
 * of which a device holds one at a time. Strips are as wide as the memory
 * allows, because a left-looking factorization uploads every panel once for
 * each strip to its right.
 *
 * strips_plan() says how wide panels and strips are, strips_most() how wide
 * strips are if the panels' width is given, and strips_apply() uploads panels
 * one after the other. */
#ifndef OPS_GANG_STRIPS_H
#define OPS_GANG_STRIPS_H

#include <stdbool.h>
#include <stddef.h>

#include "device/seq.h"
#include "ops/op.h"

struct strips {
	size_t width;			/* columns of a panel */
	size_t most;			/* columns of a strip at most: a
					 * multiple of `width` */
};

/* Returns the plan for n columns, the first k of which have pivots. All strips
 * are about equally wide. fits(arg, x) tells whether the device's memory holds
 * a strip of x->most columns with panels of x->width; if it holds not even one
 * panel of the least width, the plan has that. */
struct strips strips_plan(size_t n, size_t k,
                          bool (*fits)(const void *arg,
                                       const struct strips *x),
                          const void *arg);

/* Returns the widest strips, a multiple of `width`, for n columns, all about
 * equally wide; `width` if not even that fits. */
size_t strips_most(size_t n, size_t width,
                   bool (*fits)(const void *arg, const struct strips *x),
                   const void *arg);

/* Uploads n panels in turn by send(arg, g), in lane 0, and applies each by
 * apply(arg, g), in lane 1, while the next one is uploaded. Even panels must
 * not share a buffer with odd ones. Reports the progress. */
void strips_apply(struct seq *s, size_t n, void (*send)(void *arg, size_t g),
                  void (*apply)(void *arg, size_t g), void *arg);

/* Loads columns j to j + w - 1 of A^T, for a square matrix A in the host's
 * memory, to `to`, row-major. `room` and `to` hold w columns each. */
void strips_load_turned(struct seq *s, const struct matrix *a, size_t j,
                        size_t w, struct buf room, struct buf to);
#define STRIPS_TURNED_KERNELS "transpose_tile"

/* The variant's takes(), as far as all operations have it in common: refuses
 * gangs, stacks, and the quality `full`, which the operation computes as
 * `exact` says, or NULL. strips_refuse() says what the variant does not
 * compute. */
int strips_takes(const struct args *a, const char *exact, struct err *e);
int strips_refuse(const struct args *a, const char *pointer, const char *what,
                  struct err *e);

#endif
