/* call_batch.c - several calls in one message, and their answers. */
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

#include "device/state.h"
#include "tests/test.h"
#include "tests/wire/far_side.h"
#include "worker/serve.h"

static struct call calls[CALL_BATCH];
static struct answers sent, got;
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	sent.used = got.used = 0;
	far_side_open();
}

static void teardown(void)
{
	far_side_close();
}

/* A call of the first operation on n numbers. */
static void fill(struct args *a, size_t n)
{
	args_init(a, ops[0]);
	a->in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 1,
	                            .dim = { n } };
	ck_ok(matrix_alloc(&a->in[0], test_pool, &e), &e);
	for (size_t i = 0; i < n; i++)
		matrix_set(&a->in[0], i, (double)(n + i));
}

START_TEST(a_batch_arrives_in_its_order)
{
	struct call_out out[CALL_BATCH];
	struct args args[CALL_BATCH];

	for (int i = 0; i < CALL_BATCH; i++) {
		fill(&args[i], (size_t)i + 1);
		ck_assert(call_shares(&args[i]));
		out[i] = (struct call_out){
			.serial = 7 + (uint64_t)i, .level = TIMING_NONE,
			.args = &args[i],
		};
	}
	ck_ok(call_send(far_pair[0], &far_small, out, CALL_BATCH, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e),
	                 CALL_BATCH);
	for (int i = 0; i < CALL_BATCH; i++) {
		const struct matrix *m = &calls[i].args.in[0];

		ck_assert_int_eq(calls[i].err.code, ERR_NONE);
		ck_assert_uint_eq(calls[i].serial, 7 + (uint64_t)i);
		ck_assert_uint_eq(m->dim[0], (size_t)i + 1);
		ck_assert_mem_eq(matrix_data(m), matrix_data(&args[i].in[0]),
		                 matrix_size(m));
		args_fini(&calls[i].args);
		args_fini(&args[i]);
	}
}
END_TEST

START_TEST(a_large_matrix_keeps_a_call_out_of_batches)
{
	struct args a;

	fill(&a, MEMORY_SLAB);
	ck_assert(!call_shares(&a));
	args_fini(&a);
}
END_TEST

static struct done done_of(int i)
{
	struct done d = { .serial = (uint64_t)i, .verdict.residual = i };

	d.timing.n_kernels = i % (TIMING_ROWS + 1);
	for (int k = 0; k < d.timing.n_kernels; k++)
		d.timing.kernel[k].calls = (uint64_t)(i + k);
	return d;
}

static bool receive(struct answers *a)
{
	int fds[IO_FDS], n_fds;
	const ssize_t n = io_receive(far_pair[1], a->bytes, sizeof a->bytes,
	                             fds, &n_fds);

	a->used = n > 0 ? (size_t)n : 0;
	return n > 0;
}

START_TEST(answers_arrive_whole_in_as_many_messages_as_they_need)
{
	/* As many as the socket takes before the other side reads. */
	const int all = TIMING_ROWS / 2 + 1;
	int i = 0, messages = 0;

	for (int k = 0; k < all; k++) {
		const struct done d = done_of(2 * k);

		ck_ok(answers_add(&sent, &d, far_pair[0], &e), &e);
	}
	ck_ok(answers_send(&sent, far_pair[0], &e), &e);
	/* None is left. */
	ck_ok(answers_send(&sent, far_pair[0], &e), &e);
	shutdown(far_pair[0], SHUT_WR);
	for (; receive(&got); messages++) {
		const struct done *d = NULL;

		ck_ok(answers_check(&got, all - i, &e), &e);
		for (; (d = answers_next(&got, d)); i++) {
			const struct done want = done_of(2 * i);
			const size_t n = offsetof(struct done, timing.kernel) +
			    (size_t)want.timing.n_kernels *
			    sizeof want.timing.kernel[0];

			ck_assert_mem_eq(d, &want, n);
		}
	}
	ck_assert_int_eq(i, all);
	ck_assert_int_gt(messages, 1);
}
END_TEST

#define WRONG(member, ...) \
	{ offsetof(struct done, member), &(__VA_ARGS__), sizeof(__VA_ARGS__) }

/* Values that no correct worker sends, each at an offset of its answer. */
static const struct {
	size_t at;
	const void *bytes;
	size_t n;
} wrong[] = {
	WRONG(timing.n_kernels, (int){ TIMING_ROWS + 1 }),
	WRONG(timing.n_kernels, (int){ -1 }),
	WRONG(timing.n_kernels, (int){ 4 }),		/* one is missing */
	WRONG(err.code, (int){ ERR_COUNT }),
	WRONG(err.code, (int){ -1 }),
	WRONG(err.text, (char[2]){ "\n" }),
	WRONG(err.pointer, (char[2]){ "\x7f" }),
	WRONG(verdict.residual, (double){ -1 }),
	WRONG(verdict.rcond, (double){ -INFINITY }),
	WRONG(begun_ns, (int64_t){ -1 }),
	WRONG(begun_ns, (int64_t){ INT64_MAX }),
	WRONG(timing.upload_ns, (int64_t){ -1 }),
	WRONG(timing.download_ns, (int64_t){ INT64_MIN }),
	WRONG(timing.compute_ns, (int64_t){ -1 }),
	WRONG(timing.host_ns, (int64_t){ -1 }),
	WRONG(timing.cold, (unsigned char){ 2 }),
	WRONG(timing.kernel[0].timed, (uint64_t){ 1000 }),
	WRONG(timing.kernel[1].name, (char[2]){ "\t" }),
	WRONG(timing.kernel[1].flops, (double){ -1 }),
	WRONG(timing.kernel[1].flops, (double){ NAN }),
	WRONG(timing.kernel[2].bytes, (double){ INFINITY }),
	WRONG(timing.kernel[2].device, (int){ SHEETS }),
	WRONG(timing.kernel[2].device, (int){ -1 }),
};

static void is_refused(int n)
{
	e = (struct err){ 0 };
	ck_refused(answers_check(&sent, n, &e), &e, ERR_DEVICE);
}

START_TEST(answers_that_cannot_be_are_refused)
{
	const struct done good = done_of(3);

	is_refused(1);					/* no answer */
	e = (struct err){ 0 };
	ck_ok(answers_add(&sent, &good, far_pair[0], &e), &e);
	is_refused(0);					/* one too many */
	for (size_t i = 0; i < COUNT(wrong); i++) {
		memcpy(sent.bytes, &good, sizeof good);
		e = (struct err){ 0 };
		ck_ok(answers_check(&sent, 1, &e), &e);
		memcpy(sent.bytes + wrong[i].at, wrong[i].bytes, wrong[i].n);
		is_refused(1);
	}
	memcpy(sent.bytes, &good, sizeof good);
	memset(((struct done *)sent.bytes)->variant, 'x', TIMING_NAME);
	is_refused(1);
	sent.used = 5;
	is_refused(1);
}
END_TEST

START_TEST(a_message_with_more_than_there_is_room_for_is_refused)
{
	char room[4];
	int fds[IO_FDS], n_fds;

	ck_ok(io_send(far_pair[0], "hello", 5, far_pair, 1, &e), &e);
	ck_assert_int_eq(io_receive(far_pair[1], room, sizeof room, fds,
	                            &n_fds), -1);
	ck_assert_int_eq(errno, EMSGSIZE);
	ck_assert_int_eq(n_fds, 0);
	ck_ok(io_send(far_pair[0], "hi", 2, NULL, 0, &e), &e);
	ck_assert_int_eq(io_receive(far_pair[1], room, sizeof room, fds,
	                            &n_fds), 2);
}
END_TEST

/* Nobody can tell which of the calls caused the loss. */
START_TEST(a_lost_device_answers_no_more_of_a_batch)
{
	struct device lost = { .lost = true };
	struct control *const page = &far_control;
	struct worker w = { .device = &lost, .socket = far_pair[0],
	                    .control = page };

	for (int i = 0; i < 2; i++) {
		calls[i] = (struct call){ .serial = 1 + (uint64_t)i };
		fill(&calls[i].args, 3);
	}
	ck_assert_int_eq(worker_answer(&w, calls, 2), 0);
	ck_assert_uint_eq(page->serial, 0);
	shutdown(far_pair[0], SHUT_WR);
	ck_assert(!receive(&got));
}
END_TEST

TCase *tcase_call_batch(void)
{
	TCase *c = tcase_create("call_batch");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, a_batch_arrives_in_its_order);
	tcase_add_test(c, a_large_matrix_keeps_a_call_out_of_batches);
	tcase_add_test(c,
	    answers_arrive_whole_in_as_many_messages_as_they_need);
	tcase_add_test(c, answers_that_cannot_be_are_refused);
	tcase_add_test(c,
	    a_message_with_more_than_there_is_room_for_is_refused);
	tcase_add_test(c, a_lost_device_answers_no_more_of_a_batch);
	return c;
}
