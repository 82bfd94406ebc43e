/* inverse.h - the parts of operation inverse.
 *
 *     inverse.c      the tables, what clients may ask
 *     host.c         variant `host`: LAPACK's getrf and getri
 *     groups.c       LU and two triangular solves on the device
 *     verdict.c      failures, the residual, rcond
 */
#ifndef OPS_INVERSE_INVERSE_H
#define OPS_INVERSE_INVERSE_H

#include "device/seq.h"
#include "ops/failure.h"
#include "ops/need.h"

int inverse_host(struct seq *s, struct args *a);

/* Both in variants whose `how` is a bool: is the panel of LU spread over
 * co-resident work-groups? */
int inverse_groups(struct seq *s, struct args *a);
void inverse_groups_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n);

/* What is known of one matrix and its inverse X: 1-norms, and |A X v - v| for a
 * vector v of +-1, a sum over n elements. */
struct inverse_look {
	double norm, norm_of_inverse, defect;
};

/* Adds the look at a matrix that has not failed to the verdict: residual |A X v
 * - v| / n / (n |A| |X| eps), never above |A X - I| / (n |A| |X| eps); and
 * rcond = 1 / (|A| |X|), which is not estimated. */
void inverse_judge(struct args *a, const struct inverse_look *l);

void inverse_describe(const struct args *a, const struct failure *f,
                      struct err *e);

/* With quality=full: |A X - I| / (n |A| |X| eps) in the 1-norm, as LAPACK's
 * xGET03, by LAPACK on the host. */
int inverse_residual(struct seq *s, struct args *a);

#endif
