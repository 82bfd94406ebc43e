/* call_gang.c - a call's place in a gang, and the board that its parts share,
 * travel to the workers; a place that cannot be is refused. */
#include <unistd.h>

#include "matrix/mappings.h"
#include "tests/test.h"
#include "tests/wire/far_side.h"

enum { N = 200 };

static struct err e;
static struct args args;

static void setup(void)
{
	e = (struct err){ 0 };
	far_side_open();
	args_init(&args, op_find("lu"));
	args.in[0] = far_square(N);
	args.gang = (struct gang){ .part = 1, .parts = 3, .width = 64,
	                           .board = far_square(N) };
	ck_ok(args_settle_dtype(&args, -1, &e), &e);
	ck_ok(args_check(&args, &e), &e);
	ck_ok(args_alloc(&args, test_pool, &e), &e);
}

static void teardown(void)
{
	args_fini(&args);
	far_side_close();
	ck_assert_uint_eq(memory_pool_used(test_pool), 0);
}

static struct call *travel(void)
{
	const struct call_out out = { .serial = 7, .level = TIMING_NONE,
	                              .args = &args };
	static struct call calls[CALL_BATCH];

	ck_ok(call_send(far_pair[0], &far_small, &out, 1, &e), &e);
	ck_assert_int_eq(call_receive(far_pair[1], &far_slab, calls, &e), 1);
	return calls;
}

START_TEST(its_place_and_its_board_arrive)
{
	struct call *c = travel();
	struct gang *g = &c->args.gang;

	ck_ok(c->err.code, &c->err);
	ck_assert_int_eq(g->part, 1);
	ck_assert_int_eq(g->parts, 3);
	ck_assert_uint_eq(g->width, 64);
	ck_assert(!far_is_read_only(matrix_data(&g->board)));
	matrix_set(&g->board, 5, -1);
	ck_assert_double_eq(matrix_get(&args.gang.board, 5), -1);
	args_fini(&c->args);
}
END_TEST

START_TEST(a_call_in_none_has_no_board)
{
	struct call *c;

	matrix_fini(&args.gang.board);
	args.gang = (struct gang){ .board = { .ndim = MATRIX_ABSENT } };
	c = travel();
	ck_ok(c->err.code, &c->err);
	ck_assert_int_eq(c->args.gang.parts, 0);
	ck_assert_int_eq(c->args.gang.board.ndim, MATRIX_ABSENT);
	args_fini(&c->args);
}
END_TEST

static const struct {
	int part, parts;
	size_t width;
	const char *op;
	bool board;
} wrong[] = {
	{ 0, 1, 64, "lu", true }, { 3, 3, 64, "lu", true },
	{ -1, 3, 64, "lu", true }, { 0, SHEETS + 1, 64, "lu", true },
	{ 0, 2, 0, "lu", true }, { 0, 2, 64, "det", true },
	{ 0, 2, 64, "lu", false }, { 0, 0, 64, "lu", true },
};

START_TEST(a_place_that_cannot_be_is_refused)
{
	struct call *c;

	args.gang.part = wrong[_i].part;
	args.gang.parts = wrong[_i].parts;
	args.gang.width = wrong[_i].width;
	args.op = op_find(wrong[_i].op);
	if (!wrong[_i].board) {
		matrix_fini(&args.gang.board);
		args.gang.board.ndim = MATRIX_ABSENT;
	}
	c = travel();
	ck_assert_int_eq(c->err.code, ERR_INTERNAL);
	ck_assert_str_eq(c->err.text, "a call came with a wrong gang");
}
END_TEST

TCase *tcase_call_gang(void)
{
	TCase *c = tcase_create("call_gang");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, its_place_and_its_board_arrive);
	tcase_add_test(c, a_call_in_none_has_no_board);
	tcase_add_loop_test(c, a_place_that_cannot_be_is_refused, 0,
	                    (int)COUNT(wrong));
	return c;
}
