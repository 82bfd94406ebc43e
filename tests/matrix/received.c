/* received.c - a worker can write to the outputs of the calls that it has, and
 * to no other memory of the front. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "matrix/mappings.h"
#include "ops/failure.h"
#include "tests/test.h"
#include "tests/wire/far_side.h"

/* A matrix in the slab, and one too large for it. */
static const size_t sizes[] = { 8, 200 };

static struct mappings kept;
static struct err e;

static void setup(void)
{
	e = (struct err){ 0 };
	kept = (struct mappings){ .most = 1 << 30 };
	far_side_open();
	far_slab.mappings = &kept;
}

static void teardown(void)
{
	mappings_trim(&kept, INT64_MAX);
	far_side_close();
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

/* The call of a transposition of a into b, as the worker receives it. */
static struct call sent(struct matrix *a, struct matrix *b)
{
	static struct call calls[CALL_BATCH];
	struct args args;
	const struct call_out out = { .serial = 1, .level = TIMING_NONE,
		.args = &args };

	args_init(&args, op_find("transpose"));
	args.in[0] = *a;
	args.out[0] = *b;
	ck_ok(call_send(far_pair[0], &far_small, &out, 1, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e), 1);
	ck_ok(calls[0].err.code ? -1 : 0, &calls[0].err);
	return calls[0];
}

static void end(struct call *c)
{
	args_fini(&c->args);
	mappings_protect(&kept);
}

static void *operand(const struct call *c)
{
	return matrix_data(&c->args.in[0]);
}

static void *output(const struct call *c)
{
	return matrix_data(&c->args.out[0]);
}

START_TEST(an_operand_can_be_read_alone)
{
	struct matrix a = far_square(sizes[_i]), b = far_square(sizes[_i]);
	struct call c = sent(&a, &b);
	const int fd = c.args.in[0].memory->fd;

	ck_assert_double_eq(matrix_get(&c.args.in[0], 9), 9);
	ck_assert(far_is_read_only(operand(&c)));
	ck_assert(!far_is_read_only(output(&c)));
	ck_assert_ptr_eq(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
	                      fd, 0), MAP_FAILED);
	ck_assert_int_eq(mprotect((void *)((uintptr_t)operand(&c) & -4096),
	                          4096, PROT_READ | PROT_WRITE), -1);
	ck_assert_int_eq(errno, EACCES);
	end(&c);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(no_small_operand_can_be_written)
{
	ck_assert(far_is_read_only(far_slab.data));
}
END_TEST

START_TEST(an_output_can_be_written_while_its_call_runs)
{
	struct matrix a = far_square(200), b = far_square(200);
	struct call c = sent(&a, &b);
	char *const first = output(&c);

	ck_assert(!far_is_read_only(first));
	matrix_set(&c.args.out[0], 7, -7);
	end(&c);
	ck_assert_double_eq(matrix_get(&b, 7), -7);
	ck_assert(far_is_read_only(first));
	c = sent(&a, &b);
	ck_assert_ptr_eq(output(&c), first);
	ck_assert(!far_is_read_only(first));
	end(&c);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

/* The front reuses its pieces for any purpose. */
START_TEST(a_piece_may_be_an_operand_now_and_an_output_then)
{
	struct matrix a = far_square(200), b = far_square(200);

	for (int i = 0; i < 4; i++) {
		struct call c = sent(i % 2 ? &b : &a, i % 2 ? &a : &b);

		ck_assert(far_is_read_only(operand(&c)));
		ck_assert(!far_is_read_only(output(&c)));
		matrix_set(&c.args.out[0], 1, i);
		ck_assert_double_eq(matrix_get(i % 2 ? &a : &b, 1), i);
		end(&c);
	}
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(nobody_can_cut_a_piece_short_that_was_sent)
{
	struct matrix a = far_square(200), b = far_square(200);
	struct call c = sent(&a, &b);

	ck_assert_int_eq(ftruncate(c.args.out[0].memory->fd, 0), -1);
	ck_assert_int_eq(errno, EPERM);
	ck_assert_int_eq(ftruncate(c.args.out[0].memory->fd, 1 << 20), -1);
	ck_assert_int_eq(ftruncate(c.args.in[0].memory->fd, 0), -1);
	end(&c);
	matrix_fini(&a);
	matrix_fini(&b);
}
END_TEST

START_TEST(a_workers_small_operands_keep_their_size)
{
	struct small small;
	const int fd = small_open(&small, &e);
	char path[32];
	int writable;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	writable = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_eq(writable < 0, geteuid() != 0);
	ck_assert_int_eq(ftruncate(writable, 0), -1);
	if (writable >= 0)
		close(writable);
	close(fd);
	small_close(&small);
}
END_TEST

/* A message with the most calls, each with an output of the largest size for
 * the slab. */
START_TEST(small_results_of_a_batch_do_not_meet)
{
	static struct call calls[CALL_BATCH];
	struct call_out out[CALL_BATCH];
	struct args args[CALL_BATCH];
	size_t at = 0;

	for (int i = 0; i < CALL_BATCH; i++) {
		args_init(&args[i], op_find("transpose"));
		args[i].in[0] = far_square(3);
		args[i].out[0] = far_square(90);
		ck_assert_int_eq(args[i].out[0].memory->fd, -1);
		out[i] = (struct call_out){ .serial = 1, .level = TIMING_NONE,
		.args = &args[i], .results = at };
		at = call_results_end(&args[i], at);
	}
	ck_assert_uint_le(at, CALL_RESULTS);
	ck_ok(call_send(far_pair[0], &far_small, out, CALL_BATCH, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e),
	                 CALL_BATCH);
	for (int i = 0; i < CALL_BATCH; i++)
		for (size_t k = 0; k < 90 * 90; k++)
			matrix_set(&calls[i].args.out[0], k, i);
	for (int i = 0; i < CALL_BATCH; i++) {
		args_fini(&calls[i].args);
		call_fetch_results(&args[i], &(struct done){ .present = 1 },
		                   far_control.results, out[i].results);
		for (size_t k = 0; k < 90 * 90; k += 89)
			ck_assert_double_eq(matrix_get(&args[i].out[0], k), i);
		args_fini(&args[i]);
	}
}
END_TEST

/* A stack whose list of failures lies in the slab, and one whose list does
 * not. */
static const size_t stacks[] = { 3, 5000 };

START_TEST(a_list_of_failures_comes_back)
{
	static struct call calls[CALL_BATCH];
	const size_t last = stacks[_i] - 1;
	struct args args;
	const struct call_out out = { .serial = 1, .level = TIMING_NONE,
		.args = &args, .results = 640 };
	struct failure f;

	args_init(&args, op_find("transpose"));
	args.in[0] = far_square(3);
	args.out[0] = far_square(3);
	args.stack = stacks[_i];
	args.failed = failures_shape(args.stack);
	ck_ok(matrix_alloc(&args.failed, test_pool, &e), &e);
	ck_assert_int_eq(args.failed.memory->fd < 0, _i == 0);
	ck_ok(call_send(far_pair[0], &far_small, &out, 1, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e), 1);
	ck_assert_int_eq(calls[0].err.code, ERR_NONE);
	args_fail(&calls[0].args, &(struct failure){ last, {
	    ERR_SINGULAR, 7, 0.5, 0 } });
	args_fini(&calls[0].args);
	call_fetch_results(&args, &(struct done){ .failures = 1 },
	                   far_control.results, 640);
	ck_assert(args_take_failures(&args, 1));
	f = args_failure(&args, 0);
	ck_assert_uint_eq(f.index, last);
	ck_assert_int_eq(f.detail.code, ERR_SINGULAR);
	ck_assert_int_eq(f.detail.at, 7);
	args_fini(&args);
}
END_TEST

TCase *tcase_received(void)
{
	TCase *t = tcase_create("received");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, an_operand_can_be_read_alone, 0, COUNT(sizes));
	tcase_add_test(t, no_small_operand_can_be_written);
	tcase_add_test(t, an_output_can_be_written_while_its_call_runs);
	tcase_add_test(t, a_piece_may_be_an_operand_now_and_an_output_then);
	tcase_add_test(t, nobody_can_cut_a_piece_short_that_was_sent);
	tcase_add_test(t, a_workers_small_operands_keep_their_size);
	tcase_add_test(t, small_results_of_a_batch_do_not_meet);
	tcase_add_loop_test(t, a_list_of_failures_comes_back, 0,
	                    COUNT(stacks));
	return t;
}
