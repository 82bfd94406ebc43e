/* hosted.h - A X = B with vectors on the host, where A and its factors are not
 * in one buffer: several devices hold some blocks of columns each (gang.h), or
 * they are in the host's memory (streamed.h).
 *
 *     hosted.c         the steps; right-hand sides are solved some at a time
 *     hosted_judge.c   refinement and the verdict
 *     hosted_rest.c    the norm of A and B - A X, from parts of A's columns
 *
 * The rules, the probes and the verdict are those of one device
 * (kernels/shared/solve_told.h, kernels/solve/rules.h). All vectors are
 * [column][n], in float64, and hold numbers of the call's type where LAPACK has
 * them in that type. The first right-hand sides have the probes beside them. */
#ifndef OPS_SOLVE_HOSTED_H
#define OPS_SOLVE_HOSTED_H

#include "ops/gang/columns.h"
#include "ops/solve/structure.h"
#include "shared/solve_told.h"

enum { SOLVE_SIDES = 64 };		/* solved at a time, at most */

/* What computes with A and its factors, wherever they are; arg is
 * solve_hosted.holder. Errors are the sequence's. */
struct solve_holder {
	/* Sets solve_hosted.norm; returns false if A holds a NaN or an
	 * infinity. */
	bool (*look)(void *arg);
	/* Factors P A = L U. Returns the first column with a zero pivot; or
	 * sets solve_hosted.order, and returns -1. */
	ptrdiff_t (*factor)(void *arg);
	/* Replace x, of `cols` columns, by U^-1 L^-1 x and by L^-T U^-T x. The
	 * rows of what L is applied to are those of P A. */
	void (*substitute)(void *arg, double *x, size_t cols);
	void (*substitute_transposed)(void *arg, double *x, size_t cols);
	/* r = b - A x, summed in twice the precision, and size = |A| |x| + |b|,
	 * for `cols` columns of solve_hosted's vectors, x being x_now. */
	void (*rest)(void *arg, size_t cols);
};

/* What refinement knows of a column of X (enum solve_column). */
struct solve_column_state {
	double backward, ratio, most, sum;
	int state, steps;
};

struct solve_hosted {
	struct seq *s;
	const struct solve_holder *by;
	void *holder;
	bool answers;			/* does it write X? */
	double factored;		/* how far the call is once A has been
					 * factored, 0 to 1 */
	size_t n, sides, each;		/* each: bytes of an element */
	size_t some;			/* the most right-hand sides that are
					 * solved at a time */
	size_t most;			/* the most columns: those and probes */
	bool judged;			/* are there probes? */
	void *room;			/* n x most numbers */

	/* Vectors, and the columns of each: */
	double *b, *x_now, *old, *r, *size;	/* some, but x_now: most */
	double *low;			/* some: the low parts of r's sums */
	double *d;			/* most: corrections and probes, in
					 * rows of P A */
	double *z;			/* SOLVE_TURNED: see solve_told.h */
	double *first, *last;		/* 1: W of the probes, of the last
					 * residual */
	bool probed;			/* `first` is known */
	const int32_t *order;		/* n: row i of P A is row order[i] */
	struct solve_column_state column[SOLVE_SIDES];
	double found[2 * SOLVE_TURNED];	/* TOLD_PROBES */
	double norm;			/* of A, the 1-norm */
	double told[TOLD_LENGTH + 1];
};

/* Returns whether a call has one general real system, which is what can be
 * solved so; transposed or not. */
bool solve_hosted_suits(const struct args *a);

/* Returns a call's sizes, for at most `some` right-hand sides at a time. */
struct solve_hosted solve_hosted_of(const struct args *a, size_t some);

/* Makes the vectors; -1 with the sequence's error. */
int solve_hosted_open(struct solve_hosted *h, struct seq *s,
                      const struct solve_holder *by, void *holder);
void solve_hosted_close(struct solve_hosted *h);

/* Factors, solves, and sets the verdict or the failure. */
void solve_hosted_run(struct solve_hosted *h, struct args *a);

/* Solves, refines and judges `count` right-hand sides from `first` on, and adds
 * what it finds to h->told. */
void solve_hosted_columns(struct solve_hosted *h, const struct matrix *b,
                          size_t first, size_t count, struct matrix *x);

/* Element i of h->room, which has the call's type. */
static inline void solve_room_set(struct solve_hosted *h, size_t i, double x)
{
	if (h->each == sizeof(float))
		((float *)h->room)[i] = (float)x;
	else
		((double *)h->room)[i] = x;
}

static inline double solve_room_get(const struct solve_hosted *h, size_t i)
{
	return h->each == sizeof(float) ? ((float *)h->room)[i] :
	                                  ((double *)h->room)[i];
}

/* Copy rows of x, which has `cols` columns, to a row-major buffer and back: row
 * j of x for each column j of A that is in c. A `packed` buffer has these rows
 * alone. Others have n rows, and those that are not copied become 0. */
void solve_hosted_write(struct solve_hosted *h, const struct columns *c,
                        bool packed, const double *x, size_t cols,
                        struct buf to);
void solve_hosted_read(struct solve_hosted *h, const struct columns *c,
                       bool packed, struct buf from, double *x, size_t cols);

/* A part of A on the device: some columns, a row-major n x c.own. */
struct solve_part {
	struct columns c;		/* which columns */
	struct buf a;
	struct buf own;			/* room for c.own x `some` elements */
	struct buf share;		/* kernels/solve/gang.cl */
};

/* Returns the bytes of a part's `share`. */
size_t solve_part_share_bytes(const struct solve_hosted *h,
                              const struct sheet *d);

/* Makes *bad, which solve_part_norm() takes and which says in the end whether
 * an element is NaN or infinite. */
struct buf solve_part_bad(struct solve_hosted *h);
bool solve_part_is_bad(struct solve_hosted *h, struct buf bad);

/* Returns the largest of the part's sums of |a| down its columns. What it takes
 * beside is at most the memory that solve_part_need() adds, for parts of `own`
 * columns. */
double solve_part_norm(struct solve_hosted *h, const struct solve_part *p,
                       struct buf bad);
void solve_part_need(struct need *n, const struct solve_hosted *h,
                     const struct sheet *d, size_t own);

/* Writes the part's share of A X and of |A| |X| to `to`, [cols][3][n] as
 * solve_gang_rest makes it. */
void solve_part_share(struct solve_hosted *h, const struct solve_part *p,
                      size_t cols, double *to);

/* r = b - A x is the sum of the shares of all parts. Call them in this order,
 * the second one for each part. */
void solve_rest_begin(struct solve_hosted *h, size_t cols);
void solve_rest_add(struct solve_hosted *h, const double *share, size_t cols);
void solve_rest_end(struct solve_hosted *h, size_t cols);

#endif
