/* timers.c - the heap returns timers in the order of their times, whatever was
 * added and removed in between. */
#include "base/timers.h"
#include "tests/test.h"

enum { MANY = 2000 };

static struct timers heap;
static struct timer timer[MANY];

static void setup(void)
{
	heap = (struct timers){ 0 };
	memset(timer, 0, sizeof timer);
}

static void nothing(void *arg)
{
	(void)arg;
}

static void add(struct timer *t, int64_t at_ns)
{
	*t = (struct timer){ .at_ns = at_ns, .fn = nothing };
	timers_add(&heap, t);
}

static struct timer *take_first(void)
{
	struct timer *const t = heap.first;

	if (t)
		timers_remove(&heap, t);
	return t;
}

/* A fixed sequence of numbers (Marsaglia's xorshift, 2003). */
static uint32_t next_random(void)
{
	static uint32_t x = 2463534242u;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

/* Takes all timers that are left: in ascending order, and those of equal times
 * in the order in which they were added. */
static size_t take_all_in_order(void)
{
	const struct timer *last = NULL, *t;
	size_t n = 0;

	while ((t = take_first())) {
		ck_assert(!t->fn);
		ck_assert(!last || last->at_ns < t->at_ns ||
		          (last->at_ns == t->at_ns && last->order < t->order));
		last = t;
		n++;
	}
	return n;
}

START_TEST(timers_come_in_the_order_of_their_moments)
{
	for (size_t i = 0; i < MANY; i++)
		add(&timer[i], next_random() % 500);
	ck_assert_uint_eq(take_all_in_order(), MANY);
	ck_assert_ptr_null(heap.first);
}
END_TEST

/* As with deadlines, most of which are removed before their time. */
START_TEST(any_timer_can_be_removed_and_added_again)
{
	size_t left = MANY;

	for (size_t i = 0; i < MANY; i++)
		add(&timer[i], next_random() % 500);
	for (int step = 0; step < 20 * MANY; step++) {
		struct timer *const t = &timer[next_random() % MANY];

		if (next_random() % 8 == 0 && (t->fn || left < MANY)) {
			left -= take_first() != NULL;
		} else if (t->fn) {
			timers_remove(&heap, t);
			left--;
		} else {
			add(t, next_random() % 500);
			left++;
		}
	}
	ck_assert_uint_gt(left, 0);
	ck_assert_uint_eq(take_all_in_order(), left);
}
END_TEST

/* In a sorted list this takes 10^10 steps, and the test never ends. */
START_TEST(a_hundred_thousand_timers_cost_the_others_nothing)
{
	enum { KEPT = 100000 };
	struct timer *const kept = calloc(KEPT, sizeof *kept);

	ck_assert_ptr_nonnull(kept);
	for (int i = 0; i < KEPT; i++) {
		add(&kept[i], 1000 + i);
		add(&timer[0], 1000 + i);
		timers_remove(&heap, &timer[0]);
	}
	ck_assert_uint_eq(take_all_in_order(), KEPT);
	free(kept);
}
END_TEST

TCase *tcase_timers(void)
{
	TCase *c = tcase_create("timers");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, timers_come_in_the_order_of_their_moments);
	tcase_add_test(c, any_timer_can_be_removed_and_added_again);
	tcase_add_test(c, a_hundred_thousand_timers_cost_the_others_nothing);
	return c;
}
