/* krylov.c - see krylov.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "ops/krylov/krylov.h"

enum {
	REPLACEMENTS = 3,		/* of a residual that was not small */
	RESTARTS = 2,			/* of BiCGStab after a breakdown */
	STALLS = 3			/* cycles of GMRES without a gain */
};

/* A cycle of GMRES gains something if it leaves less than this part of the
 * residual. */
#define GAIN 0.99

/* Elements outside of these powers of two are scaled. */
static const struct range { int least, most; } ranges[] = {
	[FLOAT32] = { -30, 30 }, [FLOAT64] = { -300, 300 },
};

const struct krylov_way *krylov_way_of(enum krylov_method method)
{
	static const struct krylov_way *const ways[] = {
		&krylov_cg, &krylov_minres, &krylov_gmres, &krylov_bicgstab,
		&krylov_stationary,
	};

	for (size_t i = 0; i < COUNT(ways); i++)
		if (ways[i]->method == method)
			return ways[i];
	return NULL;
}

/* --- the matrix */

static int exponent_of(double largest, enum dtype t)
{
	int exponent = 0;

	if (largest > 0)
		frexp(largest, &exponent);
	return exponent >= ranges[t].least && exponent <= ranges[t].most ? 0 :
	       exponent;
}

/* Returns A's values divided by 2^exponent, or no buffer if that is A. */
static struct buf scaled(struct krylov *k)
{
	struct buf to;

	if (k->exponent == 0)
		return (struct buf){ 0 };
	to = seq_scratch(k->s, k->m->nnz * dtype_bytes(k->m->dtype));
	seq_launch(k->s, "krylov_scale",
	           GRID1(size_blocks(k->m->nnz, k->block) * k->items, k->items),
	           ARG_BUF(seq_input(k->s, k->m)), ARG_INT(k->exponent),
	           ARG_BUF(to), ARG_INT(k->m->nnz), ARG_INT(k->block));
	return to;
}

static int check(const struct krylov *k)
{
	const struct krylov_way *way = krylov_way_of(k->wish.method);
	const struct krylov_look *l = &k->look;
	struct err *e = seq_err(k->s);

	if (!seq_sheet(k->s)->float64)
		return err_set(e, ERR_PARAMETER, "solve: %s has no float64, "
		               "which iterations need",
		               seq_sheet(k->s)->name);
	if (k->m->nnz >= INT32_MAX)
		return err_set_at(e, ERR_TOO_LARGE, "/a", "solve: %zu entries, "
		                  "iterations take at most %d", k->m->nnz,
		                  INT32_MAX - 1);
	if (way && way->symmetric && !l->symmetric)
		return err_set_at(e, ERR_MATHEMATICS, "/a", "solve: %s needs a "
		    "symmetric matrix: element (%zu, %zu) is %g and (%zu, %zu) "
		    "is %g; gmres and bicgstab take any matrix", way->name,
		    l->row, l->column, l->above, l->column, l->row, l->below);
	return 0;
}

static const struct krylov_way *choose_way(const struct krylov *k)
{
	const struct krylov_look *l = &k->look;

	if (k->wish.method != METHOD_AUTO)
		return krylov_way_of(k->wish.method);
	return !l->symmetric ? &krylov_gmres : l->positive ? &krylov_cg :
	       &krylov_minres;
}

/* The kinds that auto tries: incomplete factors where M need not be positive
 * definite, the diagonal where it is suitable, none. */
static int choose_factors(struct krylov *k)
{
	const bool symmetric = k->way->symmetric;
	struct err ignored = { 0 };
	int rc = 1;

	if (k->wish.preconditioner != PRECONDITION_AUTO)
		return krylov_factors_init(k, k->wish.preconditioner,
		                           seq_err(k->s));
	if (!symmetric && k->way != &krylov_stationary)
		rc = krylov_factors_init(k, PRECONDITION_ILU0, &ignored);
	if (rc == 1 && (symmetric ? k->look.positive :
	                            k->look.bare == k->n))
		return krylov_factors_init(k, PRECONDITION_JACOBI,
		                           seq_err(k->s));
	return rc == 1 ? krylov_factors_init(k, PRECONDITION_NONE,
	                                     seq_err(k->s)) : rc;
}

/* Sets k->look to what look.c finds out about A, or has found out in an earlier
 * call. */
static int look(struct krylov *k)
{
	struct krylov_known *w = k->known;

	if (w && w->looked) {
		k->look = w->look;
		return 0;
	}
	if (krylov_look(&k->look, k->m, seq_err(k->s)) < 0)
		return -1;
	if (w) {
		w->look = k->look;
		w->looked = true;
	}
	return 0;
}

int krylov_init(struct krylov *k, struct seq *s, const struct matrix *m,
                const struct krylov_wish *wish)
{
	*k = (struct krylov){ .s = s, .wish = *wish, .m = m, .n = m->dim[0] };
	if (wish->method == METHOD_JACOBI)
		k->wish.preconditioner = PRECONDITION_JACOBI;
	krylov_set_blocks(k, seq_sheet(s));
	k->known = krylov_known(m);
	if (look(k) < 0 || check(k) < 0)
		return -1;
	k->exponent = exponent_of(k->look.largest, m->dtype);
	if (spmv_multiplier_init(&k->times, s, m, scaled(k), wish->shared) < 0)
		return -1;
	krylov_make_room(k, NULL);
	k->met = seq_counters(s);
	k->way = choose_way(k);
	return choose_factors(k) == 0 && !seq_failed(s) ? 0 : -1;
}

void krylov_fini(struct krylov *k)
{
	krylov_factors_fini(&k->factors);
	spmv_multiplier_fini(&k->times);
	if (!k->known || !k->known->looked)
		free(k->look.corner);
	free(k->told.history);
	*k = (struct krylov){ 0 };
}

void krylov_told_fini(struct krylov_told *told)
{
	free(told->history);
	told->history = NULL;
}

/* --- one right-hand side */

/* Computes |r| and |x|, and reads the state. */
static void measure(struct krylov *k)
{
	krylov_work(k, 2, 0);
	seq_launch(k->s, "krylov_norms", KRYLOV_GRID(k), ARG_BUF(k->r),
	           ARG_BUF(k->x), KRYLOV_BLOCKS(k), ARG_BUF(k->part));
	krylov_fold(k, k->groups, 2, K_PHASE_TRUE);
	krylov_read(k);
}

/* r = b - A x, summed in float64. */
static void replace(struct krylov *k)
{
	spmv_multiply(k->s, &k->times, -1, k->b, k->x, k->r);
	measure(k);
}

/* Returns |A| in the maximum norm, as A is scaled. */
static double size_of(const struct krylov *k)
{
	return ldexp(k->look.norm, -k->exponent);
}

/* Returns the size of the operator M^-1/2 A M^-1/2: without a preconditioner M,
 * |A|. Otherwise it is 1 / (1 + shift), because M has A's diagonal, multiplied
 * by 1 + shift: that is the value of x^T A x / x^T M x where x is a column of
 * the identity matrix, however A is scaled. */
static double operator_of(const struct krylov *k)
{
	return k->factors.kind == PRECONDITION_NONE ? size_of(k) :
	       1 / (1 + k->factors.shift);
}

/* x = 0, r = b and the state of the first iteration. */
static int begin(struct krylov *k, const struct krylov_side *y, int exponent)
{
	const double zero[K_LENGTH] = {
		[K_LIMIT] = (double)k->wish.most,
		[K_SIZE] = operator_of(k),
		[K_EPSILON] = dtype_epsilon(k->m->dtype),
	};

	k->kept = 0;
	k->told = (struct krylov_told){ 0 };
	seq_write(k->s, k->state, 0, zero, sizeof zero);
	krylov_work(k, 1, 2);
	seq_launch(k->s, "krylov_load", KRYLOV_GRID(k), ARG_BUF(y->b),
	           ARG_LONG(y->at), ARG_LONG(y->stride), ARG_INT(exponent),
	           ARG_BUF(k->r), ARG_BUF(k->x), KRYLOV_BLOCKS(k),
	           ARG_BUF(k->part));
	krylov_copy(k, k->r, k->b);
	measure(k);
	k->norm = k->now[K_TRUE];
	krylov_set(k, K_NORM, k->norm);
	krylov_set(k, K_GOAL, fmax(k->wish.tol * k->norm,
	                           ldexp(k->wish.atol, -exponent)));
	if (!k->wish.history)
		return seq_failed(k->s) ? -1 : 0;
	k->told.history = calloc((size_t)k->wish.most + 2, sizeof(double));
	if (!k->told.history)
		return err_set(seq_err(k->s), ERR_MEMORY, "solve: no memory "
		               "for a history of %lld iterations",
		               (long long)k->wish.most);
	k->told.history[0] = k->norm > 0;
	return seq_failed(k->s) ? -1 : 0;
}

/* What has happened to one right-hand side so far. */
struct course {
	int replacements, breakdowns, stalls;
	double before;			/* the last true residual */
};

/* Decides, after a method has ended with a residual that is too large, whether
 * to go on, perhaps by another method. Else sets the end. */
static bool next(struct krylov *k, struct course *c)
{
	const enum krylov_done why = (enum krylov_done)k->now[K_DONE];
	const bool gained = k->now[K_TRUE] < GAIN * c->before;

	switch (why) {
	case K_CYCLE:
		c->stalls = gained ? 0 : c->stalls + 1;
		k->told.end = END_STAGNATED;
		return c->stalls < STALLS;
	case K_SMALL:
		k->told.end = END_STAGNATED;
		return c->replacements++ < REPLACEMENTS;
	case K_NOT_POSITIVE:
		k->told.end = END_NOT_POSITIVE;
		if (k->wish.method != METHOD_AUTO || k->way != &krylov_cg)
			return false;
		k->way = &krylov_minres;
		return true;
	case K_BREAKDOWN:
		k->told.end = END_BREAKDOWN;
		if (k->way != &krylov_bicgstab)
			return false;
		if (c->breakdowns++ >= RESTARTS)
			k->way = &krylov_gmres;
		return true;
	case K_NOT_POSITIVE_M:
		k->told.end = END_NOT_POSITIVE_M;
		return false;
	case K_EXHAUSTED:
		k->told.end = END_INCONSISTENT;
		return false;
	case K_BEYOND:
		k->told.end = END_BEYOND;
		return false;
	default:
		k->told.end = END_LIMIT;
		return false;
	}
}

static bool goes_on(struct krylov *k, struct course *c)
{
	if (!next(k, c))
		return false;
	k->told.end = END_LIMIT;
	return k->now[K_ITERATIONS] < (double)k->wish.most;
}

/* Iterates until the true residual is small enough, or nothing helps. */
static void iterate(struct krylov *k)
{
	struct course c = { .before = k->norm };
	bool small = k->norm <= k->now[K_GOAL];

	while (!small && !seq_failed(k->s)) {
		k->way->run(k);
		replace(k);
		small = k->now[K_TRUE] <= k->now[K_GOAL];
		if (small || seq_failed(k->s) || !goes_on(k, &c))
			break;
		c.before = k->now[K_TRUE];
		krylov_set(k, K_DONE, K_GOES_ON);
	}
	if (small)
		k->told.end = END_CONVERGED;
}

static double part_of(double x, double all)
{
	return all > 0 ? x / all : 0;
}

static void tell(struct krylov *k)
{
	const double *now = k->now;

	k->told.method = k->way->method;
	k->told.iterations = (int64_t)now[K_ITERATIONS];
	k->told.residual = part_of(now[K_TRUE], k->norm);
	k->told.recurrence = part_of(now[K_NORM], k->norm);
	k->told.backward = part_of(now[K_TRUE], size_of(k) *
	                           now[K_LENGTH_X] + k->norm);
	k->told.witness = now[K_WITNESS];
}

/* May an element of the answer, 2^by x, overflow, or be subnormal and rounded
 * by more than a hundredth of the residual? Rounding changes an element of x by
 * 2^-by times half the least number of its type, and |b - A x| by n |A| times
 * as much at most. */
static bool is_at_the_ends(const struct krylov *k, int by)
{
	const bool single = k->m->dtype == FLOAT32;
	const double half = ldexp(0.5, (single ? -149 : -1074) - by);
	const double least = fmax(k->now[K_TRUE], dtype_epsilon(k->m->dtype) *
	                          k->norm);

	return !(ldexp(k->now[K_LENGTH_X], by) <=
	         (single ? FLT_MAX : DBL_MAX) / 2) ||
	       !((double)k->n * size_of(k) * half <= least / 100);
}

/* Writes the answer: A' x' = b' where A = 2^e A', b = 2^f b': x = 2^(f - e) x'.
 * x may overflow although x' does not, or lose digits to underflow: then the
 * residual is that of x. Only where this is possible the host waits until the
 * kernel has told whether it happens. */
static void store(struct krylov *k, const struct krylov_side *y, int exponent)
{
	const int by = exponent - k->exponent;
	const bool converged = k->told.end == END_CONVERGED;

	krylov_work(k, 1, 1);
	seq_launch(k->s, "krylov_store", KRYLOV_GRID(k), ARG_BUF(k->x),
	           ARG_INT(by), ARG_BUF(y->answer), ARG_LONG(y->at),
	           ARG_LONG(y->stride), KRYLOV_BLOCKS(k), ARG_BUF(k->state));
	if (!is_at_the_ends(k, by))
		return;
	seq_read(k->s, k->state, 0, k->now, sizeof k->now);
	if (k->now[K_OVERFLOWS] != 0) {
		k->told.end = converged ? END_OVERFLOW : k->told.end;
		k->told.residual = k->told.backward = INFINITY;
	} else if (k->now[K_UNDERFLOWS] != 0) {
		replace(k);
		tell(k);
		if (converged && !(k->now[K_TRUE] <= k->now[K_GOAL]))
			k->told.end = END_UNDERFLOW;
	}
}

int krylov_solve(struct krylov *k, const struct krylov_side *y,
                 struct krylov_told *told)
{
	int exponent = 0;

	*told = (struct krylov_told){ 0 };
	if (y->peak > 0)
		frexp(y->peak, &exponent);
	k->way = choose_way(k);
	if (begin(k, y, exponent) < 0)
		return -1;
	iterate(k);
	tell(k);
	store(k, y, exponent);
	*told = k->told;
	k->told.history = NULL;
	/* The witness is a product of two vectors with A or its inverse. */
	told->witness = ldexp(told->witness, 2 * exponent +
	                      (told->end == END_NOT_POSITIVE_M ? -1 : 1) *
	                      k->exponent);
	return seq_failed(k->s) ? -1 : 0;
}
