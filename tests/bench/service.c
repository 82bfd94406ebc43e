/* service.c - the service's benchmark: wrk's output is parsed, and in every
 * format a wrong answer is recognised. */
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "bench/load.h"
#include "bench/median.h"
#include "bench/process.h"
#include "bench/service.h"
#include "tests/test.h"

START_TEST(a_load_is_read_from_what_wrk_prints)
{
	static const char output[] =
		"Running 2s test @ http://127.0.0.1:1/\n"
		"Requests/sec:   5000.00\n"
		"load: requests 10000 duration 2000000 p50 150 p99 2250 "
		"failures 3\n";
	struct load_figures f;

	ck_assert(load_parse(output, &f));
	ck_assert(f.requests == 10000 && f.seconds == 2);
	ck_assert(fabs(f.p50_ms - 0.15) < 1e-12);
	ck_assert(fabs(f.p99_ms - 2.25) < 1e-12);
	ck_assert(f.failures == 3);
}
END_TEST

START_TEST(a_broken_line_of_wrk_is_no_load)
{
	static const char *const broken[] = {
		"", "unable to connect to 127.0.0.1:1 Connection refused\n",
		"load: requests 100 duration 2000000 p50 150 p99\n",
	};
	struct load_figures f;

	for (size_t i = 0; i < COUNT(broken); i++)
		ck_assert_msg(!load_parse(broken[i], &f), "%s", broken[i]);
}
END_TEST

START_TEST(a_median_is_the_middle_and_nan_shows)
{
	double odd[] = { 3, 1, 2 }, nan[] = { 1, NAN, 2 };

	ck_assert(bench_median(odd, 3) == 2);
	ck_assert(isnan(bench_median(nan, 3)));
}
END_TEST

static struct question made(const char *op, enum question_format format)
{
	struct question q = { .op = op, .format = format, .n = 8 };
	struct err e = { 0 };

	ck_ok(question_make(&q, test_pool, &e), &e);
	return q;
}

/* Element (0, 0) of the product, computed here. */
static double first_of(const struct question *q)
{
	double sum = 0;

	for (size_t k = 0; k < q->n; k++)
		sum += matrix_get(&q->in[0], k) *
		       matrix_get(&q->in[1], k * q->n);
	return sum;
}

static void put_answer(struct text *t, enum question_format format, double x)
{
	static const char npy[] = "\x93NUMPY\1\0\x28\0{'descr': '<f4', "
		"'fortran_order': False}  \n";
	const float element = (float)x;

	text_clear(t);
	if (format == JSON) {
		text_printf(t, "{\"op\":\"matmul\",\"result\":{\"c\":[[%.9g,1],"
		            "[2,3]]}}", x);
		return;
	}
	if (format == NPY) {
		const unsigned char length[2] = { sizeof npy - 1 - 10, 0 };

		text_add(t, npy, sizeof npy - 1);
		memcpy(t->data + 8, length, 2);
	}
	text_add(t, &element, sizeof element);
}

START_TEST(a_wrong_answer_is_found_in_every_format)
{
	struct text t = { 0 };

	for (int f = OCTETS; f <= NPY; f++) {
		struct question q = made("matmul", f);

		put_answer(&t, f, first_of(&q));
		ck_assert_msg(question_answered(&q, &t), "%d", f);
		put_answer(&t, f, first_of(&q) * 1.01);
		ck_assert_msg(!question_answered(&q, &t), "%d", f);
		put_answer(&t, f, NAN);
		ck_assert_msg(!question_answered(&q, &t), "%d", f);
		text_clear(&t);
		ck_assert_msg(!question_answered(&q, &t), "%d", f);
		question_fini(&q);
	}
	text_fini(&t);
}
END_TEST

START_TEST(both_services_are_asked_the_same)
{
	struct question q = made("matmul", OCTETS);
	struct question_form ours = { .body = { 0 } }, theirs = ours;
	struct err e = { 0 };

	ck_ok(question_write(&q, OURS, &ours, &e), &e);
	ck_ok(question_write(&q, THEIRS, &theirs, &e), &e);
	ck_assert_str_eq(ours.target, "/matmul?a.shape=8,8&b.shape=8,8"
	                              "&dtype=float32");
	ck_assert_str_eq(theirs.target, "/matmul?m=8&k=8&n=8&dtype=float32");
	ck_assert_uint_eq(ours.body.length, 2 * 64 * sizeof(float));
	ck_assert_uint_eq(theirs.body.length, ours.body.length);
	ck_assert_mem_eq(theirs.body.data, ours.body.data, ours.body.length);
	text_fini(&ours.body);
	text_fini(&theirs.body);
	question_fini(&q);
}
END_TEST

START_TEST(every_service_row_can_be_asked)
{
	for (const struct service_row *r = service_rows; r->op; r++) {
		struct question q = made(r->op, r->format);

		ck_assert_int_ge(r->services, 2);
		ck_assert_int_le(r->services, SERVICES);
		ck_assert((r->measure == MEASURE_LOAD) ==
		          (r->connections > 0));
		question_fini(&q);
	}
}
END_TEST

START_TEST(a_process_that_ended_uses_nothing)
{
	char *argv[] = { "/bin/sh", "-c", "exit 0", NULL };
	struct err e = { 0 };
	struct process_use u;
	pid_t pid;

	ck_ok(process_start(&pid, argv, (int[]){ -1, -1, -1 }, &e), &e);
	process_end(pid, 10);
	ck_assert(!process_runs(pid));
	u = process_use(pid);
	ck_assert(u.cpu_s == 0 && u.peak_mib == 0 && u.own_kib == 0);
}
END_TEST

/* A shell and its child of the same size, both waiting for input; the child
 * writes when it has started. Their text makes them so large that pages which
 * the kernel has not counted yet do not matter. */
START_TEST(children_count_with_their_process)
{
	char *argv[] = { "/bin/sh", "-c", "exec 3<&0; "
	                 "x=$(head -c 16777216 /dev/zero | tr '\\0' x); "
	                 "(echo; read y) <&3 & wait", NULL };
	struct err e = { 0 };
	struct process_use u;
	int input[2], output[2];
	char there;
	pid_t pid;

	ck_assert_int_eq(pipe2(input, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(output, O_CLOEXEC), 0);
	ck_ok(process_start(&pid, argv, (int[]){ input[0], output[1], -1 },
	                    &e), &e);
	ck_assert_int_eq(read(output[0], &there, 1), 1);
	u = process_use(pid);
	ck_assert(u.own_kib > 0 && u.peak_mib * 1024 > 1.5 * u.own_kib);
	ck_assert(process_runs(pid));
	process_end(pid, 0);
	ck_assert(!process_runs(pid));
	for (int i = 0; i < 2; i++) {
		close(input[i]);
		close(output[i]);
	}
}
END_TEST

START_TEST(a_missing_program_is_told)
{
	char *argv[] = { "/nonexistent/peer", NULL };
	struct err e = { 0 };
	pid_t pid;

	ck_refused(process_start(&pid, argv, (int[]){ -1, -1, -1 }, &e), &e,
	           ERR_NOT_FOUND);
	ck_assert_ptr_nonnull(strstr(e.text, "/nonexistent/peer"));
}
END_TEST

TCase *tcase_bench_service(void)
{
	TCase *t = tcase_create("bench_service");

	tcase_add_test(t, a_load_is_read_from_what_wrk_prints);
	tcase_add_test(t, a_broken_line_of_wrk_is_no_load);
	tcase_add_test(t, a_median_is_the_middle_and_nan_shows);
	tcase_add_test(t, a_wrong_answer_is_found_in_every_format);
	tcase_add_test(t, both_services_are_asked_the_same);
	tcase_add_test(t, every_service_row_can_be_asked);
	tcase_add_test(t, a_process_that_ended_uses_nothing);
	tcase_add_test(t, children_count_with_their_process);
	tcase_add_test(t, a_missing_program_is_told);
	return t;
}
