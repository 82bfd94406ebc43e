/* normal.c - lstsq on the device by the normal equations A^T A x = A^T b in
 * float64, with A^T A = U^T U (ops/qr/normal.h). For float64 operands the
 * solution is corrected STEPS times: with r = b - A x,
 *
 *     U^T U d = A^T r,  x += d,
 *
 * which makes the error as small as that of a solution by the QR factorization
 * (corrected seminormal equations; Bjorck 1987): every step multiplies the
 * error by about the roundoff of float64 times k^2, where k is A's condition
 * number. For float32 operands x is not corrected, because its relative error,
 * about 2^-53 k^2, is less than 2^-24 k for every k up to 2^24 (MOST_SINGLE).
 *
 * The device computes all of x before the host reads the numbers that decide
 * whether x is the answer, so that the host waits only at the end. x is the
 * answer if bounds on U's singular values prove that none of them counts as 0.
 * Where norms prove nothing, a few singular values decide (few.c). Otherwise,
 * and if all are wanted, the device computes them and solves by them
 * (squares.c, spectral.c). For matrices that are too small for that, LAPACK
 * solves the n x n problem of minimizing |U x - U^-T A^T b|, which has the
 * singular values and the solution of the m x n problem (reduced.c). host.c
 * solves what is left: ill-conditioned problems, and elements that are not
 * finite. */
#include <math.h>
#include <stdlib.h>

#include "ops/dense.h"
#include "ops/lstsq/normal.h"
#include "ops/qr/judge_launch.h"
#include "ops/qr/normal.h"
#include "ops/room.h"
#include "ops/solve/solve.h"

enum {
	ITEMS = 256, LANES = 64, SUMS = 32, SIDE = 16,
					/* kernels/lstsq/lstsq.cl */
	STEPS = 2,
	SIDES = 64,			/* most right-hand sides of a matrix */
	SHARE = 2,			/* a problem is reduced only if
					 * m >= SHARE n */
	LEAST = 1 << 14			/* least elements of all matrices; fewer
					 * are not worth the launches */
};

/* QR_NORMAL_SIZE is about the square of the condition number of A with columns
 * of length 1. x is accurate up to MOST_SINGLE for float32 operands, where the
 * limit only ensures that the factorization succeeded, and up to MOST_DOUBLE
 * for float64, where each of the STEPS corrections multiplies the error by
 * about 2^-19. The singular values of a float64 matrix are accurate up to
 * LENGTHS n. */
static const double MOST_SINGLE = 0x1p48, MOST_DOUBLE = 0x1p34;
static const double LENGTHS = 0x1p12;

/* The singular values of a float64 matrix are computed from those of A^T A if a
 * bound on its condition number k is at most MOST_SQUARED, because their error
 * is k times as large as that of other methods. A float32 matrix is likely to
 * have full rank if the bound is less than LIKELY / rcond: the bound is several
 * times as large as k. */
static const double MOST_SQUARED = 64, LIKELY = 4;

struct task {
	const struct args *a;
	size_t sides;
	struct qr_normal normal;
	struct buf b, parts, ax, z, x;	/* vectors, all but b in float64 */
	struct buf before, after;	/* sums of turn(): for v = b, and for
					 * the last v = b - A x */
	struct buf rounded;		/* x in the call's type, the answer */
	double told[1][QR_NORMAL_NUMBERS];
	bool accurate;			/* x is accurate if the rank is n */
	bool full;			/* the rank is proven to be n */
	struct lstsq_values values;
};

/* Returns how many numbers turn() computes for a matrix: A^T v and |v|^2 for
 * each right-hand side. */
static size_t sums_of(const struct task *t)
{
	return t->sides * (t->normal.n + 1);
}

/* Creates a buffer of `numbers` float64 for each matrix, or only counts its
 * memory. */
static struct buf room(const struct task *t, size_t numbers)
{
	const size_t bytes = t->normal.stack * numbers * sizeof(double);

	return room_make(t->normal.s, t->normal.need, bytes);
}

static void make_room(struct task *t)
{
	qr_normal_room(&t->normal);
	t->parts = room(t, t->normal.chunks * sums_of(t));
	t->ax = room(t, t->normal.m * t->sides);
	t->z = room(t, t->normal.n * t->sides);
	t->x = room(t, t->normal.n * t->sides);
	t->before = room(t, sums_of(t));
	t->after = room(t, sums_of(t));
	t->rounded = room(t, t->normal.n * t->sides);
}

static struct task task_of(const struct args *a, const struct sheet *d)
{
	const struct systems y = systems_of(NULL, a);

	return (struct task){
		.a = a, .sides = y.sides,
		.normal = qr_normal_of(y.stack, matrix_rows(&a->in[LSTSQ_A]),
		                       y.n, a->dtype, d),
	};
}

bool lstsq_normal_fits(const struct args *a, const struct sheet *d)
{
	const struct systems y = systems_of(NULL, a);
	const struct matrix *m = &a->in[LSTSQ_A];

	return matrix_rows(m) >= y.n && matrix_elements(m) >= LEAST &&
	       y.sides > 0 && y.sides <= SIDES && y.a_stack == y.stack &&
	       y.b_stack == y.stack && qr_normal_fits(y.n, d) &&
	       (!dense_has(a, LSTSQ_S) || lstsq_spectral_fits(a, d) ||
	        (y.stack == 1 && matrix_rows(m) >= SHARE * y.n));
}

void lstsq_normal_need(struct need *n, const struct sheet *d,
                       const struct args *a)
{
	struct task t = task_of(a, d);

	t.normal.need = n;
	make_room(&t);
	if (lstsq_few_fits(a))
		lstsq_few_need(n, a);
	if (!lstsq_spectral_fits(a, d))
		return;
	lstsq_squares_need(n, d, a);
	if (a->dtype != FLOAT32)
		lstsq_spectral_need(n, d, a);
}

/* Computes A^T v and |v|^2 for every right-hand side into `sums`, where v is b,
 * or b - A x if `minus`. */
static void turn(const struct task *t, bool minus, struct buf sums)
{
	const struct qr_normal *g = &t->normal;
	const size_t blocks = size_blocks(g->n, LANES) * g->chunks * g->stack;
	const size_t runs = size_blocks(sums_of(t), SUMS) * g->stack;

	seq_work(g->s, 2.0 * g->stack * g->m * g->n * t->sides, 0);
	seq_launch(g->s, "lstsq_turned", GRID1(blocks * ITEMS, ITEMS),
	           ARG_BUF(seq_input(g->s, &t->a->in[LSTSQ_A])),
	           ARG_INT(g->m), ARG_INT(g->n), ARG_INT(g->each),
	           ARG_INT(g->chunks), ARG_BUF(t->b), ARG_INT(t->sides),
	           ARG_BUF(t->ax), ARG_INT(minus), ARG_BUF(t->parts));
	seq_launch(g->s, "lstsq_sum", GRID1(runs * ITEMS, ITEMS),
	           ARG_BUF(t->parts), ARG_INT(sums_of(t)), ARG_INT(g->chunks),
	           ARG_BUF(sums));
}

/* x = (U^T U)^-1 A^T v or, if `more`, x += (U^T U)^-1 A^T v, with A^T v from
 * `sums`. */
static void solve(const struct task *t, struct buf sums, bool more)
{
	const struct qr_normal *g = &t->normal;
	const size_t down = size_blocks(g->n, SIDE) * g->stack;
	const size_t up = size_blocks(g->n, LANES) * g->stack;

	seq_launch(g->s, "lstsq_down", GRID1(down * ITEMS, ITEMS),
	           ARG_BUF(g->y), ARG_INT(g->n), ARG_INT(g->ld), ARG_BUF(sums),
	           ARG_INT(t->sides), ARG_BUF(t->z));
	seq_launch(g->s, "lstsq_up", GRID1(up * ITEMS, ITEMS), ARG_BUF(g->y),
	           ARG_INT(g->n), ARG_INT(g->ld), ARG_BUF(t->z),
	           ARG_INT(t->sides), ARG_INT(more), ARG_BUF(t->x));
}

/* ax = A x, by the kernel that also computes the products of verdicts. */
static void multiply(const struct task *t)
{
	const struct qr_normal *g = &t->normal;
	const size_t groups = size_blocks(g->m, judge_rows(g->n)) * g->stack;
	const struct buf a = seq_input(g->s, &t->a->in[LSTSQ_A]);

	seq_work(g->s, 2.0 * g->stack * g->m * g->n * t->sides, 0);
	seq_launch(g->s, judge_kernel(g->n), GRID1(groups * ITEMS, ITEMS),
	           ARG_BUF(a), ARG_LONG(g->m * g->n), ARG_INT(g->n),
	           ARG_INT(g->m), ARG_INT(g->n), ARG_BUF(t->x),
	           ARG_INT(0), ARG_BUF(a), ARG_INT(0),
	           ARG_BUF(t->x), ARG_LONG(t->sides * g->n),
	           ARG_INT(t->sides), ARG_BUF(t->ax), ARG_INT(0),
	           ARG_BUF(t->ax));
}

static size_t x_count(const struct task *t)
{
	return t->normal.stack * t->normal.n * t->sides;
}

/* Rounds x to the call's type, and computes the sums of v = b - A x into
 * t->after. */
static void round_x(const struct task *t)
{
	seq_launch(t->normal.s, "lstsq_give", GRID1(x_count(t), LANES),
	           ARG_BUF(t->x), ARG_INT(t->normal.n), ARG_INT(t->sides),
	           ARG_LONG(x_count(t)), ARG_BUF(t->rounded));
	multiply(t);
	turn(t, true, t->after);
}

/* Enqueues all that the device computes. */
static void compute(struct task *t)
{
	const struct qr_normal *g = &t->normal;
	const struct args *a = t->a;

	t->b = seq_input(g->s, &a->in[LSTSQ_B]);
	qr_normal_factor(g, seq_input(g->s, &a->in[LSTSQ_A]), 0);
	turn(t, false, t->before);
	solve(t, t->before, false);
	for (int i = 0; i < (a->dtype == FLOAT64 ? STEPS : 0); i++) {
		multiply(t);
		turn(t, true, t->after);
		solve(t, t->after, true);
	}
	round_x(t);
}

static void read_values(const struct task *t)
{
	struct seq *const s = t->normal.s;
	const size_t sums = t->normal.stack * sums_of(t) * sizeof(double);

	seq_read(s, t->before, 0, t->values.before, sums);
	seq_read(s, t->after, 0, t->values.after, sums);
	seq_read(s, t->x, 0, t->values.x, x_count(t) * sizeof(double));
}

/* Returns whether the condition number is small enough for an accurate x, and
 * for accurate singular values if they are wanted. */
static bool is_accurate(const struct task *t)
{
	const double size = t->told[0][QR_NORMAL_SIZE];
	const bool single = t->a->dtype == FLOAT32;

	return size <= (single ? MOST_SINGLE : MOST_DOUBLE) &&
	       (single || !dense_has(t->a, LSTSQ_S) ||
	        size <= LENGTHS * (double)t->normal.n);
}

/* Rounds x to the output's type, after decompose() has replaced it. */
static bool refresh(const struct task *t)
{
	round_x(t);
	read_values(t);
	return !seq_failed(t->normal.s) &&
	       lstsq_is_finite(&t->normal, t->sides, &t->values);
}

/* Replaces x by r->x. */
static bool take(const struct task *t, const struct lstsq_rank *r)
{
	seq_write(t->normal.s, t->x, 0, r->x, x_count(t) * sizeof *r->x);
	return refresh(t);
}

/* Solves by the eigenvalues of A^T A. */
static bool square(const struct task *t, struct lstsq_rank *r)
{
	const double bound = lstsq_condition(t->told[0]) *
	                     dense_rcond(t->a, LSTSQ_RCOND);
	const struct lstsq_squares q = {
		.normal = &t->normal, .a = t->a, .sides = t->sides,
		.before = t->before, .z = t->z, .x = t->x,
		.accurate = t->accurate, .full = t->full,
		.vectors = !t->accurate || !(bound < LIKELY),
	};
	bool solved;

	return isfinite(t->told[0][QR_NORMAL_SQUARE]) &&
	       lstsq_squares(&q, &solved, r) && (!solved || refresh(t));
}

/* Solves by singular values. A deficient rank changes x, and so does an x that
 * the normal equations have not made accurate. */
static bool decompose(const struct task *t, struct lstsq_rank *r)
{
	if (t->a->dtype == FLOAT32 ||
	    (t->full && lstsq_condition(t->told[0]) <= MOST_SQUARED))
		return square(t, r);
	return lstsq_spectral(t->normal.s, t->a, !t->full, r) &&
	       ((t->accurate && r->rank == t->normal.n) || take(t, r));
}

/* Solves the reduced problem on the host, which sets *r. If the rank is less
 * than n, replaces x by the host's solution. Returns false if the call must be
 * left to host.c. */
static bool reduce(struct task *t, struct lstsq_rank *r)
{
	const struct qr_normal *g = &t->normal;
	const size_t down = size_blocks(g->n, SIDE);

	if (g->stack > 1 || g->m < SHARE * g->n)
		return false;
	seq_launch(g->s, "lstsq_down", GRID1(down * ITEMS, ITEMS),
	           ARG_BUF(g->y), ARG_INT(g->n), ARG_INT(g->ld),
	           ARG_BUF(t->before), ARG_INT(t->sides), ARG_BUF(t->z));
	if (!lstsq_reduced(g, t->a, t->sides, t->z, r))
		return false;
	return r->rank == g->n || take(t, r);
}

/* Finds the rank from a few singular values (few.c). If the rank is less than
 * n, x becomes the solution for that rank. */
static bool decide(const struct task *t, struct lstsq_rank *r)
{
	const struct lstsq_few q = {
		.normal = &t->normal, .a = t->a, .sides = t->sides,
		.before = t->values.before,
		.largest = lstsq_largest(t->told[0]),
	};

	if (lstsq_few(&q, r) && (r->rank == t->normal.n || take(t, r)))
		return true;
	lstsq_rank_fini(r);
	*r = (struct lstsq_rank){ .rank = t->normal.n, .first = q.largest };
	return false;
}

/* Computes the answer. Returns false if the call must be left to host.c. */
static bool attempt(struct task *t, struct args *a)
{
	struct lstsq_rank r = { .rank = t->normal.n };
	bool done;

	compute(t);
	if (!qr_normal_told(&t->normal, 1, t->told))
		return false;
	r.first = lstsq_largest(t->told[0]);
	read_values(t);
	t->accurate = !seq_failed(t->normal.s) && is_accurate(t) &&
	              lstsq_is_finite(&t->normal, t->sides, &t->values);
	t->full = t->accurate && lstsq_has_full_rank(a, t->told[0]);
	if (t->full && !dense_has(a, LSTSQ_S))
		done = true;
	else if (t->accurate && lstsq_few_fits(a) && decide(t, &r))
		done = true;
	else if (lstsq_spectral_fits(a, seq_sheet(t->normal.s)))
		done = !seq_failed(t->normal.s) && decompose(t, &r);
	else
		done = t->accurate && reduce(t, &r);
	if (done)
		lstsq_give(&t->normal, t->sides, t->rounded, a, &r);
	if (done && a->quality != QUALITY_NONE)
		a->verdict.residual = lstsq_ratio(&t->normal, t->sides,
		                                  &t->values, &r);
	lstsq_rank_fini(&r);
	return done;
}

int lstsq_normal(struct seq *s, struct args *a)
{
	struct task t = { 0 };
	size_t sums;
	bool done = false;

	if (!lstsq_normal_fits(a, seq_sheet(s)))
		return lstsq_host(s, a);
	t = task_of(a, seq_sheet(s));
	t.normal.s = s;
	sums = t.normal.stack * sums_of(&t);
	t.values.before = malloc((2 * sums + x_count(&t)) * sizeof(double));
	if (!t.values.before)
		return err_set(seq_err(s), ERR_MEMORY, "lstsq: no memory for "
		               "%zu numbers", 2 * sums + x_count(&t));
	t.values.after = t.values.before + sums;
	t.values.x = t.values.after + sums;
	make_room(&t);
	done = attempt(&t, a);
	free(t.values.before);
	if (seq_failed(s))
		return -1;
	return done ? seq_finish(s) : lstsq_host(s, a);
}
