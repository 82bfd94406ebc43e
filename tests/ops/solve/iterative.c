/* iterative.c - systems that iterations solve, whatever the method, and what
 * has no solution by a method. */
#include <math.h>
#include <stdio.h>

#include "base/size.h"
#include "ops/solve/iterative.h"
#include "ops/spmv/spmv.h"
#include "shared/spmv_tile.h"
#include "tests/ops/lu/lu.h"
#include "tests/ops/solve/sparse.h"

static const struct solvable {
	enum kind kind;
	const char *method, *preconditioner;
} solvables[] = {
	{ LAPLACIAN, "cg", "none" }, { LAPLACIAN, "cg", "jacobi" },
	{ LAPLACIAN, "cg", "ilu0" }, { LAPLACIAN, "cg", "ichol0" },
	{ LAPLACIAN, "minres", "none" }, { LAPLACIAN, "minres", "jacobi" },
	{ LAPLACIAN, "minres", "ichol0" }, { LAPLACIAN, "gmres", "ilu0" },
	{ LAPLACIAN, "bicgstab", "ilu0" }, { LAPLACIAN, "jacobi", "auto" },
	{ LAPLACIAN, "auto", "auto" }, { ANISOTROPIC, "cg", "ichol0" },
	{ ANISOTROPIC, "minres", "none" }, { ANISOTROPIC, "bicgstab", "none" },
	{ CONVECTION, "gmres", "none" }, { CONVECTION, "gmres", "jacobi" },
	{ CONVECTION, "gmres", "ilu0" }, { CONVECTION, "bicgstab", "none" },
	{ CONVECTION, "bicgstab", "jacobi" },
	{ CONVECTION, "bicgstab", "ilu0" }, { CONVECTION, "auto", "auto" },
	{ TREFETHEN, "cg", "jacobi" }, { TREFETHEN, "cg", "ichol0" },
	{ TREFETHEN, "gmres", "ilu0" }, { INDEFINITE, "minres", "none" },
	{ INDEFINITE, "minres", "jacobi" }, { INDEFINITE, "auto", "auto" },
	{ LONG_ROW, "cg", "none" }, { LONG_ROW, "cg", "ichol0" },
	{ LONG_ROW, "gmres", "jacobi" }, { UNEVEN, "cg", "none" },
	{ UNEVEN, "cg", "ichol0" }, { UNEVEN, "bicgstab", "jacobi" },
};

static const char *variant_now;

static void assert_solved(const struct solvable *c, enum dtype t, size_t g)
{
	const char *tol = t == FLOAT32 ? "2e-5" : "1e-10";
	struct matrix in[] = { sparse_system(c->kind, t, g),
	                       random_matrix(t, 7, 1, g * g) };
	struct args r;

	op_run("solve", in, 2, &r, "method", c->method, "preconditioner",
	       c->preconditioner, "tol", tol, "variant", variant_now,
	       "max_iterations", "20000", NULL);
	ck_assert_msg(sparse_residual(&in[0], &in[1], &r.out[X], 0) <=
	              atof(tol) * 1.001, "%s %s of kind %d, %zu rows: %g",
	              c->method, c->preconditioner, c->kind, g * g,
	              sparse_residual(&in[0], &in[1], &r.out[X], 0));
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 1);
	ck_assert_double_le(r.verdict.relative_residual, atof(tol));
	ck_assert_double_ge(r.verdict.recurrence_residual, 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

static void solve_each(const struct variant *v)
{
	static const size_t grids[] = { 1, 2, 3, 5, 17 };

	variant_now = v->name;
	for (size_t i = 0; i < COUNT(solvables); i++)
		for (size_t k = 0; k < COUNT(grids); k++) {
			assert_solved(&solvables[i], FLOAT64, grids[k]);
			assert_solved(&solvables[i], FLOAT32, grids[k]);
		}
}

START_TEST(every_method_and_preconditioner_meets_the_bound)
{
	each_variant("solve", solve_each);
}
END_TEST

/* Wide levels of the sweeps, several blocks, and slices. */
static void solve_large(const struct variant *v)
{
	static const struct solvable some[] = {
		{ LAPLACIAN, "cg", "none" }, { LAPLACIAN, "cg", "ichol0" },
		{ DIAGONAL, "gmres", "ilu0" }, { CONVECTION, "gmres", "ilu0" },
		{ LONG_ROW, "bicgstab", "jacobi" }, { UNEVEN, "cg", "none" },
		{ UNEVEN, "gmres", "none" },
	};

	variant_now = v->name;
	for (size_t i = 0; i < COUNT(some); i++)
		assert_solved(&some[i], FLOAT64, 101);
}

START_TEST(large_systems_are_solved)
{
	each_variant("solve", solve_large);
}
END_TEST

/* Returns the places of slices of rows in their order, padding included. */
static size_t plain_places(const struct matrix *m)
{
	const int64_t *starts = sparse_starts(m);
	size_t places = 0;

	for (size_t s = 0; s < m->dim[0]; s += SPMV_SELL) {
		size_t width = 0;

		for (size_t i = s; i < size_min(m->dim[0], s + SPMV_SELL); i++)
			width = size_max(width, (size_t)(starts[i + 1] -
			                                 starts[i]));
		places += SPMV_SELL * width;
	}
	return places;
}

/* So that they are multiplied by vectors of rows all the same. */
START_TEST(uneven_rows_need_little_padding)
{
	static const enum kind kinds[] = { LAPLACIAN, UNEVEN, LONG_ROW };

	for (size_t k = 0; k < COUNT(kinds); k++) {
		struct matrix m = sparse_system(kinds[k], FLOAT64, 37);
		const size_t places = spmv_sell_padded(&m);

		ck_assert_uint_ge(places, m.nnz);
		ck_assert_uint_le(places, plain_places(&m));
		if (kinds[k] == UNEVEN) {
			ck_assert_double_gt((double)plain_places(&m),
			                    1.3 * (double)m.nnz);
			ck_assert_double_lt((double)places,
			                    1.1 * (double)m.nnz);
		}
		matrix_fini(&m);
	}
}
END_TEST

static const struct refused {
	enum kind kind;
	const char *method, *preconditioner, *tol;
	enum err_code code;
	const char *says;
} refusals[] = {
	{ INDEFINITE, "cg", "none", "1e-8", ERR_NOT_POSITIVE,
	  "a is not positive definite" },
	{ CONVECTION, "cg", "none", "1e-8", ERR_MATHEMATICS, "symmetric" },
	{ CONVECTION, "minres", "none", "1e-8", ERR_MATHEMATICS, "symmetric" },
	{ CONVECTION, "gmres", "ichol0", "1e-8", ERR_MATHEMATICS,
	  "symmetric" },
	{ LAPLACIAN, "cg", "none", "1e-30", ERR_CONVERGENCE, "stagnates" },
	{ NEUMANN, "minres", "none", "1e-8", ERR_CONVERGENCE,
	  "no solution" },
};

static void refuse_each(const struct variant *v)
{
	for (size_t i = 0; i < COUNT(refusals); i++) {
		const struct refused *c = &refusals[i];
		struct matrix in[] = { sparse_system(c->kind, FLOAT64, 12),
		                       random_matrix(FLOAT64, 7, 1,
		                                     (size_t)144) };
		struct err e = { 0 };
		struct args r;

		ck_refused(op_try("solve", in, 2, &r, &e, "method", c->method,
		                  "preconditioner", c->preconditioner, "tol",
		                  c->tol, "variant", v->name, NULL), &e,
		           c->code);
		ck_assert_msg(strstr(e.text, c->says), "%zu: %s", i, e.text);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(what_a_method_cannot_solve_is_refused)
{
	each_variant("solve", refuse_each);
}
END_TEST

/* b = A ones, which is in the range of the singular A. */
START_TEST(a_singular_but_consistent_system_is_solved)
{
	static const char *const methods[] = { "cg", "minres", "gmres" };

	for (size_t k = 0; k < COUNT(methods); k++) {
		struct matrix in[] = { sparse_system(NEUMANN, FLOAT64, 9),
		                       random_matrix(FLOAT64, 7, 1,
		                                     (size_t)81) };
		double mean = 0;
		struct args r;

		for (size_t i = 0; i < 81; i++)
			mean += matrix_get(&in[1], i) / 81;
		for (size_t i = 0; i < 81; i++)
			matrix_set(&in[1], i, matrix_get(&in[1], i) - mean);
		op_run("solve", in, 2, &r, "method", methods[k],
		       "preconditioner", "none", "tol", "1e-9", NULL);
		ck_assert_double_le(sparse_residual(&in[0], &in[1],
		                                    &r.out[X], 0), 1.001e-9);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* Neumann's matrix has the null vector of ones, so that the least residual is
 * the mean of b. float32's rounding must not lead x away from it. */
static void near_least_squares(enum dtype t, const char *preconditioner,
                               unsigned seed)
{
	struct matrix in[] = { sparse_system(NEUMANN, t, 12),
	                       random_matrix(t, seed, 1, (size_t)144) };
	double mean = 0, square = 0;
	struct err e = { 0 };
	struct args r;

	for (size_t i = 0; i < 144; i++) {
		const double v = matrix_get(&in[1], i);

		mean += v / 144;
		square += v * v;
	}
	ck_refused(op_try("solve", in, 2, &r, &e, "method", "minres",
	                  "preconditioner", preconditioner, NULL), &e,
	           ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "no solution"), "%s", e.text);
	op_run("solve", in, 2, &r, "method", "minres", "preconditioner",
	       preconditioner, "allow_partial", "true", NULL);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 0);
	ck_assert_double_le(sparse_residual(&in[0], &in[1], &r.out[X], 0),
	                    1.1 * sqrt(144 * mean * mean / square));
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}

START_TEST(minres_ends_near_a_least_squares_solution)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		near_least_squares(FLOAT64, "none", seed);
		near_least_squares(FLOAT64, "jacobi", seed);
		near_least_squares(FLOAT32, "none", seed);
		near_least_squares(FLOAT32, "jacobi", seed);
	}
}
END_TEST

void solve_add_iterative_tests(TCase *t)
{
	tcase_add_test(t, every_method_and_preconditioner_meets_the_bound);
	tcase_add_test(t, large_systems_are_solved);
	tcase_add_test(t, uneven_rows_need_little_padding);
	tcase_add_test(t, what_a_method_cannot_solve_is_refused);
	tcase_add_test(t, a_singular_but_consistent_system_is_solved);
	tcase_add_test(t, minres_ends_near_a_least_squares_solution);
}
