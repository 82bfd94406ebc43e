/* several.c - computes several eigenvalues of one matrix of a stack on the
 * host; see many.h. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ops/eigen/finish.h"
#include "ops/eigen/judge.h"
#include "ops/eigen/load.h"
#include "ops/eigen/pencil.h"
#include "ops/lapack/stack.h"

/* The matrix A, or A and B, that a call of eigen_several() answers. */
struct task {
	const struct lapack_call *call;
	const struct eigen_many *many;
	struct args *a;
	struct eigen_told *told;
	size_t n, index;
	double *x[2];			/* A and B; NULL without B */
	enum eigen_form form;
	int power[2];			/* A and B have been divided by
					 * 2^power */
	bool same[2];			/* A or B is known to equal its
					 * transpose */
	struct balance balance;		/* of A, if set.balanced */
	struct eigen_pencil pencil;	/* of a positive definite B */
	struct eigen_set set;
};

static const struct failure_detail fine = { .code = ERR_NONE };
static const struct failure_detail unsolved = { .code = ERR_CONVERGENCE,
                                                .at = EIGEN_BY_LAPACK };

static struct failure_detail impossible(enum eigen_fault fault, size_t i,
                                        size_t j)
{
	return (struct failure_detail){
		.code = ERR_MATHEMATICS, .at = (int32_t)fault,
		.x = (double)i, .y = (double)j,
	};
}

/* --- the operands */

/* Copies an operand's matrix to column-major order, and scales it. */
static void load(struct task *t, int operand)
{
	t->power[operand] = eigen_load(t->call, operand, t->index,
	                               t->same[operand], t->x[operand]);
}

static struct failure_detail demand_symmetry(struct task *t, int operand)
{
	size_t i, j;

	t->same[operand] = !eigen_differs(t->x[operand], t->n, 0, &i, &j);
	if (t->same[operand])
		return fine;
	if (eigen_differs(t->x[operand], t->n, eigen_slack(t->a), &i, &j))
		return impossible(operand == EIGEN_B ? EIGEN_FAULT_B :
		                  EIGEN_FAULT_NOT_SYMMETRIC, i, j);
	eigen_make_symmetric(t->x[operand], t->n);
	return fine;
}

/* Loads A and finds out whether it is symmetric. */
static struct failure_detail load_a(struct task *t)
{
	size_t i, j;

	load(t, EIGEN_A);
	t->set.symmetric = t->many->structure == EIGEN_SYMMETRIC_STRUCTURE ||
	    (t->many->structure == EIGEN_ANY_STRUCTURE &&
	     !eigen_differs(t->x[EIGEN_A], t->n, 0, &i, &j));
	t->set.single = t->set.symmetric && t->a->dtype == FLOAT32 &&
	                !t->x[EIGEN_B];
	return t->many->structure == EIGEN_SYMMETRIC_STRUCTURE ?
	       demand_symmetry(t, EIGEN_A) : fine;
}

/* Reduces the problem of A and a positive definite B to that of one matrix,
 * which overwrites A, or sets t->form to that of any B. If B is not positive
 * definite, it is factored once more in its own order, because the failure
 * names a leading minor of B. */
static struct failure_detail reduce(struct task *t)
{
	struct eigen_pencil *const p = &t->pencil;
	struct failure_detail d = fine;
	int minor = 1;

	*p = (struct eigen_pencil){
		.l = t->call->l, .form = t->form, .n = t->n,
		.symmetric = t->set.symmetric, .a = t->x[EIGEN_A],
		.b = t->x[EIGEN_B],
	};
	if (eigen_pencil_init(p) < 0)
		return (struct failure_detail){ .code = ERR_MEMORY };
	for (int i = 0; i < 2 && minor > 0; i++) {
		if (i > 0)
			load_a(t);
		load(t, EIGEN_B);
		d = demand_symmetry(t, EIGEN_B);
		minor = d.code == ERR_NONE ? eigen_pencil_reduce(p, i == 0) : 0;
	}
	if (minor == 0 && d.code == ERR_NONE && eigen_pencil_needs_qz(p))
		t->form = EIGEN_GENERAL_PENCIL;
	return minor == 0 ? d : (struct failure_detail){
		.code = ERR_NOT_POSITIVE, .at = minor };
}

/* --- the answer */

/* Turns the vectors of the matrix that was decomposed into those of the
 * operands, and normalises them. */
static void finish(struct task *t, enum balance_side side, double *vectors)
{
	const struct eigen_finish f = {
		.call = t->call, .set = &t->set, .balance = &t->balance,
		.side = side, .dtype = t->a->dtype, .room = t->x[EIGEN_A],
	};

	if (!vectors)
		return;
	if (t->x[EIGEN_B] && !t->set.beta)
		eigen_pencil_back(&t->pencil, side == BALANCE_LEFT, vectors,
		                  t->set.columns);
	eigen_finish(&f, vectors);
}

/* Is A so small that eigenvalues may be stored as denormal numbers? */
static bool is_denormal(const struct task *t)
{
	return t->power[EIGEN_A] < (t->a->dtype == FLOAT32 ?
	    FLT_MIN_EXP + FLT_MANT_DIG : DBL_MIN_EXP + DBL_MANT_DIG);
}

/* Must the residuals of the right eigenvectors be checked? Where elements
 * differ by many orders of magnitude, balancing may make them larger than tol
 * |A|. */
static bool is_checked(const struct task *t)
{
	return t->set.right && t->set.count > 0 && !t->set.symmetric &&
	       !t->x[EIGEN_B] && !is_denormal(t);
}

/* Are residuals computed exactly? If A has been scaled, some may be large and
 * almost equal, and cancel out in the random combination of an estimate. */
static bool is_exact(const struct task *t)
{
	return t->a->quality == QUALITY_FULL ||
	       (is_checked(t) && t->set.balanced &&
	        balance_is_scaled(&t->balance));
}

/* Sets the verdict of this matrix. Loads the operands again, because LAPACK has
 * overwritten them. Returns -1 if there is no memory. */
static int judge(struct task *t)
{
	struct eigen_set *const s = &t->set;
	struct eigen_judged j = {
		.call = t->call, .a = t->x[EIGEN_A], .b = t->x[EIGEN_B],
		.form = t->form, .epsilon = dtype_epsilon(t->a->dtype),
		.full = is_exact(t),
	};
	int power;

	t->told->verdict = verdict_none();
	if (t->a->quality == QUALITY_NONE && !is_checked(t))
		return 0;
	if (s->right)
		load(t, EIGEN_A);
	if (s->right && t->x[EIGEN_B])
		load(t, EIGEN_B);
	eigen_as_stored(s->re, 2 * t->n, t->a->dtype);
	if (s->alpha)
		eigen_as_stored(s->alpha, 3 * t->n, t->a->dtype);
	power = eigen_pencil_power(t->form, t->power);
	for (size_t i = 0; i < 2 * t->n; i++)
		s->re[i] = ldexp(s->re[i], -power);
	return eigen_judge(&j, s, &t->told->verdict);
}

/* Is every |A x - lambda x| at most tol |A|, or of the size of rounding errors?
 * An estimate is a root mean square of the residuals, the largest of which may
 * exceed it by a factor of the square root of their number. */
static bool keeps_promise(const struct task *t)
{
	const double n = (double)t->n, eps = dtype_epsilon(t->a->dtype);
	const double most = t->told->verdict.residual * n * eps *
	    (is_exact(t) ? 1 : sqrt((double)t->set.count));
	const double rounding = 30 * n * DBL_EPSILON + 2 * eps;

	return !is_checked(t) || most <= fmax(rounding, eigen_tol(t->a));
}

/* Are the left eigenvectors equal to the right ones? With A B x = lambda x and
 * B A x = lambda x they are not, although the eigenvectors of the reduced
 * matrix, from which both are computed, are the same if A is symmetric. */
static bool has_equal_sides(const struct task *t)
{
	return t->set.symmetric &&
	       (!t->x[EIGEN_B] || eigen_pencil_divides(t->form, false) ==
	                          eigen_pencil_divides(t->form, true));
}

/* Makes the outputs of a single matrix real if its eigenvalues are. Those of a
 * stack stay complex until all of its matrices have been decomposed. */
static void make_outputs_real(struct task *t)
{
	if (t->a->stack != 1 || eigen_set_is_complex(&t->set))
		return;
	for (size_t i = 0; i < EIGEN_TYPED; i++)
		eigen_make_real(t->a, eigen_typed[i]);
}

static struct failure_detail answer(struct task *t)
{
	struct eigen_set *const s = &t->set;
	const bool equal = has_equal_sides(t);

	if (eigen_form(t->a) != EIGEN_GENERAL_PENCIL ?
	    !eigen_set_fits(s, t->a->dtype) :
	    eigen_gives(t->a, EIGEN_ALPHA_BETA) &&
	    !eigen_pairs_fit(s, t->power, t->a->dtype))
		return impossible(EIGEN_FAULT_BEYOND, 0, 0);
	if (s->symmetric && s->left && !equal)
		memcpy(s->left, s->right, t->n * s->columns * sizeof *s->left);
	finish(t, BALANCE_RIGHT, s->right);
	finish(t, BALANCE_LEFT, equal ? NULL : s->left);
	make_outputs_real(t);
	eigen_put_values(t->a, t->index, s);
	eigen_put_vectors(t->call, &t->a->out[EIGEN_VECTORS], t->index, s,
	                  s->right);
	eigen_put_vectors(t->call, &t->a->out[EIGEN_LEFT_VECTORS], t->index, s,
	                  equal ? s->right : s->left);
	if (s->beta)
		eigen_put_pairs(t->a, t->index, s, t->power);
	t->told->count = s->count;
	t->told->complex = eigen_set_is_complex(s);
	return judge(t) < 0 ? (struct failure_detail){ .code = ERR_MEMORY } :
	                      fine;
}

/* --- one matrix */

/* Balances a general matrix by the exponents of its elements alone, so that no
 * element underflows. xGEEVX would scale the matrix before it balances it, and
 * lose the smallest elements. Returns -1 if there is no memory. */
static int balance(struct task *t)
{
	const struct matrix *m = &t->a->in[EIGEN_A];
	const size_t index = matrix_stack(m) == 1 ? 0 : t->index;

	t->set.balanced = !t->set.symmetric && !t->x[EIGEN_B] &&
	                  !t->set.plain;
	if (!t->set.balanced)
		return 0;
	if (balance_init(&t->balance, t->n) < 0 ||
	    balance_find(&t->balance, m, index, true) < 0)
		return -1;
	t->power[EIGEN_A] = balance_copy(t->call, &t->balance, m, index,
	                                 t->x[EIGEN_A]);
	return 0;
}

static struct failure_detail decompose(struct task *t)
{
	struct eigen_set *const s = &t->set;
	bool solved = false;

	if (balance(t) < 0)
		return (struct failure_detail){ .code = ERR_MEMORY };
	s->device = s->plain ? NULL : t->many->device;
	s->low = s->balanced ? t->balance.low : 0;
	s->high = s->balanced ? t->balance.high : t->n;
	if (eigen_decompose(s, t->call->l, t->x[EIGEN_A],
	                    eigen_pencil_power(t->form, t->power),
	                    &t->many->choice, &solved) < 0)
		return (struct failure_detail){ .code = ERR_MEMORY };
	return solved ? answer(t) : unsolved;
}

/* Decomposes A and any B by the QZ algorithm. */
static struct failure_detail decompose_pair(struct task *t)
{
	bool solved = false;

	load(t, EIGEN_A);
	load(t, EIGEN_B);
	if (eigen_qz(&t->set, t->call->l, t->x[EIGEN_A], t->x[EIGEN_B],
	             &solved) < 0 ||
	    (solved && eigen_set_choose(&t->set, eigen_pencil_power(t->form,
	         t->power), &t->many->choice) < 0))
		return (struct failure_detail){ .code = ERR_MEMORY };
	return solved ? answer(t) : unsolved;
}

/* Decomposes the matrix once more without balancing, so that rounding errors
 * relative to |A| bound the residuals. */
static struct failure_detail decompose_plainly(struct task *t)
{
	struct failure_detail d;

	for (size_t i = 0; i < EIGEN_TYPED; i++)
		eigen_make_complex(t->a, eigen_typed[i]);
	load(t, EIGEN_A);
	t->set.plain = true;
	d = decompose(t);
	return d.code != ERR_NONE || keeps_promise(t) ? d : unsolved;
}

/* Returns whether A needs no copy in t->x, because it is general and will be
 * balanced: balance() copies A itself. */
static bool needs_no_copy(const struct task *t)
{
	if (t->x[EIGEN_B] || t->many->structure == EIGEN_SYMMETRIC_STRUCTURE)
		return false;
	return t->many->structure == EIGEN_GENERAL_STRUCTURE ||
	       eigen_differs_early(&t->a->in[EIGEN_A], t->index);
}

static struct failure_detail work(struct task *t)
{
	const bool any = t->form == EIGEN_GENERAL_PENCIL;
	struct failure_detail d = fine;

	if (!any && !needs_no_copy(t))
		d = load_a(t);
	if (!any && t->x[EIGEN_B] && d.code == ERR_NONE)
		d = reduce(t);
	if (d.code == ERR_NONE)
		d = t->form == EIGEN_GENERAL_PENCIL ? decompose_pair(t) :
		                                      decompose(t);
	return d.code != ERR_NONE || keeps_promise(t) ? d :
	       decompose_plainly(t);
}

struct failure_detail eigen_several(const struct lapack_call *c, size_t index,
                                    void *room)
{
	const size_t n = c->rows;
	struct task t = {
		.call = c, .many = c->how, .a = c->a, .n = n, .index = index,
		.told = &((const struct eigen_many *)c->how)->told[index],
		.form = eigen_form(c->a),
		.x = { room, eigen_has_b(c->a) ? (double *)room + n * n :
		                                 NULL },
	};
	const bool left = eigen_gives(c->a, EIGEN_LEFT_VECTORS);
	struct failure_detail d = { .code = ERR_MEMORY };

	if (eigen_set_init(&t.set, n, eigen_gives(c->a, EIGEN_VECTORS) || left,
	                   left) == 0)
		d = work(&t);
	eigen_set_fini(&t.set);
	balance_fini(&t.balance);
	eigen_pencil_fini(&t.pencil);
	return d;
}
