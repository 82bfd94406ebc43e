/* run.c - rounds and stages. Rounds are queued in bursts, so that the host
 * reads a few numbers only once a burst.
 *
 * Convergence is decided by |b - A x| in float64 alone. A float64 round
 * computes it as it goes, and once it is small enough a flag on the device
 * makes the rounds queued after it do nothing. After a burst of other rounds it
 * takes an additional float64 round, whose y is discarded. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/size.h"
#include "matrix/sparse.h"
#include "ops/jacobi/jacobi.h"
#include "shared/jacobi_state.h"

enum {
	BURST = 16, ITEMS = 64,
	DEFAULT_LIMIT = 1000,		/* updates, without a schedule */
	WINDOW_LEAST = 50, WINDOW_MOST = 5000,
};

/* The iteration diverges if the residual is more than this many times |b| and
 * larger than a window of rounds before. Smaller residuals may still converge:
 * where the iteration matrix is far from normal, the residual may first grow by
 * any factor. If that matrix is nilpotent of order n, growth ends within n
 * rounds (N. J. Higham, P. A. Knight, Matrix Powers in Finite Precision
 * Arithmetic, 1995); therefore a window has n rounds, and the first is not
 * judged. */
#define DIVERGED 1e10

struct iteration {
	struct seq *s;
	const struct jacobi_kernels *k;
	struct jacobi_system y;
	const struct swap *swap;
	double omega, tol;
	int64_t steps[STAGES], limit;
	bool detects;			/* divergence; see DIVERGED */
	int64_t window, judged;		/* rounds; `rounds` when last judged */
	double before;			/* |b - A x| when last judged */
	struct buf state, part;
	struct buf x64[2], x32[2];
	int at64, at32;			/* index of x in x64[] and x32[] */
	int64_t rounds;
	double now[STATE_LENGTH];	/* the state as last read */
};

/* What a mixed round reads and writes beside x64 and y64, and what a second
 * kernel copies from y64 after it. */
static const struct swap {
	bool reads32, writes32, copies32, copies64;
} swaps[] = {
	[SWAP_COPY] = { true, false, true, true },
	[SWAP_CAST] = { false, false, false, false },
	[SWAP_WRITE_BOTH] = { true, true, false, false },
	[SWAP_HYBRID] = { true, false, true, false },
};

void jacobi_steps(const struct args *a, int64_t steps[STAGES])
{
	const double *schedule = &a->param[JACOBI_P_SCHEDULE];
	const bool scheduled = !isnan(schedule[0]);
	const int64_t most = (int64_t)args_real(a, JACOBI_P_MAX_ITERATIONS,
	    scheduled ? schedule[0] + schedule[1] + schedule[2] :
	                DEFAULT_LIMIT);
	int64_t left = most;

	for (int i = 0; i < STAGES; i++) {
		steps[i] = i == (int)a->param[JACOBI_P_PRECISION] ? most : 0;
		if (scheduled)
			steps[i] = (int64_t)schedule[i];
		steps[i] = steps[i] < left ? steps[i] : left;
		left -= steps[i];
	}
}

static struct grid blocks_of(const struct iteration *t)
{
	return GRID1(t->y.blocks * t->k->local, t->k->local);
}

/* y64 = x64 + omega D^-1 (b - A x), multiplying the entries of each row that
 * lie before `split` in float32. */
static void launch_round(struct iteration *t, struct buf split,
                         struct buf x32, struct buf y32)
{
	const struct jacobi_system *y = &t->y;
	const double n = (double)y->n, nnz = (double)y->nnz;

	seq_work(t->s, 2 * nnz + 5 * n, (split.id == y->start.id ? 12 : 8) *
	                                nnz + 40 * n);
	seq_launch(t->s, t->k->round, blocks_of(t), ARG_BUF(t->state),
	           ARG_BUF(y->block), ARG_BUF(y->start), ARG_BUF(split),
	           ARG_BUF(y->column), ARG_BUF(y->value), ARG_BUF(y->single),
	           ARG_BUF(y->diagonal), ARG_BUF(y->b), ARG_BUF(y->place),
	           ARG_BUF(t->x64[t->at64]), ARG_BUF(t->x64[!t->at64]),
	           ARG_BUF(x32), ARG_BUF(y32), ARG_DOUBLE(t->omega),
	           ARG_BUF(t->part));
}

/* Folds the parts of the last round into the state, as those of update number
 * `rounds` of x. */
static void fold(struct iteration *t, int64_t rounds)
{
	seq_launch(t->s, t->k->fold, GRID1(t->k->local, t->k->local),
	           ARG_BUF(t->part), ARG_INT(t->y.blocks), ARG_BUF(t->state),
	           ARG_DOUBLE(rounds));
}

static void read_state(struct iteration *t)
{
	seq_read(t->s, t->state, 0, t->now, sizeof t->now);
}

static void round_float32(struct iteration *t)
{
	const struct jacobi_system *y = &t->y;
	const double n = (double)y->n, nnz = (double)y->nnz;

	/* y32 = x32 + omega D^-1 (b - A x) */
	seq_work(t->s, 2 * nnz + 5 * n, 8 * nnz + 32 * n);
	seq_launch(t->s, t->k->round_float32, blocks_of(t), ARG_BUF(t->state),
	           ARG_BUF(y->block), ARG_BUF(y->start), ARG_BUF(y->column),
	           ARG_BUF(y->single), ARG_BUF(y->diagonal), ARG_BUF(y->b),
	           ARG_BUF(y->place), ARG_BUF(t->x32[t->at32]),
	           ARG_BUF(t->x32[!t->at32]), ARG_FLOAT(t->omega));
	t->at32 = !t->at32;
}

static void round_mixed(struct iteration *t)
{
	const struct swap *w = t->swap;
	const struct buf none = { 0 };

	launch_round(t, t->y.split, w->reads32 ? t->x32[t->at32] : none,
	             w->writes32 ? t->x32[!t->at32] : none);
	/* x32 = y64, x64 = y64 */
	if (w->copies32)
		seq_launch(t->s, "jacobi_copy", GRID1(t->y.n, ITEMS),
		           ARG_BUF(t->x64[!t->at64]),
		           ARG_BUF(w->copies64 ? t->x64[t->at64] : none),
		           ARG_BUF(t->x32[t->at32]), ARG_INT(t->y.n));
	t->at64 ^= !w->copies64;
	t->at32 ^= w->writes32;
}

/* Reads the state for the x that a stage left, after a float64 round. */
static void look(struct iteration *t, enum jacobi_stage stage)
{
	const struct buf none = { 0 };

	/* x64 = x32 */
	if (stage == STAGE_FLOAT32)
		seq_launch(t->s, "jacobi_widen", GRID1(t->y.n, ITEMS),
		           ARG_BUF(t->x32[t->at32]),
		           ARG_BUF(t->x64[t->at64]), ARG_INT(t->y.n));
	launch_round(t, t->y.start, none, none);
	fold(t, t->rounds);
	read_state(t);
}

static void burst_with_float32(struct iteration *t, enum jacobi_stage stage,
                               int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		(stage == STAGE_MIXED ? round_mixed : round_float32)(t);
	t->rounds += count;
	look(t, stage);
}

static void burst_float64(struct iteration *t, enum jacobi_stage stage,
                          int64_t count)
{
	const struct buf none = { 0 };
	const int at = t->at64;
	const int64_t before = t->rounds;

	(void)stage;
	for (int64_t i = 0; i < count; i++) {
		launch_round(t, t->y.start, none, none);
		fold(t, t->rounds + i + 1);
		t->at64 = !t->at64;
	}
	read_state(t);
	t->rounds = (int64_t)t->now[STATE_ROUNDS];
	t->at64 = at ^ ((t->rounds - before) & 1);
}

/* Ends the iteration if the residual has grown over a window; see DIVERGED. */
static void judge_growth(struct iteration *t)
{
	const double norm = t->now[STATE_NORM];

	if (!t->detects || t->now[STATE_DONE] != DONE_NOT ||
	    t->rounds - t->judged < t->window)
		return;
	if (t->judged && norm > DIVERGED * t->y.norm && norm > t->before)
		t->now[STATE_DONE] = DONE_DIVERGED;
	t->judged = t->rounds;
	t->before = norm;
}

static bool going_on(const struct iteration *t)
{
	return !seq_failed(t->s) && t->now[STATE_DONE] == DONE_NOT;
}

static void run_stages(struct iteration *t)
{
	static void (*const burst[STAGES])(struct iteration *,
	                                   enum jacobi_stage, int64_t) = {
		[STAGE_FLOAT32] = burst_with_float32,
		[STAGE_MIXED] = burst_with_float32,
		[STAGE_FLOAT64] = burst_float64,
	};

	for (int i = 0; i < STAGES; i++)
		while (t->steps[i] > 0 && going_on(t)) {
			const int64_t n = t->steps[i] < BURST ? t->steps[i] :
			                  BURST;

			burst[i](t, (enum jacobi_stage)i, n);
			judge_growth(t);
			t->steps[i] -= n;
			seq_progress(t->s, (double)t->rounds /
			                   (double)t->limit);
		}
	if (going_on(t))
		look(t, STAGE_FLOAT64);
}

static void iteration_alloc(struct iteration *t, bool single)
{
	const double zero = 0;
	const size_t n = t->y.n;

	t->now[STATE_GOAL] = t->tol * t->y.norm;
	t->now[STATE_LIMIT] = DBL_MAX;
	/* b = 0 has the answer x = 0. */
	if (t->y.norm == 0)
		t->now[STATE_DONE] = DONE_CONVERGED;
	t->window = (int64_t)size_max(WINDOW_LEAST, size_min(n, WINDOW_MOST));
	t->state = seq_constant(t->s, t->now, sizeof t->now);
	t->part = seq_scratch(t->s, t->y.blocks * sizeof(double));
	for (int i = 0; i < 2; i++) {
		t->x64[i] = seq_scratch(t->s, n * sizeof(double));
		if (single)
			t->x32[i] = seq_scratch(t->s, n * sizeof(float));
	}
	seq_fill(t->s, t->x64[0], 0, n * sizeof(double), &zero, sizeof zero);
	if (single)
		seq_fill(t->s, t->x32[0], 0, n * sizeof(float),
		         &(float){ 0 }, sizeof(float));
}

/* Returns -1 with the error (status 422) of an x that did not converge, and 0
 * if x converged or `partial` is set. */
static int verdict(struct iteration *t, bool partial)
{
	const double norm = t->now[STATE_NORM] / t->y.norm;

	if (seq_failed(t->s))
		return -1;
	if (t->now[STATE_DONE] == DONE_DIVERGED && !isfinite(norm))
		return err_set_at(seq_err(t->s), ERR_CONVERGENCE, "/a",
		    "jacobi: diverges: after %lld iterations the residual is "
		    "beyond float64", (long long)t->rounds);
	if (t->now[STATE_DONE] == DONE_DIVERGED)
		return err_set_at(seq_err(t->s), ERR_CONVERGENCE, "/a",
		    "jacobi: diverges: the relative residual is %.3g after "
		    "%lld iterations and has grown for %lld; "
		    "detect_divergence=false goes on", norm,
		    (long long)t->rounds, (long long)t->window);
	if (t->now[STATE_DONE] == DONE_CONVERGED || partial)
		return 0;
	return err_set_at(seq_err(t->s), ERR_CONVERGENCE, "/a", "jacobi: did "
	    "not converge in %lld iterations: the relative residual is %.3g, "
	    "tol is %.3g%s", (long long)t->rounds, norm, t->tol, norm > 1 ?
	    "; it has grown: the iteration may diverge" : "");
}

static void write_x(struct iteration *t, struct args *a)
{
	seq_set_dtype(t->s, a->dtype);
	seq_launch(t->s, "jacobi_end", GRID1(t->y.n, ITEMS),
	           ARG_BUF(t->x64[t->at64]), ARG_BUF(t->y.order),
	           ARG_INT(t->y.exponent),
	           ARG_BUF(seq_output(t->s, &a->out[JACOBI_X])),
	           ARG_INT(t->y.n), ARG_BUF(t->state));
	read_state(t);
}

/* Returns whether an answer with subnormal elements, whose rounding x64 now
 * has, is still converged. */
static bool is_still_converged(struct iteration *t)
{
	const double going = DONE_NOT;

	seq_set_dtype(t->s, FLOAT64);
	seq_write(t->s, t->state, STATE_DONE * sizeof going, &going,
	          sizeof going);
	look(t, STAGE_FLOAT64);
	return t->now[STATE_DONE] == DONE_CONVERGED;
}

/* x may overflow where x64, which is in other units, does not. Then the answer
 * is no solution, whatever its residual in those units is. */
static int answer(struct iteration *t, struct args *a)
{
	const bool partial = a->param[JACOBI_P_ALLOW_PARTIAL] != 0;
	bool overflows;

	if (a->out[JACOBI_X].memory)
		write_x(t, a);
	overflows = t->now[STATE_OVERFLOWS] != 0;
	if (overflows && !partial)
		return err_set_at(seq_err(t->s), ERR_CONVERGENCE, "/a",
		    "jacobi: finds an x that overflows after %lld iterations",
		    (long long)t->rounds);
	if (t->now[STATE_UNDERFLOWS] != 0 &&
	    t->now[STATE_DONE] == DONE_CONVERGED && !is_still_converged(t) &&
	    !partial)
		return err_set_at(seq_err(t->s), ERR_CONVERGENCE, "/a",
		    "jacobi: finds an x that underflows: after %lld iterations "
		    "the relative residual is %.3g where its elements are "
		    "subnormal, tol is %.3g", (long long)t->rounds,
		    t->now[STATE_NORM] / t->y.norm, t->tol);
	if (a->out[JACOBI_ITERATIONS].memory)
		matrix_set(&a->out[JACOBI_ITERATIONS], 0, (double)t->rounds);
	if (a->out[JACOBI_CONVERGED].memory)
		matrix_set(&a->out[JACOBI_CONVERGED], 0, !overflows &&
		           t->now[STATE_DONE] == DONE_CONVERGED);
	return 0;
}

/* Returns the default of tol, which depends on the precision of the last
 * stage. */
static double default_tol(const struct args *a, const int64_t steps[STAGES])
{
	return a->dtype == FLOAT32 || steps[STAGE_FLOAT64] == 0 ? 1e-5 : 1e-8;
}

int jacobi_run(struct seq *s, struct args *a, const struct jacobi_kernels *k)
{
	struct iteration t = {
		.s = s, .k = k, .swap = &swaps[(int)a->param[JACOBI_P_SWAP]],
		.omega = a->param[JACOBI_P_OMEGA],
		.detects = a->param[JACOBI_P_DETECT_DIVERGENCE] != 0,
	};
	bool single;

	if (!seq_sheet(s)->float64)
		return err_set(seq_err(s), ERR_PARAMETER, "jacobi: %s has no "
		               "float64", seq_sheet(s)->name);
	jacobi_steps(a, t.steps);
	for (int i = 0; i < STAGES; i++)
		t.limit += t.steps[i];
	t.tol = args_real(a, JACOBI_P_TOL, default_tol(a, t.steps));
	single = t.steps[STAGE_FLOAT32] + t.steps[STAGE_MIXED] > 0;
	seq_set_dtype(s, FLOAT64);
	if (jacobi_system(s, a, k, single, t.steps[STAGE_FLOAT32] > 0,
	                  &t.y) < 0)
		return -1;
	iteration_alloc(&t, single);
	run_stages(&t);
	if (verdict(&t, a->param[JACOBI_P_ALLOW_PARTIAL] != 0) < 0)
		return -1;
	if (answer(&t, a) < 0)
		return -1;
	return seq_finish(s);
}
