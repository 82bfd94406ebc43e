/* ways.c - every permutation, precision, selection and swap gives the same x
 * within its precision, and those that only move numbers give the same bits. */
#include "tests/ops/jacobi/jacobi.h"

static const char *const permutations[] = { "none", "row", "symmetric" };
static const char *const selections[] = { "row", "entry", "composite" };
static const char *const swaps[] = { "copy", "cast", "write-both", "hybrid" };

static const struct precision {
	const char *name, *tol;
	double error;
} precisions[] = {
	{ "float64", "1e-12", 1e-12 }, { "mixed", "1e-6", 1e-6 },
	{ "float32", "1e-5", 1e-5 },
};

static void one_way(const struct system *y, const char *variant,
                    const struct precision *p, int permutation, int selection,
                    int swap)
{
	struct args r;

	op_run("jacobi", y->in, 2, &r, "variant", variant, "precision",
	       p->name, "tol", p->tol, "permutation",
	       permutations[permutation], "selection", selections[selection],
	       "swap", swaps[swap], NULL);
	ck_assert_msg(relative_residual(y, &r.out[0]) <=
	              residual_limit(y, p->error),
	              "%s %s %s %s %s: residual %g", variant, p->name,
	              permutations[permutation], selections[selection],
	              swaps[swap], relative_residual(y, &r.out[0]));
	ck_assert_double_le(relative_error(y, &r.out[0]), 100 * p->error);
	ck_assert(matrix_get(&r.out[2], 0) == 1);
	args_fini(&r);
}

static void every_way(const struct system *y, const char *variant)
{
	for (size_t p = 0; p < COUNT(precisions); p++)
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 3; j++)
				for (int k = 0; k < 4; k++)
					one_way(y, variant, &precisions[p], i,
					        j, k);
}

static void solve_all(const struct variant *v)
{
	struct system systems[] = { stencil(FLOAT64, 12),
	                            graded(FLOAT64, 150) };

	for (size_t i = 0; i < COUNT(systems); i++) {
		every_way(&systems[i], v->name);
		system_fini(&systems[i]);
	}
}

START_TEST(every_way_to_x_solves)
{
	each_variant("jacobi", solve_all);
}
END_TEST

static void sizes_of(const struct variant *v)
{
	static const size_t sizes[] = { 1, 2, 3, 5, 10, 50, 127, 128, 129, 257,
		1000 };

	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct system y = graded(FLOAT64, sizes[i]);

		one_way(&y, v->name, &precisions[0], 2, 0, 0);
		one_way(&y, v->name, &precisions[1], 1, 1, 2);
		system_fini(&y);
	}
}

START_TEST(sizes_round_a_block_of_rows)
{
	each_variant("jacobi", sizes_of);
}
END_TEST

/* Blocks are limited by rows and by entries; a row may have more entries than a
 * block. */
static void large(const struct variant *v)
{
	struct system systems[] = { stencil(FLOAT64, 70),
	                            graded(FLOAT64, 20011) };

	for (size_t i = 0; i < COUNT(systems); i++) {
		one_way(&systems[i], v->name, &precisions[0], 1, 0, 0);
		one_way(&systems[i], v->name, &precisions[1], 2, 2, 3);
		system_fini(&systems[i]);
	}
}

START_TEST(many_blocks_and_a_long_row)
{
	each_variant("jacobi", large);
}
END_TEST

static void assert_same(const struct args *r, const struct args *first,
                        const char *what)
{
	ck_assert_msg(memcmp(matrix_data(&r->out[0]),
	                     matrix_data(&first->out[0]),
	                     matrix_size(&first->out[0])) == 0, "%s", what);
	ck_assert_double_eq(matrix_get(&r->out[1], 0),
	                    matrix_get(&first->out[1], 0));
}

static void swap_bits(const struct variant *v)
{
	struct system y = graded(FLOAT64, 300);

	for (int i = 0; i < 3; i++) {
		struct args first, r;

		for (int k = 0; k < 4; k++) {
			struct args *to = k == 0 ? &first : &r;

			op_run("jacobi", y.in, 2, to, "variant", v->name,
			       "selection", selections[i], "swap", swaps[k],
			       "schedule", "3,30,0", "tol", "1e-6", NULL);
			if (k == 0)
				continue;
			assert_same(&r, &first, swaps[k]);
			args_fini(&r);
		}
		args_fini(&first);
	}
	system_fini(&y);
}

START_TEST(swaps_give_the_same_bits)
{
	each_variant("jacobi", swap_bits);
}
END_TEST

static void run_twice(const struct variant *v)
{
	struct system y = graded(FLOAT64, 5000);
	struct args first, r;

	op_run("jacobi", y.in, 2, &first, "variant", v->name, "tol", "1e-13",
	       NULL);
	op_run("jacobi", y.in, 2, &r, "variant", v->name, "tol", "1e-13",
	       NULL);
	assert_same(&r, &first, "the second run");
	args_fini(&first);
	args_fini(&r);
	system_fini(&y);
}

START_TEST(a_second_run_gives_the_same_bits)
{
	each_variant("jacobi", run_twice);
}
END_TEST

/* Storage in float32 with arithmetic in float64: x is rounded once. */
static void stored(const struct variant *v)
{
	struct system y = stencil(FLOAT32, 10);
	struct args r;

	op_run("jacobi", y.in, 2, &r, "variant", v->name, "tol", "1e-12",
	       NULL);
	ck_assert_int_eq(r.out[0].dtype, FLOAT32);
	ck_assert_double_le(relative_error(&y, &r.out[0]), 2 * 0x1p-23);
	args_fini(&r);
	system_fini(&y);
}

START_TEST(float32_operands_may_use_float64_arithmetic)
{
	each_variant("jacobi", stored);
}
END_TEST

/* With nothing in range all products are in float64; with everything in range,
 * the stencil's exact entries times a rounded x. */
START_TEST(range_and_share_decide_what_is_float32)
{
	struct system y = graded(FLOAT64, 100);
	struct err e = { 0 };
	struct args all, none;

	op_run("jacobi", y.in, 2, &none, "range", "0", "precision", "mixed",
	       "tol", "1e-12", NULL);
	ck_assert_double_le(relative_residual(&y, &none.out[0]),
	                    residual_limit(&y, 1e-12));
	args_fini(&none);
	ck_refused(op_try("jacobi", y.in, 2, &all, &e, "range", "1e30",
	                  "precision", "mixed", "tol", "1e-12", NULL), &e,
	           ERR_CONVERGENCE);
	e = (struct err){ 0 };
	ck_refused(op_try("jacobi", y.in, 2, &all, &e, "share", "0",
	                  "precision", "mixed", "tol", "1e-12", NULL), &e,
	           ERR_CONVERGENCE);
	system_fini(&y);
}
END_TEST

START_TEST(the_residual_is_lapacks_ratio)
{
	struct system y = graded(FLOAT64, 120);
	struct args r;

	op_run("jacobi", y.in, 2, &r, "tol", "1e-13", NULL);
	ck_assert_double_le(r.verdict.residual, 30);
	args_fini(&r);
	op_run("jacobi", y.in, 2, &r, "tol", "1e-3", NULL);
	/* 1e-3 is far from eps. */
	ck_assert_double_ge(r.verdict.residual, 1e6);
	args_fini(&r);
	system_fini(&y);
}
END_TEST

void jacobi_ways(TCase *t)
{
	tcase_add_test(t, every_way_to_x_solves);
	tcase_add_test(t, sizes_round_a_block_of_rows);
	tcase_add_test(t, many_blocks_and_a_long_row);
	tcase_add_test(t, swaps_give_the_same_bits);
	tcase_add_test(t, a_second_run_gives_the_same_bits);
	tcase_add_test(t, float32_operands_may_use_float64_arithmetic);
	tcase_add_test(t, range_and_share_decide_what_is_float32);
	tcase_add_test(t, the_residual_is_lapacks_ratio);
}
