/* quota.c - a tenant's limits refuse what is beyond them, say what is used and
 * when to try again, and let it pass as soon as there is room. */
#include <stdio.h>

#include "base/clock.h"
#include "matrix/sparse.h"
#include "queue/quota.h"
#include "tests/queue/engine_room.h"

#define SECOND (1000 * MS)

enum { DAY_S = 24 * 3600 };

static struct tenant t;
static struct store *store;
static struct err e;

static void setup(void)
{
	room_open();
	room_start("0", 8);
	e = (struct err){ 0 };
	t = (struct tenant){ .name = "t" };
	store = store_new(&e);
	ck_assert_ptr_nonnull(store);
}

static void teardown(void)
{
	store_free(store);
	room_close();
}

static int check(uint64_t bytes)
{
	e = (struct err){ 0 };
	return quota_check(room.engine, &t, bytes, &e);
}

/* Asserts that it is refused with that text, and that a client may try again
 * after `from` to `to` seconds. */
#define refused(call, error, what, from, to)                             \
	do {                                                             \
		e = (struct err){ 0 };                                   \
		ck_refused(call, &e, error);                             \
		ck_assert_msg(strstr(e.text, what) != NULL,              \
		              "\"%s\" lacks \"%s\"", e.text, what);      \
		ck_assert_uint_ge(e.retry_s, from);                      \
		ck_assert_uint_le(e.retry_s, to);                        \
	} while (0)

/* A job of the tenant on one operand of n numbers, a transposition. */
static struct job *job_of(struct tenant *tenant, size_t n)
{
	struct job *j = job_new(op_find("transpose"), &e);

	ck_assert_ptr_nonnull(j);
	j->tenant = tenant;
	j->args.in[0] = (struct matrix){ .dtype = FLOAT64, .ndim = 2,
	                                 .dim = { 1, n } };
	ck_ok(matrix_alloc(&j->args.in[0], room.pool, &e), &e);
	ck_ok(args_settle_dtype(&j->args, FLOAT64, &e), &e);
	ck_ok(args_prepare(&j->args, room.pool, &e), &e);
	return j;
}

/* --- the day's device time */

/* Spends the time of a job that started at second 100. */
static void spend(int64_t ran_ns, int64_t computed_ns)
{
	const struct timing times = { .compute_ns = computed_ns };
	struct job *j = job_of(&t, 1);

	j->started_ns = 100 * SECOND;
	j->ended_ns = j->started_ns + ran_ns;
	job_set_timing(j, &times);
	quota_spend(j);
	job_unref(j);
}

START_TEST(device_seconds_run_out_and_return_the_next_day)
{
	t.limits.device_seconds = 2;
	ck_ok(check(0), &e);
	spend(5 * SECOND, 3 * SECOND / 2);
	ck_ok(check(0), &e);
	spend(SECOND / 2, 0);		/* failed: it has no times */
	ck_assert_int_eq(quota_spent_ns(&t), 2 * SECOND);
	refused(check(0), ERR_QUOTA,
	        "device-seconds: 2 of 2 of this day (UTC) are used", 1, DAY_S);
	t.use.day--;
	ck_ok(check(0), &e);
	ck_assert_int_eq(quota_spent_ns(&t), 0);
}
END_TEST

START_TEST(without_a_limit_device_seconds_are_only_counted)
{
	spend(1000000 * SECOND, 0);
	ck_ok(check(0), &e);
	ck_assert_int_eq(quota_spent_ns(&t), 1000000 * SECOND);
}
END_TEST

/* The parts of a split job are paid for by the whole. */
START_TEST(who_used_no_device_pays_nothing)
{
	struct job *j = job_of(&t, 1);

	j->ended_ns = 9 * SECOND;
	quota_spend(j);			/* it never started */
	j->started_ns = 8 * SECOND;
	j->part = true;
	quota_spend(j);
	ck_assert_int_eq(quota_spent_ns(&t), 0);
	j->part = false;
	quota_spend(j);
	ck_assert_int_eq(quota_spent_ns(&t), SECOND);
	j->tenant = NULL;
	quota_spend(j);
	ck_assert_int_eq(quota_spent_ns(&t), SECOND);
	job_unref(j);
}
END_TEST

/* --- jobs */

START_TEST(so_many_jobs_may_wait)
{
	t.use.queued = 1000;
	ck_ok(check(0), &e);
	t.limits.queued = 3;
	t.use.queued = 2;
	ck_ok(check(0), &e);
	t.use.queued = 3;
	refused(check(0), ERR_QUOTA, "queued: 3 jobs wait, 3 may", 1, 1);
}
END_TEST

START_TEST(so_many_bytes_may_be_in_flight)
{
	ck_ok(check(UINT64_MAX), &e);
	t.limits.in_flight = 1000;
	t.use.in_flight = 600;
	ck_ok(check(400), &e);
	refused(check(401), ERR_QUOTA, "have 600 bytes, this one 401, 1000 are "
	        "the limit", 1, 1);
	refused(check(1001), ERR_TOO_LARGE, "the job takes 1001 bytes, 1000 "
	        "are the limit", 0, 0);
	refused(check(UINT64_MAX), ERR_TOO_LARGE, "1000 are the limit", 0, 0);
}
END_TEST

START_TEST(a_job_is_charged_until_its_matrices_are_dropped)
{
	struct job *a = job_of(&t, 50), *b = job_of(&t, 50);

	t.limits.in_flight = 1599;
	ck_ok(quota_charge(room.engine, a, &e), &e);
	ck_assert_uint_eq(t.use.in_flight, 800);
	refused(quota_charge(room.engine, b, &e), ERR_QUOTA,
	        "have 800 bytes, this one 800, 1599 are the limit", 1, 1);
	ck_assert_uint_eq(t.use.in_flight, 800);
	job_drop_operands(a);
	ck_assert_uint_eq(t.use.in_flight, 400);
	ck_ok(quota_charge(room.engine, b, &e), &e);
	job_unref(b);
	job_unref(a);
	ck_assert_uint_eq(t.use.in_flight, 0);
}
END_TEST

START_TEST(the_house_is_not_charged)
{
	struct job *j = job_of(NULL, 50);

	ck_ok(quota_charge(room.engine, j, &e), &e);
	ck_assert_uint_eq(j->operands_charged, 0);
	job_unref(j);
}
END_TEST

/* --- stored matrices */

static struct matrix dense(size_t n)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 1, .dim = { n } };

	ck_ok(matrix_alloc(&m, room.pool, &e), &e);
	return m;
}

/* Would n numbers under that name be stored? */
static int try_store(const char *name, size_t n)
{
	struct matrix m = dense(n);
	const struct store_entry x = { "t", name, &m, 0 };
	const int rc = quota_store(&t, store, &x, 1, &e);

	matrix_fini(&m);
	return rc;
}

static void keep(const char *tenant, const char *name, size_t n,
                 int64_t ttl_ns)
{
	struct matrix m = dense(n);
	const struct store_entry x = { tenant, name, &m, ttl_ns };

	ck_ok(store_put_all(store, &x, 1, &e), &e);
}

START_TEST(so_many_bytes_may_be_stored)
{
	keep("t", "a", 100, 0);
	ck_ok(try_store("b", 1000), &e);
	ck_ok(quota_store_more(&t, store, "b", &e), &e);
	t.limits.stored = 1600;
	ck_ok(try_store("b", 100), &e);
	refused(try_store("b", 101), ERR_QUOTA, "stored matrices have 800 "
	        "bytes, 808 more were to be stored, 1600 are the limit", 0, 0);
	refused(try_store("b", 201), ERR_TOO_LARGE, "1608 bytes, 1600 are the "
	        "limit", 0, 0);
}
END_TEST

START_TEST(a_replaced_matrix_makes_room)
{
	t.limits.stored = 1600;
	keep("t", "a", 100, 0);
	keep("t", "b", 100, 0);
	keep("other", "c", 1000, 0);
	ck_ok(try_store("a", 100), &e);
	refused(try_store("a", 101), ERR_QUOTA, "have 800 bytes, 808 more", 0,
	        0);
	ck_ok(quota_store_more(&t, store, "a", &e), &e);
	refused(quota_store_more(&t, store, "c", &e), ERR_QUOTA,
	        "have 1600 bytes, 1 more", 0, 0);
	store_remove(store, store_find(store, "t", "a", &e));
	ck_ok(quota_store_more(&t, store, "c", &e), &e);
}
END_TEST

START_TEST(the_places_of_entries_are_stored_too)
{
	const struct sparse_entry one = { 1, 2, 3 };
	struct matrix m = { .ndim = 2, .dim = { 3, 3 } };
	const struct store_entry x = { "t", "s", &m, 0 };
	size_t bytes;

	ck_ok(sparse_build(&m, &one, 1, room.pool, &e), &e);
	bytes = m.memory->bytes + m.index->bytes;
	ck_assert_uint_gt(bytes, sizeof(double));
	t.limits.stored = bytes;
	ck_ok(quota_store(&t, store, &x, 1, &e), &e);
	t.limits.stored = bytes - 1;
	refused(quota_store(&t, store, &x, 1, &e), ERR_TOO_LARGE, "stored", 0,
	        0);
	matrix_fini(&m);
}
END_TEST

START_TEST(room_comes_when_the_first_matrix_expires)
{
	t.limits.stored = 800;
	keep("t", "lasting", 70, 0);
	keep("t", "a", 10, 3600 * SECOND);
	refused(try_store("x", 50), ERR_QUOTA, "640 bytes, 400 more", 3590,
	        3601);
	keep("t", "b", 10, 100 * SECOND);
	keep("t", "c", 5, 200 * SECOND);
	refused(try_store("x", 50), ERR_QUOTA, "760 bytes, 400 more", 90, 101);
	keep("other", "d", 5, 1);
	refused(try_store("x", 50), ERR_QUOTA, "760 bytes, 400 more", 90, 101);
	keep("t", "e", 5, 1);		/* over, but not removed yet */
	refused(try_store("x", 50), ERR_QUOTA, "800 bytes, 400 more", 1, 1);
}
END_TEST

TCase *tcase_quota(void)
{
	TCase *c = tcase_create("quota");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, device_seconds_run_out_and_return_the_next_day);
	tcase_add_test(c, without_a_limit_device_seconds_are_only_counted);
	tcase_add_test(c, who_used_no_device_pays_nothing);
	tcase_add_test(c, so_many_jobs_may_wait);
	tcase_add_test(c, so_many_bytes_may_be_in_flight);
	tcase_add_test(c, a_job_is_charged_until_its_matrices_are_dropped);
	tcase_add_test(c, the_house_is_not_charged);
	tcase_add_test(c, so_many_bytes_may_be_stored);
	tcase_add_test(c, a_replaced_matrix_makes_room);
	tcase_add_test(c, the_places_of_entries_are_stored_too);
	tcase_add_test(c, room_comes_when_the_first_matrix_expires);
	return c;
}
