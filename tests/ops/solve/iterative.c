/* iterative.c - systems that iterations solve: the residual is what the answer
 * says, whatever the method, and what has no solution by a method is
 * refused. */
#include <math.h>
#include <stdio.h>

#include "matrix/sparse.h"
#include "ops/solve/iterative.h"
#include "tests/ops/lu/lu.h"

enum kind { LAPLACIAN, ANISOTROPIC, CONVECTION, TREFETHEN, INDEFINITE, NEUMANN,
            LONG_ROW, DIAGONAL };

enum { X, ITERATIONS, CONVERGED, HISTORY };

static void add(struct sparse_entry *x, size_t *n, size_t i, size_t j,
                double value)
{
	x[(*n)++] = (struct sparse_entry){ (uint32_t)i, (uint32_t)j, value };
}

/* Point i of a g x g grid: its neighbours in four directions. */
static void add_stencil(struct sparse_entry *x, size_t *n, size_t g, size_t i,
                        enum kind kind)
{
	const double across = kind == ANISOTROPIC ? 100 : 1;
	const double wind = kind == CONVECTION ? 0.7 : 0;
	double all = 2 + 2 * across;

	if (kind == NEUMANN)
		all = (i % g > 0) + (i % g + 1 < g) + (i >= g) +
		      (i + g < g * g);
	if (kind == INDEFINITE)
		all -= 2.5;
	add(x, n, i, i, all);
	if (i % g > 0)
		add(x, n, i, i - 1, -across - wind);
	if (i % g + 1 < g)
		add(x, n, i, i + 1, -across + wind);
	if (i >= g)
		add(x, n, i, i - g, -1);
	if (i + g < g * g)
		add(x, n, i, i + g, -1);
}

static bool is_prime(size_t p)
{
	for (size_t d = 2; d * d <= p; d++)
		if (p % d == 0)
			return false;
	return p > 1;
}

static size_t next_prime(size_t p)
{
	do
		p++;
	while (!is_prime(p));
	return p;
}

/* Trefethen's matrix: primes on the diagonal, ones where |i - j| is a power of
 * two. */
static void add_trefethen(struct sparse_entry *x, size_t *n, size_t rows)
{
	size_t p = 1;

	for (size_t i = 0; i < rows; i++) {
		p = next_prime(p);
		add(x, n, i, i, (double)p);
		for (size_t d = 1; d < rows; d *= 2) {
			if (i >= d)
				add(x, n, i, i - d, 1);
			if (i + d < rows)
				add(x, n, i, i + d, 1);
		}
	}
}

/* One full row and column, which no slice can hold without much padding. */
static void add_arrow(struct sparse_entry *x, size_t *n, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		add(x, n, i, i, i == 0 ? 2.0 * (double)rows : 3);
		if (i > 0) {
			add(x, n, 0, i, 1);
			add(x, n, i, 0, 1);
		}
	}
}

/* A matrix of g * g rows. */
static struct matrix matrix(enum kind kind, enum dtype t, size_t g)
{
	const size_t rows = g * g;
	struct sparse_entry *x = calloc(40 * rows + 1, sizeof *x);
	struct matrix m = { .ndim = 2, .dim = { rows, rows } };
	struct err e = { 0 };
	size_t n = 0;

	if (kind == TREFETHEN)
		add_trefethen(x, &n, rows);
	else if (kind == LONG_ROW)
		add_arrow(x, &n, rows);
	for (size_t i = 0; i < rows; i++)
		if (kind == DIAGONAL)
			add(x, &n, i, i, (double)(i % 9) + 1);
		else if (kind != TREFETHEN && kind != LONG_ROW)
			add_stencil(x, &n, g, i, kind);
	ck_ok(sparse_build(&m, x, n, test_pool, &e), &e);
	ck_ok(matrix_convert(&m, t, test_pool, &e), &e);
	free(x);
	return m;
}

/* |b - A x| / |b| of column j, in long double. */
static double residual(const struct matrix *m, const struct matrix *b,
                       const struct matrix *x, size_t j)
{
	const size_t sides = b->ndim == 1 ? 1 : matrix_cols(b);
	long double above = 0, below = 0;

	for (size_t i = 0; i < m->dim[0]; i++) {
		const long double v = matrix_get(b, i * sides + j);
		long double r = v;

		for (int64_t k = sparse_starts(m)[i];
		     k < sparse_starts(m)[i + 1]; k++)
			r -= (long double)matrix_get(m, (size_t)k) *
			     matrix_get(x, (size_t)sparse_columns(m)[k] *
			                   sides + j);
		above += r * r;
		below += v * v;
	}
	return below > 0 ? (double)sqrtl(above / below) : (double)above;
}

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
	{ LONG_ROW, "gmres", "jacobi" },
};

static const char *variant_now;

static void assert_solved(const struct solvable *c, enum dtype t, size_t g)
{
	const char *tol = t == FLOAT32 ? "2e-5" : "1e-10";
	struct matrix in[] = { matrix(c->kind, t, g),
	                       random_matrix(t, 7, 1, g * g) };
	struct args r;

	op_run("solve", in, 2, &r, "method", c->method, "preconditioner",
	       c->preconditioner, "tol", tol, "variant", variant_now,
	       "max_iterations", "20000", NULL);
	ck_assert_msg(residual(&in[0], &in[1], &r.out[X], 0) <=
	              atof(tol) * 1.001, "%s %s of kind %d, %zu rows: %g",
	              c->method, c->preconditioner, c->kind, g * g,
	              residual(&in[0], &in[1], &r.out[X], 0));
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
		{ LONG_ROW, "bicgstab", "jacobi" },
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
		struct matrix in[] = { matrix(c->kind, FLOAT64, 12),
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
		struct matrix in[] = { matrix(NEUMANN, FLOAT64, 9),
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
		ck_assert_double_le(residual(&in[0], &in[1], &r.out[X], 0),
		                    1.001e-9);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

static struct matrix small(const struct sparse_entry *x, size_t entries,
                           size_t n)
{
	struct matrix m = { .ndim = 2, .dim = { n, n } };
	struct err e = { 0 };

	ck_ok(sparse_build(&m, x, entries, test_pool, &e), &e);
	return m;
}

START_TEST(a_pivot_that_is_zero_is_told_with_its_row)
{
	/* The second pivot is 1 - 1 / 1. */
	const struct sparse_entry equal[] = {
		{ 0, 0, 1 }, { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 2, 2, 1 }
	}, bare[] = {
		{ 0, 0, 1 }, { 1, 2, 1 }, { 2, 1, 1 }, { 2, 2, 1 }
	};
	struct matrix in[] = { small(equal, 5, 3),
	                       random_matrix(FLOAT64, 7, 1, (size_t)3) };
	struct matrix hollow[] = { small(bare, 4, 3), in[1] };
	struct err e = { 0 }, f = { 0 }, g = { 0 };
	struct args r;

	ck_refused(op_try("solve", in, 2, &r, &e, "method", "gmres",
	                  "preconditioner", "ilu0", NULL), &e, ERR_ZERO_PIVOT);
	ck_assert_msg(strstr(e.text, "row 1,"), "%s", e.text);
	ck_refused(op_try("solve", hollow, 2, &r, &f, "method", "gmres",
	                  "preconditioner", "ilu0", NULL), &f, ERR_ZERO_PIVOT);
	ck_assert_msg(strstr(f.text, "row 1,"), "%s", f.text);
	ck_refused(op_try("solve", hollow, 2, &r, &g, "method", "gmres",
	                  "preconditioner", "jacobi", NULL), &g,
	           ERR_ZERO_PIVOT);
	op_run("solve", hollow, 2, &r, "method", "gmres", NULL);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
	matrix_fini(&hollow[0]);
}
END_TEST

/* Kershaw's matrix (1978) is positive definite, but its incomplete factors have
 * a negative pivot. */
START_TEST(ichol0_shifts_the_diagonal_where_pivots_are_negative)
{
	const struct sparse_entry kershaw[] = {
		{ 0, 0, 3 }, { 0, 1, -2 }, { 0, 3, 2 }, { 1, 0, -2 },
		{ 1, 1, 3 }, { 1, 2, -2 }, { 2, 1, -2 }, { 2, 2, 3 },
		{ 2, 3, -2 }, { 3, 0, 2 }, { 3, 2, -2 }, { 3, 3, 3 }
	};
	struct matrix in[] = { small(kershaw, COUNT(kershaw), 4),
	                       random_matrix(FLOAT64, 7, 1, (size_t)4) };
	struct args r;

	op_run("solve", in, 2, &r, "method", "cg", "preconditioner", "ichol0",
	       "tol", "1e-12", NULL);
	ck_assert_double_le(residual(&in[0], &in[1], &r.out[X], 0), 1.001e-12);
	ck_assert_double_gt(r.verdict.shift, 0);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(right_hand_sides_have_a_history_each)
{
	const size_t n = 144, sides = 3;
	struct matrix in[] = { matrix(LAPLACIAN, FLOAT64, 12),
	                       random_matrix(FLOAT64, 7, 2, n, sides) };
	struct args r;
	size_t length;

	for (size_t i = 0; i < n; i++)	/* the second one is zero */
		matrix_set(&in[1], i * sides + 1, 0);
	op_run("solve", in, 2, &r, "method", "cg", "tol", "1e-8", "return",
	       "x,iterations,converged,history", NULL);
	length = r.out[HISTORY].dim[1];
	ck_assert_int_eq(r.out[HISTORY].ndim, 2);
	ck_assert_int_eq(r.out[ITERATIONS].ndim, 1);
	for (size_t j = 0; j < sides; j++) {
		const size_t k = (size_t)matrix_get(&r.out[ITERATIONS], j);

		ck_assert_double_le(residual(&in[0], &in[1], &r.out[X], j),
		                    1.001e-8);
		ck_assert(matrix_get(&r.out[CONVERGED], j) == 1);
		ck_assert_uint_lt(k, length);
		ck_assert_double_eq(matrix_get(&r.out[HISTORY], j * length),
		                    j != 1);
		if (j == 1)
			ck_assert_uint_eq(k, 0);
		else
			ck_assert_double_le(matrix_get(&r.out[HISTORY],
			                               j * length + k), 1e-8);
		for (size_t i = k + 1; i < length; i++)
			ck_assert(isnan(matrix_get(&r.out[HISTORY],
			                           j * length + i)));
	}
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(a_partial_answer_says_so)
{
	struct matrix in[] = { matrix(LAPLACIAN, FLOAT64, 20),
	                       random_matrix(FLOAT64, 7, 1, (size_t)400) };
	struct args r;
	struct err e = { 0 };

	ck_refused(op_try("solve", in, 2, &r, &e, "method", "cg",
	                  "max_iterations", "5", NULL), &e, ERR_CONVERGENCE);
	ck_assert_msg(strstr(e.text, "in 5 iterations"), "%s", e.text);
	op_run("solve", in, 2, &r, "method", "cg", "max_iterations", "5",
	       "allow_partial", "true", NULL);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 0);
	ck_assert_double_eq(matrix_get(&r.out[ITERATIONS], 0), 5);
	ck_assert_double_eq_tol(residual(&in[0], &in[1], &r.out[X], 0),
	                        r.verdict.relative_residual, 1e-12);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

/* Products of such elements overflow or underflow. */
START_TEST(elements_near_the_ends_of_the_range_are_scaled)
{
	static const double by[] = { 1e-300, 1e300, 1e-30, 1e35 };

	for (size_t i = 0; i < COUNT(by); i++) {
		const enum dtype t = i < 2 ? FLOAT64 : FLOAT32;
		struct matrix in[] = { matrix(LAPLACIAN, t, 8),
		                       random_matrix(t, 7, 1, (size_t)64) };
		struct args r;

		for (size_t k = 0; k < in[0].nnz; k++)
			matrix_set(&in[0], k, matrix_get(&in[0], k) * by[i]);
		for (size_t k = 0; k < 64; k++)
			matrix_set(&in[1], k, matrix_get(&in[1], k) * by[i]);
		op_run("solve", in, 2, &r, "method", "cg", "tol", "1e-5",
		       NULL);
		ck_assert_double_le(residual(&in[0], &in[1], &r.out[X], 0),
		                    1.01e-5);
		args_fini(&r);
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

START_TEST(dense_matrices_iterate_when_asked)
{
	struct matrix in[] = { matrix(LAPLACIAN, FLOAT64, 6),
	                       random_matrix(FLOAT64, 7, 1, (size_t)36) };
	struct matrix dense[] = { matrix_ref(&in[0]), in[1] };
	struct err e = { 0 };
	struct args r;

	ck_ok(sparse_convert(&dense[0], DENSE, test_pool, &e), &e);
	op_run("solve", dense, 2, &r, "method", "cg", NULL);
	ck_assert_double_le(residual(&in[0], &in[1], &r.out[X], 0), 1.001e-8);
	ck_assert_int_eq(r.out[ITERATIONS].ndim, 0);
	args_fini(&r);
	op_run("solve", in, 2, &r, NULL);
	ck_assert_double_le(residual(&in[0], &in[1], &r.out[X], 0), 1e-13);
	ck_assert_int_eq(r.out[ITERATIONS].ndim, MATRIX_ABSENT);
	args_fini(&r);
	ck_refused(op_try("solve", dense, 2, &r, &e, "tol", "1e-3", NULL), &e,
	           ERR_PARAMETER);
	ck_assert_str_eq(e.pointer, "/tol");
	matrix_fini(&dense[0]);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(a_stack_of_right_hand_sides_fails_one_by_one)
{
	const size_t n = 64;
	struct matrix in[] = { matrix(NEUMANN, FLOAT64, 8),
	                       random_matrix(FLOAT64, 7, 3, (size_t)2, n,
	                                     (size_t)1) };
	double mean = 0;
	struct args r;

	/* The second system is consistent, the first is not. */
	for (size_t i = 0; i < n; i++)
		mean += matrix_get(&in[1], n + i) / (double)n;
	for (size_t i = 0; i < n; i++)
		matrix_set(&in[1], n + i, matrix_get(&in[1], n + i) - mean);
	op_run("solve", in, 2, &r, "method", "minres", "preconditioner",
	       "none", NULL);
	ck_assert_uint_eq(r.failures, 1);
	ck_assert(isnan(matrix_get(&r.out[X], 0)));
	ck_assert(isfinite(matrix_get(&r.out[X], n)));
	ck_assert(matrix_get(&r.out[CONVERGED], 1) == 1);
	args_fini(&r);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

START_TEST(no_equations_and_zero_have_answers)
{
	struct matrix in[] = { matrix(LAPLACIAN, FLOAT64, 0),
	                       random_matrix(FLOAT64, 7, 1, (size_t)0) };
	struct matrix zero[] = { matrix(LAPLACIAN, FLOAT64, 3),
	                         random_matrix(FLOAT64, 7, 1, (size_t)9) };
	struct args r;

	op_run("solve", in, 2, &r, "method", "cg", NULL);
	ck_assert_uint_eq(matrix_elements(&r.out[X]), 0);
	ck_assert(matrix_get(&r.out[CONVERGED], 0) == 1);
	args_fini(&r);
	for (size_t i = 0; i < 9; i++)
		matrix_set(&zero[1], i, 0);
	op_run("solve", zero, 2, &r, "method", "gmres", NULL);
	for (size_t i = 0; i < 9; i++)
		ck_assert_double_eq(matrix_get(&r.out[X], i), 0);
	ck_assert_double_eq(matrix_get(&r.out[ITERATIONS], 0), 0);
	args_fini(&r);
	for (int i = 0; i < 2; i++) {
		matrix_fini(&in[i]);
		matrix_fini(&zero[i]);
	}
}
END_TEST

START_TEST(elements_that_are_not_finite_are_refused)
{
	for (int i = 0; i < 2; i++) {
		struct matrix in[] = { matrix(LAPLACIAN, FLOAT64, 3),
		                       random_matrix(FLOAT64, 7, 1,
		                                     (size_t)9) };
		struct err e = { 0 };
		struct args r;

		matrix_set(&in[i], 5, i ? NAN : INFINITY);
		ck_refused(op_try("solve", in, 2, &r, &e, "method", "cg",
		                  NULL), &e, ERR_NONFINITE);
		ck_assert_str_eq(e.pointer, i ? "/b" : "/a");
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}
END_TEST

/* The call takes no more of the device's memory than it had said. */
static void foresee(const struct variant *v)
{
	static const char *const methods[] = { "auto", "cg", "minres", "gmres",
	                                       "bicgstab", "jacobi" };
	static const enum kind kinds[] = { LAPLACIAN, CONVECTION, LONG_ROW };

	for (size_t i = 0; i < COUNT(methods) * COUNT(kinds); i++) {
		const enum kind kind = kinds[i % COUNT(kinds)];
		struct matrix in[] = { matrix(kind, FLOAT64, 17),
		                       random_matrix(FLOAT64, 7, 1,
		                                     (size_t)289) };
		struct err e = { 0 };
		struct args r;

		if (op_try("solve", in, 2, &r, &e, "method",
		           methods[i / COUNT(kinds)], "tol", "1e-3", "variant",
		           v->name, NULL) == 0) {
			const struct need n = need_now(&r);

			ck_assert_msg(test_memory <= n.bytes, "%s %s: %zu, "
			              "said %zu", v->name,
			              methods[i / COUNT(kinds)], test_memory,
			              n.bytes);
			args_fini(&r);
		}
		matrix_fini(&in[0]);
		matrix_fini(&in[1]);
	}
}

START_TEST(the_memory_that_is_needed_is_known_before)
{
	each_variant("solve", foresee);
}
END_TEST

START_TEST(a_failing_iteration_leaves_all_in_order)
{
	struct matrix in[] = { matrix(DIAGONAL, FLOAT64, 46),
	                       random_matrix(FLOAT64, 7, 1, (size_t)46 * 46) };

	ck_assert_uint_gt(in[0].dim[0], SOLVE_DENSE_ROWS);
	op_survives_failing_calls("solve", in, 2);
	matrix_fini(&in[0]);
	matrix_fini(&in[1]);
}
END_TEST

void solve_add_iterative_tests(TCase *t)
{
	tcase_add_test(t, every_method_and_preconditioner_meets_the_bound);
	tcase_add_test(t, large_systems_are_solved);
	tcase_add_test(t, what_a_method_cannot_solve_is_refused);
	tcase_add_test(t, a_singular_but_consistent_system_is_solved);
	tcase_add_test(t, a_pivot_that_is_zero_is_told_with_its_row);
	tcase_add_test(t, ichol0_shifts_the_diagonal_where_pivots_are_negative);
	tcase_add_test(t, right_hand_sides_have_a_history_each);
	tcase_add_test(t, a_partial_answer_says_so);
	tcase_add_test(t, elements_near_the_ends_of_the_range_are_scaled);
	tcase_add_test(t, dense_matrices_iterate_when_asked);
	tcase_add_test(t, a_stack_of_right_hand_sides_fails_one_by_one);
	tcase_add_test(t, no_equations_and_zero_have_answers);
	tcase_add_test(t, elements_that_are_not_finite_are_refused);
	tcase_add_test(t, the_memory_that_is_needed_is_known_before);
	tcase_add_test(t, a_failing_iteration_leaves_all_in_order);
}
