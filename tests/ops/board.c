/* board.c - the board of a gang: panels arrive in order and whole, a slot is
 * not written before all have released it, and nobody waits for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "device/board.h"
#include "tests/ops/op.h"

enum { PARTS = 4, SLOT = 5000, OWN = 24, PANELS = 200, MEETINGS = 100 };

static struct matrix memory;
static atomic_bool stop;

static bool is_stopped(void *arg)
{
	(void)arg;
	return atomic_load(&stop);
}

/* One part, in a thread of its own. */
struct part {
	struct err err;
	struct seq *s;
	struct board x;
	int number;
	bool good;
};

static void setup(void)
{
	struct err e = { 0 };

	memory = (struct matrix){ .dtype = BOOL, .ndim = 1, .dim = {
		board_bytes(PARTS, OWN, SLOT) } };
	ck_ok(matrix_alloc(&memory, test_pool, &e), &e);
	memset(matrix_data(&memory), 0, board_head_bytes());
	atomic_store(&stop, false);
}

static void teardown(void)
{
	matrix_fini(&memory);
}

static void part_open(struct part *p, int number)
{
	*p = (struct part){ .number = number, .good = true };
	p->s = seq_new(test_device, FLOAT64, TIMING_NONE, &p->err);
	ck_assert_ptr_nonnull(p->s);
	seq_on_cancel(p->s, is_stopped, NULL);
	board_open(&p->x, p->s, memory.memory, number, PARTS, OWN, SLOT);
	ck_ok(p->err.code, &p->err);
}

static char byte_of(size_t k)
{
	return (char)(k * 37 + 11);
}

static void post(struct part *p, size_t k)
{
	char *slot = board_slot(&p->x, k);

	p->good &= slot != NULL;
	if (slot)
		memset(slot, byte_of(k), SLOT);
	board_post(&p->x, k);
}

static void take(struct part *p, size_t k)
{
	const char *slot = board_take(&p->x, k);

	p->good &= slot != NULL;
	for (int i = 0; slot && i < SLOT; i++)
		p->good &= slot[i] == byte_of(k);
	board_release(&p->x, k);
}

static void *exchange(void *arg)
{
	struct part *p = arg;

	for (size_t k = 0; k < PANELS && p->good; k++) {
		if (k % PARTS == (size_t)p->number)
			post(p, k);
		take(p, k);
	}
	return NULL;
}

static void *meet(void *arg)
{
	struct part *p = arg;

	for (int i = 1; i <= MEETINGS && p->good; i++) {
		*(int *)board_own(&p->x, p->number) = i;
		p->good &= board_meet(&p->x);
		for (int q = 0; q < PARTS; q++)
			p->good &= *(int *)board_own(&p->x, q) == i;
		p->good &= board_meet(&p->x);
	}
	return NULL;
}

/* Runs all parts in threads; each must find what it expects. */
static void check_parts(void *(*fn)(void *arg))
{
	struct part part[PARTS];
	pthread_t thread[PARTS];

	for (int i = 0; i < PARTS; i++)
		part_open(&part[i], i);
	for (int i = 0; i < PARTS; i++)
		pthread_create(&thread[i], NULL, fn, &part[i]);
	for (int i = 0; i < PARTS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < PARTS; i++)
		ck_assert(part[i].good);
	for (int i = 0; i < PARTS; i++)
		seq_free(part[i].s);
}

START_TEST(every_part_gets_every_panel)
{
	check_parts(exchange);
}
END_TEST

START_TEST(after_a_meeting_all_see_what_each_has_written)
{
	check_parts(meet);
}
END_TEST

static void *stop_soon(void *arg)
{
	const struct timespec moment = { .tv_nsec = 20000000 };

	(void)arg;
	nanosleep(&moment, NULL);
	atomic_store(&stop, true);
	return NULL;
}

/* What each of these waits for never comes. */
static void wait_for_panel(struct part *p)
{
	ck_assert_ptr_null(board_take(&p->x, 0));
}

static void wait_for_others(struct part *p)
{
	ck_assert(!board_meet(&p->x));
}

static void wait_for_slot(struct part *p)
{
	for (size_t k = 0; k < BOARD_SLOTS; k++) {
		post(p, k);
		board_release(&p->x, k);
	}
	ck_assert(p->good);
	ck_assert_ptr_null(board_slot(&p->x, BOARD_SLOTS));
}

static void (*const waits[])(struct part *p) = {
	wait_for_panel, wait_for_others, wait_for_slot,
};

START_TEST(who_waits_in_vain_ends_with_its_call)
{
	pthread_t thread;
	struct part p;

	part_open(&p, 0);
	pthread_create(&thread, NULL, stop_soon, NULL);
	waits[_i](&p);
	pthread_join(thread, NULL);
	ck_assert_int_eq(p.err.code, ERR_DISMISSED);
	seq_free(p.s);
}
END_TEST

START_TEST(memory_that_is_too_small_is_refused)
{
	struct part p = { .number = 0 };

	p.s = seq_new(test_device, FLOAT64, TIMING_NONE, &p.err);
	board_open(&p.x, p.s, memory.memory, 0, PARTS, OWN, SLOT + 500000);
	ck_assert_int_eq(p.err.code, ERR_INTERNAL);
	ck_assert_ptr_null(board_slot(&p.x, 0));
	seq_free(p.s);
}
END_TEST

START_TEST(buffers_are_copied_there_and_back)
{
	struct part p;
	struct buf b;
	char *slot, back[SLOT];

	part_open(&p, 0);
	b = seq_scratch(p.s, SLOT);
	slot = board_slot(&p.x, 0);
	memset(slot, 1, SLOT);
	board_write(&p.x, b, 0, slot, SLOT);
	memset(slot, 2, SLOT);
	board_read(&p.x, b, 100, slot, SLOT - 200);
	board_read(&p.x, b, 0, back, SLOT);
	for (int i = 0; i < SLOT; i++) {
		ck_assert_int_eq(back[i], 1);
		ck_assert_int_eq(slot[i], i < SLOT - 200 ? 1 : 2);
	}
	ck_ok(p.err.code, &p.err);
	seq_free(p.s);
}
END_TEST

TCase *tcase_board(void)
{
	TCase *c = tcase_create("board");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, every_part_gets_every_panel);
	tcase_add_test(c, after_a_meeting_all_see_what_each_has_written);
	tcase_add_loop_test(c, who_waits_in_vain_ends_with_its_call, 0,
	                    (int)COUNT(waits));
	tcase_add_test(c, memory_that_is_too_small_is_refused);
	tcase_add_test(c, buffers_are_copied_there_and_back);
	return c;
}
