/* check.c - the accuracy suite's judges pass right results and nothing else;
 * its tables name only what exists; its lines report the worst case. */
#include <math.h>

#include "check/case.h"
#include "check/host.h"
#include "check/rows.h"
#include "check/tally.h"
#include "matrix/sparse.h"
#include "tests/test.h"

#define EACH_ROW(row)                                                     \
	for (const struct check_row *const *t_ = check_tables; *t_; t_++) \
		for (const struct check_row *row = *t_; row->what; row++)

/* A right result, and one element whose change the judge must find. */
static const struct example {
	const char *op, *what, *demand;
	size_t size[3];
	double in[3][4], out[5][4];	/* all operands, the first outputs */
	int output;
	size_t element;
	double wrong;
} examples[] = {
	{ "matmul", "A B", "|C - AB| / k eps|A||B|", { 2, 2, 2 },
	  { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } }, { { 19, 22, 43, 50 } }, 0, 3,
	  50.0001 },
	{ "matmul", "A' B", "|C - AB| / k eps|A||B|", { 2, 2, 2 },
	  { { 1, 3, 2, 4 }, { 5, 6, 7, 8 } }, { { 19, 22, 43, 50 } }, 0, 1,
	  22.0001 },
	{ "matmul", "A B'", "|C - AB| / k eps|A||B|", { 2, 2, 2 },
	  { { 1, 2, 3, 4 }, { 5, 7, 6, 8 } }, { { 19, 22, 43, 50 } }, 0, 2,
	  42.9999 },
	{ "matmul", "A x", "|C - AB| / k eps|A||B|", { 2, 0, 2 },
	  { { 1, 2, 3, 4 }, { 5, 6 } }, { { 17, 39 } }, 0, 0, 39 },
	{ "matmul", "x' B", "|C - AB| / k eps|A||B|", { 0, 2, 2 },
	  { { 5, 6 }, { 1, 2, 3, 4 } }, { { 23, 34 } }, 0, 1, 39 },
	{ "matmul", "A B", "|C - AB| / k eps|A||B|", { 2, 2, 2 },
	  { { 0, 0, 3, 4 }, { 5, 6, 7, 8 } }, { { 0, 0, 43, 50 } }, 0, 0,
	  1e-300 },
	{ "lu", "LAPACK's types", "|PA - LU| / n|A|eps", { 2 },
	  { { 1, 2, 3, 4 } },
	  { { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 }, { 0 }, { -1 } },
	  0, 3, 0.6667 },
	{ "lu", "LAPACK's types", "|PA - LU| / n|A|eps", { 2 },
	  { { 1, 2, 3, 4 } },
	  { { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 }, { 0 }, { -1 } },
	  1, 0, 0 },
	{ "lu", "LAPACK's types", "|L| <= 1", { 2 }, { { 1, 2, 3, 4 } },
	  { { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 }, { 0 }, { -1 } },
	  0, 2, 3 },
	{ "lu", "LAPACK's types", "singular, sign", { 2 }, { { 1, 2, 3, 4 } },
	  { { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 }, { 0 }, { -1 } },
	  3, 0, 1 },
	{ "lu", "LAPACK's types", "singular, sign", { 2 }, { { 1, 2, 3, 4 } },
	  { { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 }, { 0 }, { -1 } },
	  2, 0, 1 },
	{ "lu", "random", "growth / (n+1)", { 2 }, { { 1, 2, 3, 4 } },
	  { { 3, 4, 1.0 / 3, 2 - 4.0 / 3 }, { 1, 1 }, { 0 }, { -1 } },
	  0, 1, 15 },
	{ "lu", "worst growth", "growth off 2^(n-1)", { 2 },
	  { { 1, 1, -1, 1 } }, { { 1, 1, -1, 2 }, { 0, 1 }, { 0 }, { 1 } },
	  0, 3, 1.5 },
	{ "solve", "LAPACK's types", "|b - Ax| / |A||x|eps", { 2 },
	  { { 1, 2, 3, 4 }, { 5, 6 } }, { { -4, 4.5 } }, 0, 1, 4.5001 },
	{ "solve", "LAPACK's types", "|x - A'b| / |x|cond eps", { 2 },
	  { { 1, 2, 3, 4 }, { 5, 6 } }, { { -4, 4.5 } }, 0, 0, -4.0001 },
	{ "solve", "LAPACK's types", "backward error / eps", { 2 },
	  { { 1, 2, 3, 4 }, { 5, 6 } }, { { -4, 4.5 } }, 0, 0,
	  -4.00000000000001 },
	{ "eigen", "symmetric", "|Av - lv| / promised", { 2 },
	  { { 2, 1, 1, 2 } }, { { 3 }, { M_SQRT1_2, M_SQRT1_2 } },
	  1, 0, 0.8 },
	{ "eigen", "symmetric", "||v| - 1| / n eps", { 2 },
	  { { 2, 1, 1, 2 } }, { { 3 }, { M_SQRT1_2, M_SQRT1_2 } },
	  1, 1, 0.7072 },
	{ "eigen", "symmetric", "none larger, Cholesky", { 2 },
	  { { 2, 1, 1, 2 } }, { { 3 }, { M_SQRT1_2, M_SQRT1_2 } }, 0, 0, 1 },
	{ "eigen", "positive", "l in Collatz's bounds", { 2 },
	  { { 2, 1, 1, 2 } }, { { 3 }, { M_SQRT1_2, M_SQRT1_2 } }, 0, 0,
	  3.001 },
	{ "eigen", "positive", "its bracket holds l", { 2 },
	  { { 2, 1, 1, 2 } },
	  { { 3 }, { M_SQRT1_2, M_SQRT1_2 }, { 1 }, { 1 }, { 3, 3 } }, 4, 1,
	  2.9999 },
	{ "eigen", "general", "l from host's QR", { 2 },
	  { { 2, 1, 1, 2 } }, { { 3 }, { M_SQRT1_2, M_SQRT1_2 } }, 0, 0, 1 },
	{ "reduce", "any length", "error / any order's", { 3 },
	  { { 1, 2, 4 } }, { { 7 } }, 0, 0, 7.0001 },
	{ "reduce", "any length", "error / promised", { 3 },
	  { { 1e16, 1, -1e16 } }, { { 1 } }, 0, 0, 2 },
	{ "reduce", "columns", "error / any order's", { 2, 2 },
	  { { 1, 2, 3, 4 } }, { { 0 }, { 4, 6 } }, 1, 1, 7 },
	{ "reduce", "rows", "error / any order's", { 2, 2 },
	  { { 1, 2, 3, 4 } }, { { 0 }, { 3, 7 } }, 1, 0, 7 },
	{ "transpose", "matrices", "wrong elements", { 2, 2 },
	  { { 1, 2, 3, 4 } }, { { 1, 3, 2, 4 } }, 0, 1, 2 },
	{ "permute", "square", "wrong elements", { 2 },
	  { { 1, 2, 3, 4 }, { 1, 0 } }, { { 3, 4, 1, 2 } }, 0, 0, 1 },
	{ "spmv", "y = A x", "|y - Ax| / k eps|A||x|", { 2, 2 },
	  { { 1, 0, 3, 4 }, { 5, 6 } }, { { 5, 39 } }, 0, 0, 5.0001 },
	{ "spmv", "y = A^3 x", "|y - Ax| / k eps|A||x|", { 2, 2 },
	  { { 0, 2, 2, 0 }, { 5, 6 } }, { { 48, 40 } }, 0, 1, 24 },
	{ "jacobi", "permutations", "|b - Ax| / tol |b|", { 2 },
	  { { 2, 0, 0, 4 }, { 2, 2 } }, { { 1, 0.5 } }, 0, 0, 1.001 },
	{ "jacobi", "identities", "x off plain steps", { 2 },
	  { { 2, 0, 0, 4 }, { 2, 2 } }, { { 1, 0.5 } }, 0, 0, 1.001 },
};

static const struct judge *judge_of(const struct check_row *row,
                                    const char *demand)
{
	for (const struct judge *j = row->judges; j && j->what; j++)
		if (strcmp(j->what, demand) == 0)
			return j;
	return NULL;
}

/* The row for float64 and its judge. */
static const struct check_row *row_of(const struct example *x,
                                      const struct judge **j)
{
	EACH_ROW(row)
		if (strcmp(row->op, x->op) == 0 &&
		    strcmp(row->what, x->what) == 0 &&
		    (!row->dtypes || row->dtypes & DTYPE_BIT(FLOAT64)) &&
		    (*j = judge_of(row, x->demand)))
			return row;
	return NULL;
}

static void set_values(struct matrix *m, const double *values)
{
	for (size_t i = 0; m->ndim != MATRIX_ABSENT &&
	     i < matrix_elements(m); i++)
		matrix_set(m, i, values[i]);
}

static void set_params(struct args *a, const struct check_row *row)
{
	struct err e = { 0 };

	for (const char *const *p = row->params; *p; p += 2) {
		const int i = op_param(a->op, p[0]);

		ck_assert_msg(i >= 0, "%s has no %s", row->op, p[0]);
		ck_ok(args_set(a, i, p[1], &e), &e);
	}
}

static void set_operand(struct args *a, int i, const char *letters,
                        const struct example *x)
{
	struct matrix *m = &a->in[i];
	struct err e = { 0 };

	*m = (struct matrix){ .dtype = FLOAT64 };
	for (const char *l = letters; *l; l++)
		m->dim[m->ndim++] = x->size[strchr("mnk", *l) - "mnk"];
	ck_ok(matrix_alloc(m, test_pool, &e), &e);
	set_values(m, x->in[i]);
	ck_ok(sparse_convert(m, a->op->inputs[i].layout, test_pool, &e), &e);
}

/* Sets up the call with its right result. */
static void answered(struct args *a, const struct check_row *row,
                     const struct example *x)
{
	struct err e = { 0 };

	args_init(a, op_find(row->op));
	set_params(a, row);
	for (int i = 0; row->operands[i]; i++)
		set_operand(a, i, row->operands[i], x);
	ck_ok(args_check(a, &e), &e);
	ck_ok(args_alloc(a, test_pool, &e), &e);
	for (int i = 0; a->op->outputs[i].name && i < 5; i++)
		set_values(&a->out[i], x->out[i]);
}

/* Does the judge pass the right result, and reject it with that element
 * changed? */
static bool passes(const struct example *x, double changed)
{
	const struct judge *j = NULL;
	const struct check_row *row = row_of(x, &j);
	struct args a;
	double value;

	ck_assert_msg(row != NULL, "%s, %s: no row", x->op, x->what);
	answered(&a, row, x);
	if (changed != HUGE_VAL)
		matrix_set(&a.out[x->output], x->element, changed);
	value = j->value(&a);
	args_fini(&a);
	return value <= j->threshold;
}

START_TEST(a_right_result_passes)
{
	ck_assert_msg(passes(&examples[_i], HUGE_VAL), "%s, %s: %s",
	              examples[_i].op, examples[_i].what, examples[_i].demand);
}
END_TEST

START_TEST(a_wrong_element_fails)
{
	ck_assert_msg(!passes(&examples[_i], examples[_i].wrong),
	              "%s, %s: %s", examples[_i].op, examples[_i].what,
	              examples[_i].demand);
}
END_TEST

/* Booleans and indices have no NaN. */
START_TEST(nan_is_not_taken_for_right)
{
	if (examples[_i].output == 0)
		ck_assert_msg(!passes(&examples[_i], NAN), "%s, %s: %s",
		              examples[_i].op, examples[_i].what,
		              examples[_i].demand);
}
END_TEST

START_TEST(every_operation_has_rows)
{
	for (const struct op *const *o = ops; *o; o++) {
		bool found = false;

		EACH_ROW(row)
			found |= strcmp(row->op, (*o)->name) == 0;
		ck_assert_msg(found, "%s", (*o)->name);
	}
}
END_TEST

START_TEST(rows_name_what_their_operation_has)
{
	EACH_ROW(row) {
		const struct op *o = row->itself ? row->itself :
		                     op_find(row->op);
		struct args a;
		int n = 0;

		ck_assert_msg(o != NULL, "%s", row->op);
		args_init(&a, o);
		set_params(&a, row);
		for (; row->operands[n]; n++)
			ck_assert(o->inputs[n].name != NULL);
		for (; o->inputs[n].name; n++)
			ck_assert(o->inputs[n].optional);
		ck_assert(!row->vary || o->params[op_param(o, row->vary)]
		          .type == PARAM_CHOICE);
		ck_assert((row->judges != NULL) != (row->refusal != ERR_NONE));
		ck_assert(row->kinds[0].name && !CHECK_IS_END(row->sizes[0]));
		ck_assert((row->repeats > 0) == (row->repeat != NULL));
	}
}
END_TEST

START_TEST(a_line_tells_its_worst_case)
{
	struct tally t = { 0 };

	tally_add(&t, 1, 2, "first", "");
	tally_add(&t, 3, 2, "second", "why");
	tally_add(&t, 2, 2, "third", "");
	ck_assert_uint_eq(t.cases, 3);
	ck_assert_uint_eq(t.failures, 1);
	ck_assert_double_eq(t.worst, 3);
	ck_assert_str_eq(t.where, "second");
	ck_assert_str_eq(t.why, "why");
	tally_add(&t, NAN, 2, "fourth", "");
	tally_add(&t, INFINITY, 2, "fifth", "");
	ck_assert_uint_eq(t.failures, 3);
	ck_assert_str_eq(t.where, "fourth");
}
END_TEST

START_TEST(the_host_inverts_what_is_regular)
{
	long double a[] = { 0, 2, 4, 1 }, inverse[4];
	const long double want[] = { -0.125L, 0.25L, 0.5L, 0 };
	long double singular[] = { 1, 2, 2, 4 };

	ck_assert(host_invert(a, inverse, 2));
	for (int i = 0; i < 4; i++)
		ck_assert_ldouble_eq_tol(inverse[i], want[i], 1e-18L);
	ck_assert(!host_invert(singular, inverse, 2));
}
END_TEST

START_TEST(the_host_knows_definite_matrices)
{
	long double definite[] = { 2, 1, 1, 2 }, not[] = { 1, 2, 2, 1 };
	long double semidefinite[] = { 1, 1, 1, 1 };

	ck_assert(host_is_definite(definite, 2));
	ck_assert(!host_is_definite(not, 2));
	ck_assert(!host_is_definite(semidefinite, 2));
}
END_TEST

/* --- stacks of 0 matrices */

static int refuse_to_fill(const struct kind *k, struct args *a, struct err *e)
{
	(void)a;
	return err_set(e, ERR_INTERNAL, "%s: was filled", k->name);
}

static double refuse_to_judge(const struct args *a)
{
	(void)a;
	return NAN;
}

/* Prepares the row's case for a stack of 0 matrices of that kind, and asserts
 * that none of its judges is called. Returns false for a row whose operation
 * takes no stack. */
static bool try_none(const struct check_row *row, const struct kind *k)
{
	const struct judge judge = { "no judge", refuse_to_judge, 0 };
	size_t size[3] = { 3, 3, 3 };
	struct check_case c = {
		.row = row, .op = op_find(row->op), .dtype = FLOAT64,
		.kind = k, .size = size,
	};
	struct err e = { 0 };
	struct args a;

	size[strchr("mnk", row->operands[0][0]) - "mnk"] = 0;
	if (check_prepare(&c, test_pool, &a, &e) == 0) {
		ck_assert_uint_eq(matrix_elements(&a.in[0]), 0);
		ck_assert_double_eq(check_value(&judge, &a), 0);
	}
	ck_assert_msg(e.code != ERR_INTERNAL, "%s, %s: %s", row->op,
	              row->what, e.text);
	args_fini(&a);
	return e.code == ERR_NONE;
}

START_TEST(a_stack_of_no_matrices_is_neither_filled_nor_judged)
{
	const struct kind filled = KIND("stack", refuse_to_fill);
	int tried = 0;

	EACH_ROW(row) {
		const char *letters = row->operands[0];
		const bool stack = strlen(letters) == 3 && letters[0] !=
		    letters[1] && letters[0] != letters[2];

		if (!stack || row->itself || strcmp(row->op, "reduce") == 0)
			continue;
		for (const struct kind *k = check_lapack_kinds; k->name; k++)
			try_none(row, k);
		tried += try_none(row, &filled);
	}
	ck_assert_int_gt(tried, 5);
}
END_TEST

TCase *tcase_check(void)
{
	TCase *t = tcase_create("check");

	tcase_add_loop_test(t, a_right_result_passes, 0, COUNT(examples));
	tcase_add_loop_test(t, a_wrong_element_fails, 0, COUNT(examples));
	tcase_add_loop_test(t, nan_is_not_taken_for_right, 0,
	                    COUNT(examples));
	tcase_add_test(t,
	               a_stack_of_no_matrices_is_neither_filled_nor_judged);
	tcase_add_test(t, every_operation_has_rows);
	tcase_add_test(t, rows_name_what_their_operation_has);
	tcase_add_test(t, a_line_tells_its_worst_case);
	tcase_add_test(t, the_host_inverts_what_is_regular);
	tcase_add_test(t, the_host_knows_definite_matrices);
	return t;
}
