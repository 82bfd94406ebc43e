/* result.c - the JSON of an ended job is complete however it is cut into
 * pieces, and well-formed whatever it contains. */
#include <jansson.h>
#include <math.h>

#include "http/json_text.h"
#include "http/job_text.h"
#include "http/result_text.h"
#include "ops/failure.h"
#include "tests/test.h"

static struct err e;
static struct job *job;

/* Ends a job of lu successfully, with an n x n output of i / 7. */
static void end_job(size_t n)
{
	struct matrix *lu, *pivots;

	e = (struct err){ 0 };
	job = job_new(op_find("lu"), &e);
	ck_assert_msg(job != NULL, "%s", e.text);
	lu = &job->args.out[op_output(job->args.op, "lu")];
	*lu = (struct matrix){ .dtype = FLOAT64, .ndim = 2, .dim = { n, n } };
	ck_ok(matrix_alloc(lu, test_pool, &e), &e);
	for (size_t i = 0; i < n * n; i++)
		matrix_set(lu, i, (double)i / 7);
	pivots = &job->args.out[op_output(job->args.op, "pivots")];
	*pivots = (struct matrix){ .dtype = INT32, .ndim = 1, .dim = { n } };
	ck_ok(matrix_alloc(pivots, test_pool, &e), &e);
	for (size_t i = 0; i < n; i++)
		matrix_set(pivots, i, (double)i);
	job->state = JOB_SUCCESSFUL;
	job->first_byte_ns = 1000000;
	job->accepted_ns = 2000000;
	job->started_ns = 2500000;
	job->ended_ns = job->replied_ns = 9000000;
	job_set_timing(job, &(struct timing){
		.compute_ns = 4000000, .n_kernels = 1,
		.kernel[0] = {
			.name = "lu_panel", .calls = 3, .total_ns = 2000000,
			.min_ns = 500000, .max_ns = 1000000, .flops = 4e6,
		},
	});
	strcpy(job->variant, "blocked");
}

static void teardown(void)
{
	job_unref(job);
	job = NULL;
}

/* The whole text, printed in pieces of at most `most` bytes. */
static struct text print(size_t most)
{
	struct result_text *r = result_text_new(NULL, job, NULL, NULL, &e);
	struct text t = { 0 };
	ssize_t n;

	ck_assert_msg(r != NULL, "%s", e.text);
	do {
		char *room = text_reserve(&t, most);

		n = result_text_more(r, room, most);
		ck_assert_int_ge(n, 0);
		ck_assert_uint_le((size_t)n, most);
		text_grew(&t, (size_t)n);
	} while (n > 0);
	result_text_free(r);
	return t;
}

static json_t *parse(const struct text *t)
{
	json_error_t why;
	json_t *j = json_loadb(t->data, t->length, JSON_REJECT_DUPLICATES,
	                       &why);

	ck_assert_msg(j != NULL, "%s at %d", why.text, why.position);
	return j;
}

START_TEST(the_text_is_the_same_in_pieces_of_any_size)
{
	static const size_t sizes[] = { 64, 65, 100, 127, 1000, 32768 };
	struct text whole;

	end_job(13);
	whole = print(1 << 20);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct text t = print(sizes[i]);

		ck_assert_uint_eq(t.length, whole.length);
		ck_assert_mem_eq(t.data, whole.data, t.length);
		text_fini(&t);
	}
	text_fini(&whole);
}
END_TEST

START_TEST(every_number_reads_back_the_same)
{
	json_t *j, *rows;
	struct text t;

	end_job(10);
	t = print(4096);
	j = parse(&t);
	rows = json_object_get(json_object_get(j, "result"), "lu");
	ck_assert_uint_eq(json_array_size(rows), 10);
	for (size_t i = 0; i < 100; i++)
		ck_assert(json_number_value(json_array_get(json_array_get(
		    rows, i / 10), i % 10)) == (double)i / 7);
	json_decref(j);
	text_fini(&t);
}
END_TEST

START_TEST(what_is_not_finite_is_told_once)
{
	json_t *j, *result;
	struct text t;

	end_job(3);
	t = print(4096);
	ck_assert_ptr_null(strstr(t.data, "nonfinite"));
	text_fini(&t);
	matrix_set(&job->args.out[op_output(job->args.op, "lu")], 4, NAN);
	matrix_set(&job->args.out[op_output(job->args.op, "lu")], 5, INFINITY);
	t = print(100);
	j = parse(&t);
	result = json_object_get(j, "result");
	ck_assert(json_is_true(json_object_get(result, "nonfinite")));
	ck_assert(json_is_null(json_array_get(json_array_get(
	    json_object_get(result, "lu"), 1), 1)));
	json_decref(j);
	text_fini(&t);
}
END_TEST

static void describe(const struct args *a, const struct failure *f,
                     struct err *to)
{
	err_set(to, (enum err_code)f->detail.code, "%s: matrix %zu: column %d, "
	        "%g and %g", a->op->name, f->index, (int)f->detail.at,
	        f->detail.x, f->detail.y);
}

START_TEST(matrices_that_failed_are_listed_with_the_reason)
{
	static const size_t rooms[] = { 64, 100, 1000, 1 << 16 };
	static struct op op;

	for (size_t i = 0; i < COUNT(rooms); i++) {
		struct args *a;
		struct text t;
		json_t *j, *failed, *last;

		end_job(2);
		a = &job->args;
		op = *a->op;
		op.describe = describe;
		a->op = &op;
		a->stack = 200;
		a->failed = failures_shape(a->stack);
		ck_ok(matrix_alloc(&a->failed, test_pool, &e), &e);
		for (size_t k = 0; k < 199; k++)
			args_fail(a, &(struct failure){ k + 1, {
			          ERR_SINGULAR, (int)k, 0.5, -1 } });
		ck_assert(args_take_failures(a, a->failures));
		t = print(rooms[i]);
		j = parse(&t);
		failed = json_object_get(json_object_get(j, "result"),
		                         "failed");
		ck_assert_uint_eq(json_array_size(failed), 199);
		last = json_array_get(failed, 198);
		ck_assert_int_eq(json_integer_value(json_object_get(last,
		    "index")), 199);
		ck_assert_str_eq(json_string_value(json_object_get(last,
		    "kind")), "singular");
		ck_assert_str_eq(json_string_value(json_object_get(last,
		    "detail")), "lu: matrix 199: column 198, 0.5 and -1");
		json_decref(j);
		text_fini(&t);
		teardown();
	}
}
END_TEST

START_TEST(what_was_judged_is_told)
{
	struct text t = { 0 };

	end_job(1);
	job_text_quality(&t, job);
	ck_assert_uint_eq(t.length, 0);
	job->args.verdict.residual = 0.5;
	job->args.verdict.rcond = 1e-20;
	job->args.verdict.ill_conditioned = 1;
	text_puts(&t, "{");
	job_text_quality(&t, job);
	ck_assert_str_eq(t.data, "{\"quality\":{\"residual\":0.5,"
	                 "\"rcond\":1e-20,\"ill_conditioned\":true}");
	text_fini(&t);
}
END_TEST

START_TEST(a_job_without_outputs_has_an_empty_result)
{
	struct text t;
	json_t *j;

	end_job(1);
	job_drop_outputs(job);
	t = print(64);
	j = parse(&t);
	ck_assert_uint_eq(json_object_size(json_object_get(j, "result")), 0);
	json_decref(j);
	text_fini(&t);
}
END_TEST

static double stage(const json_t *o, const char *name)
{
	return json_number_value(json_object_get(o, name));
}

/* The timing in the object; NULL if there is none. */
static json_t *told_timing(void)
{
	struct text t = { 0 };
	json_t *all, *timing;

	text_puts(&t, "{");
	job_text_timing(&t, NULL, job);
	text_puts(&t, "}");
	all = parse(&t);
	timing = json_incref(json_object_get(all, "timing"));
	json_decref(all);
	text_fini(&t);
	return timing;
}

START_TEST(the_stages_are_in_milliseconds)
{
	json_t *told, *row;

	end_job(1);
	told = told_timing();
	ck_assert(stage(told, "queue_ms") == 0.5);
	ck_assert(stage(told, "compute_ms") == 4);
	ck_assert(stage(told, "total_ms") == 8);
	row = json_array_get(json_object_get(told, "kernels"), 0);
	ck_assert_str_eq(json_string_value(json_object_get(row, "variant")),
	                 "blocked");
	ck_assert(stage(row, "calls") == 3 && stage(row, "max_ms") == 1);
	ck_assert(stage(row, "gflops") == 2);
	ck_assert_ptr_null(json_object_get(row, "gbytes_per_s"));
	json_decref(told);
}
END_TEST

START_TEST(the_level_says_how_much_is_told)
{
	struct text t = { 0 };
	json_t *told;

	end_job(1);
	job_text_server_timing(&t, job);
	ck_assert_str_eq(t.data, "queue;dur=0.5, parse;dur=0, upload;dur=0, "
	                 "compute;dur=4, download;dur=0, total;dur=8, "
	                 "lu_panel;dur=2");
	text_clear(&t);
	job->timing_level = TIMING_SUMMARY;
	job_text_server_timing(&t, job);
	ck_assert_ptr_null(strstr(t.data, "lu_panel"));
	told = told_timing();
	ck_assert_ptr_null(json_object_get(told, "kernels"));
	json_decref(told);
	job->timing_level = TIMING_NONE;
	ck_assert_ptr_null(told_timing());
	text_fini(&t);
}
END_TEST

/* Asserts that s is printed as a JSON string equal to jansson's. */
static void same_string(const json_t *by_jansson, const char *s)
{
	struct text t = { 0 };
	json_t *j;

	text_puts(&t, "{");
	json_text_put_name(&t, "s");
	json_text_put_string(&t, s);
	json_text_put_name(&t, "n");
	json_text_put_number(&t, -0.125);
	text_puts(&t, "}");
	j = parse(&t);
	ck_assert(json_equal(json_object_get(j, "s"), by_jansson));
	ck_assert(stage(j, "n") == -0.125);
	json_decref(j);
	text_fini(&t);
}

START_TEST(numbers_of_documents_are_short_or_whole)
{
	static const struct { double x; const char *text; } rows[] = {
		{ 0, "0" }, { 3, "3" }, { 0.1, "0.1" },
		{ 16777217, "16777217" }, { 1.0 / 3, "0.33333334" },
		{ 1e300, "1e+300" }, { 1e-60, "1e-60" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct text t = { 0 };

		json_text_put_number(&t, rows[i].x);
		ck_assert_str_eq(t.data, rows[i].text);
		text_fini(&t);
	}
}
END_TEST

START_TEST(a_problem_is_json_whatever_it_quotes)
{
	static const char *const quoted[] = {
		"plain", "\"\\/\b", "\x01\x1f", "\xc3\xa4", "\xff\xfe", "\xc3",
		"\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\xe2\x82",
		"a\xf0\x9f\x98\x80z",
	};

	for (size_t i = 0; i < COUNT(quoted); i++) {
		struct err why = { .code = ERR_PARAMETER };
		struct text t = { 0 };
		json_t *j;

		strcpy(why.text, quoted[i]);
		strcpy(why.pointer, "/tol");
		json_text_print(&t, json_text_problem(&why, "/jobs/1"));
		ck_assert(!t.failed);
		j = parse(&t);
		same_string(json_object_get(j, "detail"), quoted[i]);
		ck_assert(stage(j, "status") == 400);
		ck_assert_ptr_nonnull(json_object_get(j, "instance"));
		ck_assert_ptr_nonnull(strstr(t.data, "\"#/tol\""));
		json_decref(j);
		text_fini(&t);
	}
}
END_TEST

TCase *tcase_http_result(void)
{
	TCase *t = tcase_create("http_result");

	tcase_add_checked_fixture(t, NULL, teardown);
	tcase_add_test(t, the_text_is_the_same_in_pieces_of_any_size);
	tcase_add_test(t, every_number_reads_back_the_same);
	tcase_add_test(t, what_is_not_finite_is_told_once);
	tcase_add_test(t, matrices_that_failed_are_listed_with_the_reason);
	tcase_add_test(t, what_was_judged_is_told);
	tcase_add_test(t, a_job_without_outputs_has_an_empty_result);
	tcase_add_test(t, the_stages_are_in_milliseconds);
	tcase_add_test(t, the_level_says_how_much_is_told);
	tcase_add_test(t, numbers_of_documents_are_short_or_whole);
	tcase_add_test(t, a_problem_is_json_whatever_it_quotes);
	return t;
}
