/* structure.c - solve with triangles, positive definite matrices and factors,
 * transposed or not, in stacks and with shared matrices: the residual of every
 * answer, and whether the verdict is right. */
#include <math.h>
#include <string.h>

#include "ops/failure.h"
#include "ops/solve/structure.h"
#include "tests/ops/lu/lu.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const char *const structures[] = { "lower", "upper", "spd", "general",
	"symmetric", "auto" };

/* Makes matrices of that structure with a dominant diagonal. Elements that must
 * not be read are NaN if `strict`. */
static struct matrix matrix_for(enum dtype t, const char *structure,
                                size_t stack, size_t n, bool strict)
{
	const bool lower = *structure == 'l', upper = *structure == 'u';
	const bool spd = strcmp(structure, "spd") == 0 ||
	                 strcmp(structure, "symmetric") == 0;
	struct matrix a = random_matrix(t, 5, 3, stack, n, n);

	for (size_t e = 0; e < matrix_elements(&a); e++) {
		const size_t i = e / n % n, j = e % n;

		if (i == j)
			matrix_set(&a, e, (double)n / 2 + 1);
		if (i < j && !lower && !upper)
			matrix_set(&a, e + (j - i) * n - (j - i),
			           matrix_get(&a, e));
		if ((i < j && lower) || (i > j && upper))
			matrix_set(&a, e, strict ? NAN : 0);
	}
	for (size_t e = 0; strict && spd && e < matrix_elements(&a); e++)
		if (e / n % n < e % n)
			matrix_set(&a, e, NAN);
	return a;
}

/* Returns element (i, j) of the matrix that a and its structure stand for. */
static double meant(const struct matrix *a, const char *structure, size_t s,
                    size_t i, size_t j, bool turned)
{
	const size_t n = matrix_rows(a);
	size_t row = turned ? j : i, col = turned ? i : j;

	if ((strcmp(structure, "spd") == 0 ||
	     strcmp(structure, "symmetric") == 0) && row < col) {
		const size_t t = row;

		row = col;
		col = t;
	}
	if ((*structure == 'l' && row < col) ||
	    (*structure == 'u' && row > col))
		return 0;
	return matrix_get(a, (s * n + row) * n + col);
}

/* Returns |b - A x| / (n |A| |x| eps) of system s, whose matrix is `which`. */
static double ratio_of(const struct matrix *a, const struct matrix *b,
                       const struct matrix *x, const char *structure,
                       size_t s, size_t which, bool turned)
{
	const size_t n = matrix_rows(a), sides = matrix_cols(b);
	double worst = 0;

	for (size_t c = 0; c < sides; c++) {
		double error = 0, norm = 0, size = 0;

		for (size_t i = 0; i < n; i++) {
			double sum = -matrix_get(b, (s * n + i) * sides + c);
			double row = 0;

			for (size_t j = 0; j < n; j++) {
				const double v = meant(a, structure, which, i,
				                       j, turned);

				sum += v * matrix_get(x, (s * n + j) * sides +
				                         c);
				row += fabs(v);
			}
			error = fmax(error, fabs(sum));
			norm = fmax(norm, row);
			size = fmax(size, fabs(matrix_get(x, (s * n + i) *
			                                  sides + c)));
		}
		worst = fmax(worst, error / ((double)n * norm * size *
		                             dtype_epsilon(a->dtype)));
	}
	return worst;
}

static void one(const struct variant *v, enum dtype t, const char *structure,
                size_t n, size_t sides, bool turned)
{
	const bool strict = strcmp(structure, "auto") &&
	                    strcmp(structure, "general");
	struct matrix in[2] = {
		matrix_for(t, structure, 2, n, strict),
		random_matrix(t, 8, 3, (size_t)2, n, sides),
	};
	struct args r;

	op_run("solve", in, 2, &r, "variant", v->name, "structure", structure,
	       "transpose_a", turned ? "true" : "false", NULL);
	for (size_t s = 0; s < 2; s++) {
		const double x = ratio_of(&in[0], &in[1], &r.out[0], structure,
		                          s, s, turned);

		ck_assert_msg(x < 10, "%s, %s, n = %zu, %zu sides, turned %d: "
		              "%g", v->name, structure, n, sides, turned, x);
	}
	ck_assert_double_lt(r.verdict.residual, 30);
	ck_assert_msg(r.verdict.rcond > 1e-4, "%s, %s, n = %zu, %zu sides, "
	              "turned %d: rcond %g", v->name, structure, n, sides,
	              turned, r.verdict.rcond);
	ck_assert_double_gt(r.verdict.forward_error, 0);
	ck_assert_double_lt(r.verdict.forward_error,
	                    1e4 * dtype_epsilon(t));
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void structures_in(const struct variant *v)
{
	static const size_t sizes[][2] = {
		{ 1, 1 }, { 5, 3 }, { 70, 2 }, { 130, 1 }, { 130, 20 },
	};

	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t k = 0; k < COUNT(structures); k++)
			for (size_t i = 0; i < COUNT(sizes); i++)
				for (int turned = 0; turned < 2; turned++)
					one(v, reals[t], structures[k],
					    sizes[i][0], sizes[i][1], turned);
}

START_TEST(every_structure_reads_its_part_and_solves)
{
	each_variant("solve", structures_in);
}
END_TEST

/* Whether auto looks for a structure depends on the rows for each core. */
static size_t rows_sought(size_t rows)
{
	return rows * size_min(device_sheet(test_device)->compute_units, 2) +
	       1;
}

/* With auto, a structure that is recognized gives the same answer as if the
 * client had named it. */
static void found_out(const char *structure, size_t n)
{
	struct matrix in[2] = {
		matrix_for(FLOAT32, structure, 1, n, false),
		random_matrix(FLOAT32, 8, 2, n, (size_t)1),
	};
	struct args named, sought;

	op_run("solve", in, 2, &named, "structure", structure, NULL);
	op_run("solve", in, 2, &sought, NULL);
	for (size_t i = 0; i < n; i++)
		ck_assert_double_eq_tol(matrix_get(&named.out[0], i),
		                        matrix_get(&sought.out[0], i), 1e-5);
	ck_assert_double_lt(sought.verdict.residual, 30);
	args_fini(&named);
	args_fini(&sought);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(auto_finds_triangles_and_definite_matrices_out)
{
	found_out("lower", rows_sought(SOLVE_TRIANGLE_ROWS));
	found_out("upper", rows_sought(SOLVE_TRIANGLE_ROWS));
	found_out("spd", rows_sought(SOLVE_SPD_ROWS));
}
END_TEST

START_TEST(auto_sees_what_the_elements_show)
{
	static const char *const all[] = { "lower", "upper", "spd" };
	const struct sheet cpu = { .type = DEVICE_CPU };
	const struct sheet gpu = { .type = DEVICE_GPU };

	for (size_t k = 0; k < COUNT(all); k++)
		for (size_t t = 0; t < COUNT(reals); t++) {
			struct args a;

			args_init(&a, op_find("solve"));
			a.dtype = reals[t];
			a.in[SOLVE_A] = matrix_for(reals[t], all[k], 2, 9,
			                           false);
			a.in[SOLVE_B] = random_matrix(reals[t], 1, 1,
			                              (size_t)9);
			ck_assert_int_eq(solve_kind_of(&a, &cpu),
			                 KIND_LOWER + (int)k);
			ck_assert_int_eq(solve_kind_of(&a, &gpu),
			                 KIND_GENERAL);
			matrix_set(&a.in[SOLVE_A], 81 + 3, 1);
			matrix_set(&a.in[SOLVE_A], 81 + 27, 2);
			ck_assert_int_eq(solve_kind_of(&a, &cpu),
			                 KIND_GENERAL);
			args_fini(&a);
		}
}
END_TEST

/* A matrix that looks definite and is not is solved by LU. With structure=spd
 * it is refused. */
START_TEST(an_indefinite_matrix_is_solved_unless_it_is_called_spd)
{
	const size_t n = rows_sought(SOLVE_SPD_ROWS);
	struct matrix in[2] = {
		matrix_for(FLOAT32, "spd", 1, n, false),
		random_matrix(FLOAT32, 8, 2, n, (size_t)1),
	};
	struct err e = { 0 };
	struct args r;

	matrix_set(&in[0], 100 * n + 99, 5000);
	matrix_set(&in[0], 99 * n + 100, 5000);
	op_run("solve", in, 2, &r, NULL);
	ck_assert_double_lt(ratio_of(&in[0], &in[1], &r.out[0], "general", 0,
	                             0, false), 10);
	args_fini(&r);
	ck_refused(op_try("solve", in, 2, &r, &e, "structure", "spd", NULL),
	           &e, ERR_NOT_POSITIVE);
	ck_assert_ptr_nonnull(strstr(e.text, "order 101"));
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* Spoils matrix 1 of three at its diagonal element 4, so that only its system
 * fails. b is one vector for all matrices of the stack. */
static void one_fails(const struct variant *v, enum dtype t,
                      const char *structure, size_t n, double spoilt,
                      enum err_code code, int at)
{
	struct matrix in[2] = {
		matrix_for(t, structure, 3, n, true),
		random_matrix(t, 8, 1, n),
	};
	struct args r;

	matrix_set(&in[0], n * n + 4 * (n + 1), spoilt);
	op_run("solve", in, 2, &r, "variant", v->name, "structure", structure,
	       NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert_uint_eq(args_failure(&r, 0).index, 1);
	ck_assert_int_eq(args_failure(&r, 0).detail.code, code);
	ck_assert_int_eq(args_failure(&r, 0).detail.at, at);
	ck_assert(isnan(matrix_get(&r.out[0], n)));
	ck_assert(isfinite(matrix_get(&r.out[0], 2 * n)));
	ck_assert_double_lt(r.verdict.residual, 30);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void failures_of(const struct variant *v)
{
	static const size_t sizes[] = { 9, 70, 200 };

	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			one_fails(v, reals[t], "lower", sizes[i], 0,
			          ERR_SINGULAR, 4);
			one_fails(v, reals[t], "upper", sizes[i], 0,
			          ERR_SINGULAR, 4);
			one_fails(v, reals[t], "spd", sizes[i], -1,
			          ERR_NOT_POSITIVE, 5);
		}
}

START_TEST(one_matrix_of_a_stack_fails_alone)
{
	each_variant("solve", failures_of);
}
END_TEST

/* --- factors */

static void factors_one(enum dtype t, size_t n, size_t sides, bool turned)
{
	struct matrix a = random_matrix(t, 5, 3, (size_t)2, n, n), in[4];
	struct args lu, r, whole;

	op_run("lu", &a, 1, &lu, NULL);
	in[0] = (struct matrix){ .ndim = MATRIX_ABSENT };
	in[1] = random_matrix(t, 8, 3, (size_t)2, n, sides);
	in[2] = matrix_ref(&lu.out[0]);
	in[3] = matrix_ref(&lu.out[1]);
	op_run("solve", in, 4, &r, "transpose_a", turned ? "true" : "false",
	       NULL);
	for (size_t s = 0; s < 2; s++)
		ck_assert_double_lt(ratio_of(&a, &in[1], &r.out[0], "general",
		                             s, s, turned), 30);
	in[0] = a;
	op_run("solve", in, 2, &whole, "transpose_a",
	       turned ? "true" : "false", NULL);
	ck_assert_double_gt(r.verdict.rcond, whole.verdict.rcond / 3);
	ck_assert_double_lt(r.verdict.rcond, whole.verdict.rcond * 10);
	ck_assert_double_lt(r.verdict.residual, 30);
	ck_assert_double_ge(r.verdict.forward_error, 0);
	args_fini(&whole);
	args_fini(&r);
	args_fini(&lu);
	for (int i = 0; i < 4; i++)
		matrix_fini(&in[i]);
}

START_TEST(factors_stand_for_their_matrix)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (int turned = 0; turned < 2; turned++) {
			factors_one(reals[t], 1, 1, turned);
			factors_one(reals[t], 7, 2, turned);
			factors_one(reals[t], 130, 3, turned);
			factors_one(reals[t], 40, 20, turned);
		}
}
END_TEST

static void refuse(const struct matrix in[4], enum err_code why,
                   const char *structure)
{
	struct err e = { 0 };
	struct args r;

	ck_refused(op_try("solve", in, 4, &r, &e, "structure", structure,
	                  NULL), &e, why);
}

START_TEST(factors_that_do_not_fit_are_refused)
{
	static const double bad[] = { 1, 2, 3 };
	struct matrix f = random_matrix(FLOAT64, 5, 2, (size_t)3, (size_t)3);
	struct matrix b = random_matrix(FLOAT64, 6, 1, (size_t)3);
	struct matrix p = matrix_of(INT64, bad, 1, (size_t)3);
	struct matrix q = matrix_of(INT64, bad, 1, (size_t)2);
	const struct matrix none = { .ndim = MATRIX_ABSENT };
	const struct matrix in[][4] = {
		{ f, b, f, p }, { none, b, f, none }, { none, b, none, none },
		{ none, b, f, q }, { none, b, f, p },
	};

	refuse(in[0], ERR_REQUEST, "auto");
	refuse(in[1], ERR_REQUEST, "auto");
	refuse(in[2], ERR_REQUEST, "auto");
	refuse(in[3], ERR_SHAPE, "auto");
	refuse(in[4], ERR_PARAMETER, "lower");
	refuse(in[4], ERR_MATHEMATICS, "auto");	/* there is no row 3 */
	matrix_fini(&f);
	matrix_fini(&b);
	matrix_fini(&p);
	matrix_fini(&q);
}
END_TEST

/* A diagonal of 1 and 2^-60 makes rcond about 2^-61. */
START_TEST(a_nearly_singular_triangle_is_called_so)
{
	static const double values[] = { 1, 0, 1, 0x1p-60 };
	struct matrix in[2] = {
		matrix_of(FLOAT64, values, 2, (size_t)2, (size_t)2),
		matrix_of(FLOAT64, values, 1, (size_t)2),
	};
	struct args r;

	op_run("solve", in, 2, &r, "structure", "lower", NULL);
	ck_assert_double_eq(r.verdict.ill_conditioned, 1);
	ck_assert_double_lt(r.verdict.rcond, 0x1p-59);
	ck_assert_double_gt(r.verdict.rcond, 0x1p-63);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_structure_tests(TCase *c)
{
	tcase_add_test(c, every_structure_reads_its_part_and_solves);
	tcase_add_test(c, auto_finds_triangles_and_definite_matrices_out);
	tcase_add_test(c, auto_sees_what_the_elements_show);
	tcase_add_test(c,
	    an_indefinite_matrix_is_solved_unless_it_is_called_spd);
	tcase_add_test(c, one_matrix_of_a_stack_fails_alone);
	tcase_add_test(c, factors_stand_for_their_matrix);
	tcase_add_test(c, factors_that_do_not_fit_are_refused);
	tcase_add_test(c, a_nearly_singular_triangle_is_called_so);
}
