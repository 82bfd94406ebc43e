/* solve.c - A X = B holds within LAPACK's threshold, in every variant, for
 * every size, number of right-hand sides, stack and LAPACK's types of
 * matrices. */
#include <float.h>
#include <math.h>

#include "tests/ops/lu/lu.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };

double solve_ratio(const struct matrix *a, const struct matrix *b,
                   const struct matrix *x)
{
	const size_t n = matrix_rows(a);
	const size_t sides = b->ndim > 1 ? matrix_cols(b) : 1;
	const double eps = dtype_epsilon(a->dtype) / 2;
	double norm = 0, worst = 0;

	for (size_t j = 0; j < n; j++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += fabs(matrix_get(a, i * n + j));
		norm = fmax(norm, sum);
	}
	for (size_t s = 0; s < sides; s++) {
		long double defect = 0, size = 0;

		for (size_t i = 0; i < n; i++) {
			long double r = matrix_get(b, i * sides + s);

			for (size_t j = 0; j < n; j++)
				r -= (long double)matrix_get(a, i * n + j) *
				     matrix_get(x, j * sides + s);
			defect += fabsl(r);
			size += fabsl(matrix_get(x, i * sides + s));
		}
		if (defect > 0 && !(defect / size / norm / (n * eps) <= worst))
			worst = (double)(defect / size / norm / (n * eps));
	}
	return worst;
}

static void check_system(const struct variant *v, const struct matrix *a,
                         const struct matrix *b)
{
	const struct matrix in[] = { *a, *b };
	struct args x;
	double ratio;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	ratio = solve_ratio(a, b, &x.out[0]);
	ck_assert_msg(ratio < THRESHOLD, "%s, %s, n %zu, %zu sides: ratio %g",
	              v->name, dtype_name(a->dtype), a->dim[0],
	              matrix_cols(b), ratio);
	ck_assert_double_lt(x.verdict.residual, THRESHOLD);
	args_fini(&x);
}

static void check_size(const struct variant *v, size_t n, size_t sides)
{
	for (size_t t = 0; t < COUNT(reals); t++) {
		struct matrix a = random_matrix(reals[t], (unsigned)n + 1, 2,
		                                n, n);
		struct matrix b = random_matrix(reals[t], (unsigned)sides, 2,
		                                n, sides);

		check_system(v, &a, &b);
		matrix_fini(&a);
		matrix_fini(&b);
	}
}

static void sizes(const struct variant *v)
{
	for (const size_t *n = lu_sizes; *n != LU_SIZES_END; n++) {
		check_size(v, *n, 1);
		check_size(v, *n, 3);
	}
}

START_TEST(systems_of_every_size)
{
	each_variant("solve", sizes);
}
END_TEST

static void block_edges(const struct variant *v)
{
	check_size(v, 511, 1);
	check_size(v, 512, 2);
	check_size(v, 513, 1);
	check_size(v, 600, 1);
}

START_TEST(sizes_around_the_blocks_of_substitution)
{
	each_variant("solve", block_edges);
}
END_TEST

static void sides(const struct variant *v)
{
	static const size_t counts[] = { 0, 1, 2, 7, 8, 9, 15, 16, 17, 33,
	                                 100 };

	for (size_t i = 0; i < COUNT(counts); i++)
		check_size(v, 70, counts[i]);
	check_size(v, 150, 40);
	check_size(v, 300, 65);
}

START_TEST(any_number_of_right_hand_sides)
{
	each_variant("solve", sides);
}
END_TEST

static void types(const struct variant *v)
{
	static const size_t n[] = { 1, 2, 3, 5, 10, 50, 145 };

	for (size_t i = 0; i < COUNT(n); i++)
		for (int k = 0; k < TYPE_COUNT; k++)
			for (size_t t = 0; t < COUNT(reals); t++) {
				struct matrix a = type_matrix(k, reals[t],
				                              n[i], n[i], 11);
				struct matrix b = random_matrix(reals[t], 1,
				    2, n[i], (size_t)2);

				if (!type_is_singular(k))
					check_system(v, &a, &b);
				matrix_fini(&a);
				matrix_fini(&b);
			}
}

START_TEST(lapacks_matrix_types)
{
	each_variant("solve", types);
}
END_TEST

/* -x + 7y - 3z = 3, 2x + 3y + 5z = 17, 3x + 7y + 9z = 23 */
static void example(const struct variant *v)
{
	const double a[] = { -1, 7, -3, 2, 3, 5, 3, 7, 9 };
	const double b[] = { 3, 17, 23 };
	const double wanted[] = { 110 / 7., 8 / 7., -25 / 7. };
	struct matrix in[] = {
		matrix_of(FLOAT64, a, 2, (size_t)3, (size_t)3),
		matrix_of(FLOAT64, b, 1, (size_t)3),
	};
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	ck_assert_int_eq(x.out[0].ndim, 1);
	for (size_t i = 0; i < 3; i++)
		ck_assert_double_eq_tol(matrix_get(&x.out[0], i), wanted[i],
		                        4 * DBL_EPSILON * 16);
	args_fini(&x);
	for (size_t i = 0; i < COUNT(in); i++)
		matrix_fini(&in[i]);
}

START_TEST(three_equations_by_hand)
{
	each_variant("solve", example);
}
END_TEST

/* At n = 10 the condition is 10^13: the solution is lost, but its residual is
 * small. */
static void hilbert(const struct variant *v)
{
	for (size_t n = 2; n <= 12; n += 5)
		for (size_t t = 0; t < COUNT(reals); t++) {
			struct matrix a = random_matrix(reals[t], 1, 2, n, n);
			struct matrix b = random_matrix(reals[t], 1, 2, n,
			                                (size_t)1);

			for (size_t i = 0; i < n * n; i++)
				matrix_set(&a, i, 1. / (i / n + i % n + 1));
			check_system(v, &a, &b);
			matrix_fini(&a);
			matrix_fini(&b);
		}
}

START_TEST(ill_conditioned_systems_keep_a_small_residual)
{
	each_variant("solve", hilbert);
}
END_TEST

/* Asserts that matrix i of x solves the system of matrix of_a[i] of a and
 * matrix of_b[i] of b. */
static void check_broadcast(const struct variant *v, struct matrix a,
                            struct matrix b, size_t systems,
                            const size_t *of_a, const size_t *of_b)
{
	const struct matrix in[] = { a, b };
	const bool vector = b.ndim == 1;
	const size_t n = matrix_cols(&a), sides = vector ? 1 : matrix_cols(&b);
	const size_t each = n * sides;
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, "quality", "full",
	       NULL);
	ck_assert_uint_eq(matrix_elements(&x.out[0]), systems * each);
	ck_assert_double_lt(x.verdict.residual, THRESHOLD);
	for (size_t i = 0; i < systems; i++)
		for (size_t e = 0; e < each; e++) {
			const size_t row = e / sides, s = e % sides;
			double r = matrix_get(&b, of_b[i] * each + e);

			for (size_t j = 0; j < n; j++)
				r -= matrix_get(&a, (of_a[i] * n + row) * n +
				                j) *
				     matrix_get(&x.out[0], i * each +
				                j * sides + s);
			ck_assert_double_lt(fabs(r), 1e-10);
		}
	args_fini(&x);
	matrix_fini(&a);
	matrix_fini(&b);
}

static void broadcasts_of(const struct variant *v, size_t n)
{
	const size_t two = 2, three = 3, one = 1;
	const enum dtype t = FLOAT64;
	const size_t zeros[6] = { 0 }, up[] = { 0, 1, 2 };
	const size_t slow[] = { 0, 0, 0, 1, 1, 1 };
	const size_t fast[] = { 0, 1, 2, 0, 1, 2 };

	check_broadcast(v, random_matrix(t, 1, 3, three, n, n),
	                random_matrix(t, 2, 3, three, n, two), 3, up, up);
	check_broadcast(v, random_matrix(t, 1, 3, three, n, n),
	                random_matrix(t, 2, 2, n, two), 3, up, zeros);
	check_broadcast(v, random_matrix(t, 1, 2, n, n),
	                random_matrix(t, 2, 3, three, n, two), 3, zeros, up);
	check_broadcast(v, random_matrix(t, 1, 3, three, n, n),
	                random_matrix(t, 2, 1, n), 3, up, zeros);
	check_broadcast(v, random_matrix(t, 1, 4, two, one, n, n),
	                random_matrix(t, 2, 3, three, n, two), 6, slow, fast);
}

/* The matrices are small in the first call. In the second they are so large
 * that they are factored one after the other. */
static void broadcasts(const struct variant *v)
{
	broadcasts_of(v, 4);
	broadcasts_of(v, 70);
}

/* The stack has more than 65535 systems, because some drivers limit a dimension
 * of the grid to that number. On a CPU the test leaves out the variants for
 * other devices. They would take minutes, because PoCL runs their work-groups
 * of 256 work-items as loops. */
static void long_stack(const struct variant *v)
{
	const bool foreign = device_sheet(test_device)->type == DEVICE_CPU &&
	                     !(v->auto_for & DEVICE_CPU);
	const size_t n = 2, many = foreign ? 600 : 66000, side = 1;
	struct matrix in[] = { random_matrix(FLOAT64, 1, 3, many, n, n),
	                       random_matrix(FLOAT64, 2, 2, n, side) };
	struct args x;

	op_run("solve", in, 2, &x, "variant", v->name, NULL);
	ck_assert_uint_eq(matrix_elements(&x.out[0]), many * n);
	ck_assert_double_lt(x.verdict.residual, THRESHOLD);
	args_fini(&x);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(a_stack_of_many_small_systems)
{
	each_variant("solve", long_stack);
}
END_TEST

START_TEST(stacks_broadcast)
{
	each_variant("solve", broadcasts);
}
END_TEST

/* The zero right-hand side has the zero solution, and no residual. */
START_TEST(zero_has_the_solution_zero)
{
	const double zeros[3] = { 0 };
	struct matrix a = random_matrix(FLOAT32, 3, 2, (size_t)3, (size_t)3);
	struct matrix b = matrix_of(FLOAT32, zeros, 1, (size_t)3);
	const struct matrix in[] = { a, b };
	struct args x;

	op_run("solve", in, 2, &x, NULL);
	for (size_t i = 0; i < 3; i++)
		ck_assert_double_eq(matrix_get(&x.out[0], i), 0);
	ck_assert_double_eq(x.verdict.residual, 0);
	args_fini(&x);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* Checks an x with an error of a thousandth in one element. */
static void check_wrong(size_t at, const char *quality)
{
	struct matrix a = random_matrix(FLOAT64, 9, 2, (size_t)70, (size_t)70);
	struct matrix b = random_matrix(FLOAT64, 8, 2, (size_t)70, (size_t)3);
	const struct matrix in[] = { a, b };
	struct err e = { 0 };
	struct seq *s;
	struct args x;

	op_run("solve", in, 2, &x, "quality", quality, NULL);
	ck_assert_double_lt(x.verdict.residual, THRESHOLD);
	matrix_set(&x.out[0], at, matrix_get(&x.out[0], at) + 1e-3);
	x.verdict.residual = NAN;	/* discards that of the right x */
	s = seq_new(test_device, FLOAT64, TIMING_NONE, &e);
	ck_ok(x.op->residual(s, &x), &e);
	seq_free(s);
	ck_assert_double_gt(x.verdict.residual, 1e4);
	args_fini(&x);
	matrix_fini(&a);
	matrix_fini(&b);
}

START_TEST(a_wrong_solution_shows_in_the_residual)
{
	for (size_t at = 0; at < 210; at += 52) {
		check_wrong(at, "estimate");
		check_wrong(at, "full");
	}
}
END_TEST

START_TEST(a_failing_call_leaves_all_in_order)
{
	struct matrix in[] = {
		random_matrix(FLOAT64, 1, 2, (size_t)90, (size_t)90),
		random_matrix(FLOAT64, 1, 1, (size_t)90),
	};

	op_survives_failing_calls("solve", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

TCase *tcase_solve(void)
{
	TCase *t = tcase_create("solve");

	tcase_add_test(t, systems_of_every_size);
	tcase_add_test(t, sizes_around_the_blocks_of_substitution);
	tcase_add_test(t, any_number_of_right_hand_sides);
	tcase_add_test(t, lapacks_matrix_types);
	tcase_add_test(t, three_equations_by_hand);
	tcase_add_test(t, ill_conditioned_systems_keep_a_small_residual);
	tcase_add_test(t, stacks_broadcast);
	tcase_add_test(t, a_stack_of_many_small_systems);
	tcase_add_test(t, zero_has_the_solution_zero);
	tcase_add_test(t, a_wrong_solution_shows_in_the_residual);
	tcase_add_test(t, a_failing_call_leaves_all_in_order);
	solve_add_accuracy_tests(t);
	solve_add_refusal_tests(t);
	solve_add_refine_tests(t);
	solve_add_verdict_tests(t);
	solve_add_overflow_tests(t);
	solve_add_structure_tests(t);
	solve_add_symmetric_tests(t);
	solve_add_complex_tests(t);
	solve_add_complex_quick_tests(t);
	solve_add_iterative_tests(t);
	solve_add_iterative_ways_tests(t);
	solve_add_iterative_scale_tests(t);
	return t;
}
