/* inverse.h - the parts of operation inverse.
 *
 *     inverse.c      the tables, what clients may ask
 *     host.c         variant `host`: LAPACK's getrf and getri
 *     complex.c      variant `complex`
 *     groups.c       LU and two triangular solves on the device
 *     verdict.c      failures, the residual, rcond
 */
#ifndef OPS_INVERSE_INVERSE_H
#define OPS_INVERSE_INVERSE_H

#include "device/seq.h"
#include "ops/failure.h"
#include "ops/need.h"

int inverse_host(struct seq *s, struct args *a);
int inverse_complex(struct seq *s, struct args *a);

/* The `how` of the variants that use these two points to a bool: is the panel
 * of LU spread over co-resident work-groups? */
int inverse_groups(struct seq *s, struct args *a);
void inverse_groups_need(const struct args *a, const struct variant *v,
                         const struct sheet *d, struct need *n);

/* The 1-norms of a matrix A, of its inverse X, and of A X v - v, where v is the
 * vector of lapack_sign(). */
struct inverse_look {
	long double norm, norm_of_inverse, defect;
};

/* Adds what is known of a matrix that has not failed to the verdict: the
 * residual |A X v - v| / n / (n |A| |X| eps), which is never above |A X - I| /
 * (n |A| |X| eps), and rcond = 1 / (|A| |X|), which is no estimate. */
void inverse_judge(struct args *a, const struct inverse_look *l);

/* Says in words why a matrix has no inverse. */
void inverse_describe(const struct args *a, const struct failure *f,
                      struct err *e);

/* The operation's residual(): leaves that estimate, or, with quality=full,
 * replaces it by |A X - I| / (n |A| |X| eps) in the 1-norm, the ratio of
 * LAPACK's xGET03, which LAPACK computes on the host. */
int inverse_residual(struct seq *s, struct args *a);

#endif
