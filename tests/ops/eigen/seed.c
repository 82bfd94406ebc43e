/* seed.c - the article's rounds as variants of eigen. Its kernels find the pair
 * without linalgd's own rounds, and matrices that they cannot treat are solved
 * nevertheless. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "ops/eigen/seed.h"
#include "tests/ops/eigen/eigen.h"

static const enum dtype reals[] = { FLOAT32, FLOAT64 };
static const char *const seeds[] = { "seed-v0", "seed-v1", "seed-v2" };

/* Returns how many times the kernel ran. */
static double calls_of(const struct timing *t, const char *kernel)
{
	for (int i = 0; i < t->n_kernels; i++)
		if (strcmp(t->kernel[i].name, kernel) == 0)
			return (double)t->kernel[i].calls;
	return 0;
}

/* Runs a call by that variant, for its answer and times. */
static void run_timed(const struct matrix *a, const char *variant,
                      struct args *r, struct timing *t)
{
	struct err e = { 0 };
	struct seq *s = seq_new(test_device, a->dtype, TIMING_FULL, &e);

	args_init(r, op_find("eigen"));
	r->in[0] = *a;
	memory_ref(a->memory);
	r->dtype = a->dtype;
	r->variant = op_variant(r->op, variant);
	ck_ok(args_prepare(r, test_pool, &e), &e);
	ck_ok(r->variant->run(s, r), &e);
	seq_timing(s, t);
	seq_free(s);
}

/* After the article's rounds only one more product runs, which judges their
 * vector. */
START_TEST(the_articles_kernels_find_the_pair_themselves)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (int k = 0; k < (int)COUNT(seeds); k++) {
			struct matrix a = eigen_hilbert(reals[t], 100);
			char sums[] = "seed_row_sums_v0";
			struct timing times;
			struct args r;

			sums[15] = (char)('0' + k);
			run_timed(&a, seeds[k], &r, &times);
			eigen_assert_pair(&a, &r, 2.182696097757424,
			                  eigen_default_tol(reals[t]));
			ck_assert_double_gt(calls_of(&times, sums), 5);
			ck_assert_double_eq(calls_of(&times, sums) + 1,
			                    eigen_get(&r, ITERATIONS));
			ck_assert(r.want >> BRACKET & 1);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

START_TEST(the_callers_matrix_stays_as_it_is)
{
	for (size_t k = 0; k < COUNT(seeds); k++) {
		struct matrix a = eigen_random_matrix(FLOAT64, 1, 33, 5);
		struct matrix same = eigen_random_matrix(FLOAT64, 1, 33, 5);
		struct args r;

		op_run("eigen", &a, 1, &r, "variant", seeds[k], NULL);
		ck_assert_mem_eq(matrix_data(&a), matrix_data(&same),
		                 matrix_size(&a));
		args_fini(&r);
		matrix_fini(&a);
		matrix_fini(&same);
	}
}
END_TEST

/* Row sums that change slowly from row to row look equal to the article's
 * rule. */
START_TEST(a_ramp_of_row_sums_does_not_stop_the_rounds)
{
	const size_t n = 60;
	struct matrix a = random_matrix(FLOAT64, 1, 2, n, n);
	double top;

	for (size_t i = 0; i < n * n; i++)
		matrix_set(&a, i, i / n == i % n ? 1 +
		           5e-4 * fmin((double)(i / n), (double)(n - i / n)) :
		           1e-9);
	top = eigen_top_of_symmetric(&a);
	for (size_t k = 0; k < COUNT(seeds); k++) {
		struct args r;

		op_run("eigen", &a, 1, &r, "variant", seeds[k], "tol", "1e-3",
		       NULL);
		ck_assert_double_eq_tol(eigen_get(&r, VALUE), top, 1e-3);
		args_fini(&r);
	}
	matrix_fini(&a);
}
END_TEST

static void check_small(const double *x, size_t n, double lambda)
{
	for (size_t t = 0; t < COUNT(reals); t++)
		for (size_t k = 0; k < COUNT(seeds); k++) {
			struct matrix a = matrix_of(reals[t], x, 2, n, n);
			struct args r;

			op_run("eigen", &a, 1, &r, "variant", seeds[k], NULL);
			ck_assert_double_le(
			    fabs(fabs(eigen_get(&r, VALUE)) - fabs(lambda)),
			    2 * eigen_default_tol(reals[t]) * fabs(lambda));
			args_fini(&r);
			matrix_fini(&a);
		}
}

#define SMALL(n, lambda, ...) \
	check_small((const double[]){ __VA_ARGS__ }, n, lambda)

START_TEST(the_articles_examples_and_what_they_could_not_do)
{
	SMALL(3, 7.5311288741492746, 1, 1, 2, 2, 1, 3, 2, 3, 5);
	SMALL(3, 9.6234753829797978, 1, 2, 3, 2, 3, 4, 3, 4, 5);
	SMALL(2, -4, -3, 1, 1, -3);
	SMALL(2, 3, 1, -2, -2, 1);
	SMALL(2, 2, 0, 1, 4, 0);		/* cyclic */
	SMALL(3, 5, 0, 0, 0, 1, 1, 2, 1, 2, 4);	/* a row of zeros */
	SMALL(4, 7, 1, 2, 0, 0, 2, 1, 0, 0, 0, 0, 3, 4, 0, 0, 4, 3);
	SMALL(2, 3, 2, 1, 0, 3);
	SMALL(2, 0, 0, 0, 0, 0);
	SMALL(1, 5, 5);
	SMALL(2, 3e-30, 1e-30, 2e-30, 2e-30, 1e-30);
	SMALL(2, 3e30, 1e30, 2e30, 2e30, 1e30);
}
END_TEST

START_TEST(the_limit_of_products_holds_for_the_articles_rounds_too)
{
	for (size_t k = 0; k < COUNT(seeds); k++)
		for (int limit = 1; limit < 4; limit++) {
			struct matrix a = eigen_hilbert(FLOAT64, 50);
			char text[2] = { (char)('0' + limit), 0 };
			struct args r;

			op_run("eigen", &a, 1, &r, "variant", seeds[k],
			       "method", "similarity", "max_iterations", text,
			       "allow_partial", "true", NULL);
			ck_assert_double_eq(eigen_get(&r, ITERATIONS), limit);
			ck_assert_double_eq(eigen_get(&r, CONVERGED), 0);
			args_fini(&r);
			matrix_fini(&a);
		}
}
END_TEST

/* Redirects standard error to a file; returns the original one. */
static int send_errors(const char *path)
{
	const int before = dup(STDERR_FILENO), file = open(path, O_WRONLY);

	ck_assert_int_ge(before, 0);
	ck_assert_int_eq(dup2(file, STDERR_FILENO), STDERR_FILENO);
	close(file);
	return before;
}

/* On a device that claims an extension it does not have, the compiler refuses
 * the kernel, and sub-groups are emulated in local memory. */
static void check_fallback(const char *vendor, uint32_t width)
{
	const size_t n = 70;
	struct matrix x = random_matrix(FLOAT32, 1, 1, n);
	struct matrix max = random_matrix(FLOAT32, 2, 1, (size_t)1);
	struct err e = { 0 };
	struct device *d = device_open(device_sheet(test_device)->index, NULL,
	                               &e);
	struct sheet *sheet = (struct sheet *)device_sheet(d);
	struct seq *s = seq_new(d, FLOAT32, TIMING_NONE, &e);

	snprintf(sheet->vendor, sizeof sheet->vendor, "%s", vendor);
	sheet->subgroup_sizes[0] = width;
	matrix_set(&x, 69, 64);
	seed_max(s, 1, seq_input(s, &x), seq_output(s, &max), n);
	ck_ok(seq_finish(s), &e);
	seq_free(s);
	ck_assert_double_eq(matrix_get(&max, 0), 64);
	device_close(d);
	matrix_fini(&x);
	matrix_fini(&max);
}

START_TEST(subgroups_that_do_not_compile_are_emulated)
{
	/* Compilers may print the number of errors. */
	const int errors = send_errors("/dev/null");

	check_fallback("NVIDIA Corporation", 32);
	check_fallback("another", 16);
	dup2(errors, STDERR_FILENO);
	close(errors);
}
END_TEST

void eigen_seed_tests(TCase *c)
{
	tcase_add_test(c, the_articles_kernels_find_the_pair_themselves);
	tcase_add_test(c, the_callers_matrix_stays_as_it_is);
	tcase_add_test(c, a_ramp_of_row_sums_does_not_stop_the_rounds);
	tcase_add_test(c, the_articles_examples_and_what_they_could_not_do);
	tcase_add_test(c,
	    the_limit_of_products_holds_for_the_articles_rounds_too);
	tcase_add_test(c, subgroups_that_do_not_compile_are_emulated);
}
