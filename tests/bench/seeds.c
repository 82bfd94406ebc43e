/* seeds.c - the articles' tables are complete and as published, their judges
 * find wrong results, and every missing figure is printed with its reason. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/seeds_print.h"
#include "tests/test.h"
#include "worker/measure.h"

#define EACH_TABLE(t) \
	for (const struct seed_table *t = seed_tables; t->name; t++)

static const struct seed_table *table(const char *name)
{
	EACH_TABLE(t)
		if (strcmp(t->name, name) == 0)
			return t;
	ck_abort_msg("no table %s", name);
	return NULL;
}

/* The figures of the last two sizes, as the articles print them. */
static const struct {
	const char *table;
	int version, machine;
	double before_last, last;
} printed[] = {
	{ "row-sums", 0, 0, 79.719, 315.3 },
	{ "row-sums", 1, 0, 14.896, 59.13 },
	{ "row-sums", 2, 0, 32.721, 126.747 },
	{ "row-sums", 0, 1, 35201.8, 191747 },
	{ "row-sums", 1, 1, 101.141, 502.316 },
	{ "row-sums", 2, 1, 54.654, 220.202 },
	{ "max", 0, 0, 14.867, 28.477 },
	{ "max", 2, 1, 27.154, 53.736 },
	{ "update", 0, 0, 8.177, 16.149 },
	{ "update", 1, 1, 3.497, 6.904 },
	{ "next-matrix", 0, 0, 25.806, 103.048 },
	{ "next-matrix", 0, 1, 2.412, 9.962 },
	{ "stop", 1, 0, 77.394, 154.021 },
	{ "stop", 1, 1, 26.739, 54.011 },
	{ "eigen", 2, 0, 911, 4052 },
	{ "eigen", 2, 1, 535, 2373 },
};

START_TEST(figures_are_those_that_the_articles_print)
{
	for (size_t i = 0; i < COUNT(printed); i++) {
		const struct seed_table *t = table(printed[i].table);
		const int n = seed_count_sizes(t);
		const double *ms = t->versions[printed[i].version]
		                   .published[printed[i].machine];

		ck_assert_double_eq(ms[n - 2], printed[i].before_last);
		ck_assert_double_eq(ms[n - 1], printed[i].last);
	}
	ck_assert_double_eq(table("lu")->versions[1].deviation[0], .498501);
	ck_assert_double_eq(table("lu")->versions[0].published[0][0], 3870);
	ck_assert_double_eq(table("matmul")->versions[2].published[1][0], 18);
	ck_assert_double_eq(table("eigen")->rounds[0], 9);
	ck_assert_double_eq(table("eigen")->rounds[6], 17);
}
END_TEST

START_TEST(sizes_run_from_first_to_last_by_doubling)
{
	EACH_TABLE(t)
		for (int i = 1; i < seed_count_sizes(t); i++)
			ck_assert_uint_eq(t->sizes[i], 2 * t->sizes[i - 1]);
	ck_assert_uint_eq(table("row-sums")->sizes[0], 128);
	ck_assert_uint_eq(table("row-sums")->sizes[6], 8192);
	ck_assert_uint_eq(table("max")->sizes[0], 65536);
	ck_assert_uint_eq(table("max")->sizes[9], 33554432);
	ck_assert_uint_eq(table("reductions")->sizes[0], 10 * 1024 * 1024);
}
END_TEST

/* Every column has a figure for each size or for none, and only named machines
 * have columns. */
START_TEST(no_column_has_a_hole)
{
	EACH_TABLE(t)
		for (int v = 0; t->versions[v].name; v++)
			for (int m = 0; m < SEED_MACHINES; m++) {
				const double *ms = t->versions[v].published[m];
				const int n = seed_count_sizes(t);

				for (int i = 0; i < SEED_SIZES; i++)
					ck_assert_msg((ms[i] > 0) ==
					    (ms[0] > 0 && i < n), "%s %s %d",
					    t->name, t->versions[v].name, i);
				ck_assert(ms[0] <= 0 || t->machines[m]);
			}
}
END_TEST

START_TEST(every_version_can_be_called)
{
	EACH_TABLE(t) {
		const struct op *o = t->op ? op_find(t->op) : NULL;

		ck_assert_msg(!t->op || o, "%s", t->name);
		for (int i = 0; t->params[i]; i += 2)
			ck_assert_int_ge(op_param(o, t->params[i]), 0);
		for (int i = 0; t->results[i]; i++)
			ck_assert_int_ge(op_output(o, t->results[i]), 0);
		for (int v = 0; t->versions[v].name; v++) {
			const struct seed_version *version = &t->versions[v];

			ck_assert(version->by != SEED_KERNEL || t->kernel);
			ck_assert(version->by == SEED_KERNEL || o);
			ck_assert_msg(version->by != SEED_VARIANT ||
			    op_variant(o, version->variant), "%s: no variant "
			    "%s", t->op, version->variant);
		}
	}
}
END_TEST

START_TEST(ours_is_the_last_column)
{
	EACH_TABLE(t) {
		const int n = seed_count_versions(t);

		for (int v = 0; v < n; v++)
			ck_assert(t->versions[v].by != SEED_OURS ||
			          v == n - 1);
	}
	ck_assert_int_eq(seed_count_versions(table("reductions")), 13);
}
END_TEST

static struct matrix of(enum dtype t, int ndim, size_t n, const double *x)
{
	struct matrix m = { .dtype = t, .ndim = ndim, .dim = { n, n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	for (size_t i = 0; i < matrix_elements(&m); i++)
		matrix_set(&m, i, x[i]);
	return m;
}

/* Two operands for each judge, and a right result. */
static const struct {
	const char *table;
	int ndim[3], out_ndim[2];
	double in[3][4], out[2][4];
} judged[] = {
	{ "row-sums", { 2, 0, 0 }, { 1, 0 }, { { 1, 2, 3, 4 } },
	  { { 3, 7 } } },
	{ "max", { 1, 0, 0 }, { 0, 0 }, { { -3, -1 } }, { { -1 } } },
	{ "update", { 1, 1, 0 }, { 1, 0 }, { { 1, 2 }, { 3, 4 }, { 4 } },
	  { { .75, 2 } } },
	{ "next-matrix", { 2, 1, 0 }, { 2, 0 }, { { 1, 2, 3, 4 }, { 2, 4 } },
	  { { 1, 4, 1.5, 4 } } },
	{ "stop", { 1, 0, 0 }, { 0, 0 }, { { 1, 1.0005 }, { 1 } },
	  { { 1 } } },
	{ "eigen", { 2, 0, 0 }, { 0, 1 }, { { 2, 1, 1, 2 } },
	  { { 3 }, { .5, .5 } } },
	{ "lu", { 2, 0, 0 }, { 2, 1 }, { { 1, 2, 4, 4 } },
	  { { 4, 4, .25, 1 }, { 1, 1 } } },
	{ "matmul", { 2, 2, 0 }, { 2, 0 }, { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } },
	  { { 19, 22, 43, 50 } } },
	{ "reductions", { 1, 0, 0 }, { 0, 0 }, { { 1, 1 } }, { { 2 } } },
};

static double judge(size_t i, double change)
{
	const struct seed_table *t = table(judged[i].table);
	struct matrix in[3], out[2];
	double error;

	for (int k = 0; k < 3; k++)
		in[k] = of(FLOAT64, judged[i].ndim[k], 2, judged[i].in[k]);
	for (int k = 0; k < 2; k++)
		out[k] = of(FLOAT64, judged[i].out_ndim[k], 2,
		            judged[i].out[k]);
	matrix_set(&out[0], 0, matrix_get(&out[0], 0) + change);
	error = t->error(in, out);
	for (int k = 0; k < 3; k++)
		matrix_fini(&in[k]);
	for (int k = 0; k < 2; k++)
		matrix_fini(&out[k]);
	return error;
}

START_TEST(a_right_result_does_not_deviate)
{
	for (size_t i = 0; i < COUNT(judged); i++)
		ck_assert_msg(judge(i, 0) < 1e-15, "%s", judged[i].table);
}
END_TEST

START_TEST(a_wrong_result_deviates)
{
	for (size_t i = 0; i < COUNT(judged); i++) {
		ck_assert_msg(judge(i, 0.5) > 0.01, "%s", judged[i].table);
		ck_assert_msg(!(judge(i, NAN) < 1e9), "%s", judged[i].table);
	}
}
END_TEST

START_TEST(every_table_has_a_judge_that_is_tested)
{
	EACH_TABLE(t) {
		bool found = false;

		for (size_t i = 0; i < COUNT(judged); i++)
			found |= strcmp(judged[i].table, t->name) == 0;
		ck_assert_msg(found && t->error, "%s", t->name);
	}
}
END_TEST

/* The figures of a device that took 1.5 ms for every version but one. */
static struct seed_figures figures(const char *name)
{
	struct seed_figures f = { .table = table(name), .device = "it",
	                          .cell_ms = 2000 };

	for (int i = 0; i < SEED_SIZES; i++)
		for (int v = 0; v < SEED_VERSIONS; v++)
			f.cell[i][v] = (struct seed_cell){
				.ms = 1.5, .error = 1e-7, .rounds = 8 };
	seed_cell_empty(&f.cell[0][0], "not available: needs wings");
	seed_cell_empty(&f.cell[6][1], "left out: slow");
	f.cell[6][1].left_out = true;
	return f;
}

static char *as_text(const struct seed_figures *f, int size)
{
	struct text t = { 0 };

	seed_print_heading(&t, f);
	seed_print_row(&t, f, size);
	seed_print_ending(&t, f);
	ck_assert(!t.failed);
	return text_take(&t);
}

START_TEST(a_line_has_the_articles_figures_and_ours)
{
	const struct seed_figures f = figures("row-sums");
	char *s = as_text(&f, 0);

	ck_assert_ptr_nonnull(strstr(s, "Xeon E5-2686 v4"));
	ck_assert_ptr_nonnull(strstr(s,
	    "\n      128      2.688      1.235      0.230      7.844"
	    "      0.536      0.617          -      1.500      1.500"
	    "      1.500\n"));
	ck_assert_ptr_nonnull(strstr(s, "v0: not available: needs wings\n"));
	ck_assert_ptr_nonnull(strstr(s, "-: left out: slow\n"));
	free(s);
}
END_TEST

START_TEST(rounds_stand_beside_their_times)
{
	const struct seed_figures f = figures("eigen");
	char *s = as_text(&f, 6);

	ck_assert_ptr_nonnull(strstr(s, "\n     8192      17       8       -"
	    "       8       8             4052         2373      1.500"
	    "          -      1.500      1.500\n"));
	free(s);
}
END_TEST

START_TEST(the_largest_deviation_of_all_sizes_is_told)
{
	struct seed_figures f = figures("row-sums");
	char *s;

	f.cell[3][2].error = 7e-3;
	f.cell[5][1].error = NAN;
	s = as_text(&f, 0);
	ck_assert_ptr_nonnull(strstr(s, "v1      nan, v2  7.0e-03, linalgd"
	                                "  1.0e-07\n"));
	free(s);
}
END_TEST

START_TEST(a_table_of_one_size_has_a_line_a_version)
{
	struct seed_figures f = figures("lu");
	char *s;

	f.cell[0][2].ms = 0.25;
	s = as_text(&f, 0);
	ck_assert_ptr_nonnull(strstr(s, "\nv0 naive "));
	ck_assert_ptr_nonnull(strstr(s, "3.4e-02"));
	ck_assert_ptr_nonnull(strstr(s, "\nv1 improved                162.000"
	    "      5.0e-01            1.500      1.0e-07      0.250\n"));
	free(s);
}
END_TEST

START_TEST(a_plot_has_a_line_a_column)
{
	const struct seed_figures f = figures("row-sums");
	struct text t = { 0 };
	int dashed = 0, solid = 0;

	seed_plot(&t, &f);
	ck_assert(!t.failed);
	for (const char *s = t.data; (s = strstr(s, "dasharray=\"")); s++)
		*(s[11] == '"' ? &solid : &dashed) += 1;
	/* each line, and the sample beside its name */
	ck_assert_int_eq(dashed, 2 * 6);
	ck_assert_int_eq(solid, 2 * 4);
	text_fini(&t);
}
END_TEST

START_TEST(measured_peaks_are_recalled_for_their_device_alone)
{
	struct sheet s = { .index = 3, .name = "a device", .driver = "1.2",
	                   .peaks = { 1234.5, 617.25, 89 } };
	struct sheet same = s, other = s;
	char cache[] = "/tmp/linalgd-peaks-XXXXXX", path[64];
	struct err e = { 0 };

	ck_assert_ptr_nonnull(mkdtemp(cache));
	same.peaks = other.peaks = (struct peaks){ 0 };
	strcpy(other.driver, "1.3");
	measure_recall(&same, cache);
	ck_assert_double_eq(same.peaks.gbytes_per_s, 0);
	ck_ok(measure_keep(&s, cache, &e), &e);
	measure_recall(&same, cache);
	measure_recall(&other, cache);
	ck_assert_double_eq(same.peaks.gflops_float32, 1234.5);
	ck_assert_double_eq(same.peaks.gflops_float64, 617.25);
	ck_assert_double_eq(same.peaks.gbytes_per_s, 89);
	ck_assert_double_eq(other.peaks.gbytes_per_s, 0);
	snprintf(path, sizeof path, "%s/peaks-3", cache);
	ck_assert_int_eq(truncate(path, 20), 0);
	same.peaks = (struct peaks){ 0 };
	measure_recall(&same, cache);
	ck_assert_double_eq(same.peaks.gflops_float32, 0);
	unlink(path);
	rmdir(cache);
	ck_refused(measure_keep(&s, cache, &e), &e, ERR_INTERNAL);
}
END_TEST

TCase *tcase_bench_seeds(void)
{
	TCase *t = tcase_create("bench_seeds");

	tcase_add_test(t, figures_are_those_that_the_articles_print);
	tcase_add_test(t, sizes_run_from_first_to_last_by_doubling);
	tcase_add_test(t, no_column_has_a_hole);
	tcase_add_test(t, every_version_can_be_called);
	tcase_add_test(t, ours_is_the_last_column);
	tcase_add_test(t, a_right_result_does_not_deviate);
	tcase_add_test(t, a_wrong_result_deviates);
	tcase_add_test(t, every_table_has_a_judge_that_is_tested);
	tcase_add_test(t, a_line_has_the_articles_figures_and_ours);
	tcase_add_test(t, rounds_stand_beside_their_times);
	tcase_add_test(t, the_largest_deviation_of_all_sizes_is_told);
	tcase_add_test(t, a_table_of_one_size_has_a_line_a_version);
	tcase_add_test(t, a_plot_has_a_line_a_column);
	tcase_add_test(t, measured_peaks_are_recalled_for_their_device_alone);
	return t;
}
