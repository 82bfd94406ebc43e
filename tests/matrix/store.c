/* store.c - the names of stored matrices, and who owns their memory. */
#include <stdio.h>

#include "matrix/sparse.h"
#include "matrix/store.h"
#include "tests/test.h"

static struct store *store;
static struct err e;
static size_t used_before;

static void setup(void)
{
	e = (struct err){ 0 };
	used_before = memory_pool_used(test_pool);
	store = store_new(&e);
	ck_assert_ptr_nonnull(store);
}

static void teardown(void)
{
	store_free(store);
	ck_assert_uint_eq(memory_pool_used(test_pool), used_before);
}

static int put(const char *name, double value)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 1, .dim = { 1 } };
	int rc;

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	matrix_set(&m, 0, value);
	rc = store_put(store, "", name, &m, &e);
	ck_assert_int_eq(m.ndim, MATRIX_ABSENT);
	return rc;
}

static double value_of(const char *name)
{
	const struct stored *s = store_find(store, "", name, &e);

	ck_assert_msg(s != NULL, "%s", e.text);
	return matrix_get(&s->matrix, 0);
}

START_TEST(names_are_checked)
{
	char longest[STORE_NAME], longer[STORE_NAME + 1];

	memset(longest, 'x', sizeof longest);
	memset(longer, 'x', sizeof longer);
	longest[STORE_NAME - 1] = longer[STORE_NAME] = '\0';
	ck_ok(store_check_name("a", &e), &e);
	ck_ok(store_check_name("A-b_c.9", &e), &e);
	ck_ok(store_check_name(longest, &e), &e);
	ck_refused(store_check_name(longer, &e), &e, ERR_REQUEST);
	ck_refused(store_check_name("", &e), &e, ERR_REQUEST);
	ck_refused(store_check_name(".a", &e), &e, ERR_REQUEST);
	ck_refused(store_check_name("a/b", &e), &e, ERR_REQUEST);
	ck_refused(store_check_name("\xc3\xa4", &e), &e, ERR_REQUEST);
}
END_TEST

START_TEST(a_new_matrix_takes_the_old_ones_place)
{
	struct matrix held;

	ck_assert_int_eq(put("a", 1), 1);
	held = matrix_ref(&store_find(store, "", "a", &e)->matrix);
	ck_assert_int_eq(put("a", 2), 0);
	ck_assert(value_of("a") == 2);
	ck_assert(matrix_get(&held, 0) == 1);
	ck_assert_uint_eq(store_count(store), 1);
	ck_assert_uint_eq(store_bytes(store), sizeof(double));
	matrix_fini(&held);
}
END_TEST

START_TEST(what_is_removed_is_not_found)
{
	put("a", 1);
	put("b", 2);
	store_remove(store, store_find(store, "", "a", &e));
	ck_assert_ptr_null(store_find(store, "", "a", &e));
	ck_assert_int_eq(e.code, ERR_NOT_FOUND);
	ck_assert_ptr_nonnull(strstr(e.text, "a"));
	ck_assert(value_of("b") == 2);
	ck_assert_uint_eq(store_bytes(store), sizeof(double));
	store_remove(store, store_find(store, "", "b", &(struct err){ 0 }));
	ck_assert_uint_eq(store_bytes(store), 0);
}
END_TEST

START_TEST(many_are_listed_by_name)
{
	enum { MANY = 100 };
	char name[16];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "m%02d", i * 37 % MANY);
		ck_assert_int_eq(put(name, i * 37 % MANY), 1);
	}
	ck_assert_uint_eq(store_count(store), MANY);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "m%02d", i);
		ck_assert_str_eq(store_at(store, (size_t)i)->name, name);
		ck_assert(value_of(name) == i);
	}
}
END_TEST

START_TEST(a_sparse_matrixs_places_have_a_name_of_their_own)
{
	const struct sparse_entry x = { 1, 2, 3 };
	struct matrix m = { .ndim = 2, .dim = { 3, 3 } };
	const struct matrix *kept;

	ck_ok(sparse_build(&m, &x, 1, test_pool, &e), &e);
	ck_assert_int_eq(store_put(store, "", "a", &m, &e), 1);
	kept = &store_find(store, "", "a", &e)->matrix;
	ck_assert_uint_ne(kept->index->stored, 0);
	ck_assert_uint_ne(kept->index->stored, kept->memory->stored);
}
END_TEST

/* The elements change in place, so a device must no longer find its old copy by
 * the name. */
START_TEST(what_is_narrowed_in_place_loses_its_name)
{
	struct matrix held;
	uint64_t name;

	put("a", 1);
	held = matrix_ref(&store_find(store, "", "a", &e)->matrix);
	name = held.memory->stored;
	ck_assert_uint_ne(name, 0);
	store_remove(store, store_find(store, "", "a", &e));
	ck_ok(matrix_convert(&held, FLOAT32, test_pool, &e), &e);
	ck_assert_uint_eq(held.memory->stored, 0);
	ck_assert_int_eq(store_put(store, "", "a", &held, &e), 1);
	ck_assert_uint_ne(store_find(store, "", "a", &e)->matrix.memory->stored,
	                  name);
	ck_assert(value_of("a") == 1);
}
END_TEST

static struct matrix one_number(double value)
{
	struct matrix m = { .dtype = FLOAT64, .ndim = 1, .dim = { 1 } };

	ck_ok(matrix_alloc(&m, test_pool, &e), &e);
	matrix_set(&m, 0, value);
	return m;
}

START_TEST(several_are_stored_at_once)
{
	struct matrix m[] = { one_number(2), one_number(3), one_number(4) };
	const struct store_entry x[] = {
		{ "", "b", &m[0], 0 }, { "", "a", &m[1], 0 },
		{ "", "c", &m[2], 0 },
	};
	const struct stored *a;

	put("a", 1);
	ck_ok(store_put_all(store, x, 3, &e), &e);
	ck_assert_uint_eq(store_count(store), 3);
	ck_assert(value_of("a") == 3);
	ck_assert(value_of("b") == 2);
	ck_assert(value_of("c") == 4);
	ck_assert_uint_eq(store_bytes(store), 3 * sizeof(double));
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(m[i].ndim, MATRIX_ABSENT);
	a = store_find(store, "", "a", &e);
	ck_assert_uint_ne(a->version, store_find(store, "", "b", &e)->version);
}
END_TEST

START_TEST(tenants_have_names_of_their_own)
{
	struct matrix m[] = { one_number(2), one_number(3), one_number(4) };
	const struct store_entry x[] = {
		{ "bob", "a", &m[0], 0 }, { "ann", "a", &m[1], 0 },
		{ "bob", "c", &m[2], 0 },
	};
	char text[STORE_LARGEST_TEXT];
	size_t first, end;

	put("a", 1);
	ck_ok(store_put_all(store, x, 3, &e), &e);
	ck_assert_uint_eq(store_count(store), 4);
	ck_assert(value_of("a") == 1);
	ck_assert(matrix_get(&store_find(store, "ann", "a", &e)->matrix, 0) ==
	          3);
	ck_assert_ptr_null(store_find(store, "ann", "c", &e));
	ck_assert_msg(!strstr(e.text, "did you mean c"), "%s", e.text);
	store_range(store, "bob", &first, &end);
	ck_assert_uint_eq(end - first, 2);
	ck_assert_str_eq(store_at(store, first + 1)->name, "c");
	store_range(store, "eve", &first, &end);
	ck_assert_uint_eq(end - first, 0);
	ck_assert_uint_eq(store_bytes_of(store, "bob"), 2 * sizeof(double));
	ck_assert_str_eq(store_largest(store, "ann", text), "a (8 bytes)");
	store_remove(store, store_find(store, "bob", "a", &e));
	ck_assert(value_of("a") == 1);
}
END_TEST

START_TEST(a_new_matrix_has_a_new_version)
{
	uint64_t first;

	put("a", 1);
	first = store_find(store, "", "a", &e)->version;
	put("a", 1);
	ck_assert_uint_ne(store_find(store, "", "a", &e)->version, first);
}
END_TEST

START_TEST(a_matrix_is_gone_after_its_time_to_live)
{
	struct matrix m = one_number(1), n = one_number(2);
	const struct store_entry x[] = {
		{ "", "short", &m, 1 }, { "", "long", &n, INT64_MAX - 1 },
	};

	ck_assert(store_expire(store) == INT64_MAX);
	store_set_ttl(store, INT64_C(3600000000000));
	put("hour", 3);
	ck_assert(store_expire(store) < INT64_MAX);
	ck_ok(store_put_all(store, x, 2, &e), &e);
	ck_assert_ptr_null(store_find(store, "", "short", &e));
	ck_assert_int_eq(e.code, ERR_NOT_FOUND);
	e = (struct err){ 0 };
	store_expire(store);
	ck_assert_uint_eq(store_count(store), 2);
	ck_assert_uint_eq(store_bytes(store), 2 * sizeof(double));
	ck_assert(value_of("long") == 2);
	ck_assert(store_find(store, "", "long", &e)->until_ns == INT64_MAX);
	ck_assert(value_of("hour") == 3);
}
END_TEST

START_TEST(the_largest_are_named)
{
	char text[STORE_LARGEST_TEXT], name[STORE_NAME] = { 0 };

	ck_assert_str_eq(store_largest(store, "", text), "");
	for (size_t i = 1; i <= 5; i++) {
		struct matrix m = { .dtype = FLOAT64, .ndim = 1,
		                    .dim = { i * 7 % 5 + 1 } };

		snprintf(name, sizeof name, "m%zu", i * 7 % 5 + 1);
		ck_ok(matrix_alloc(&m, test_pool, &e), &e);
		ck_assert_int_eq(store_put(store, "", name, &m, &e), 1);
	}
	ck_assert_str_eq(store_largest(store, "", text),
	                 "m5 (40 bytes), m4 (32 bytes), m3 (24 bytes)");
	for (size_t i = 0; store_count(store) > 0; i++)
		store_remove(store, store_at(store, 0));
	memset(name, 'x', sizeof name - 1);
	put(name, 1);
	ck_assert_str_eq(store_largest(store, "", text), "");
}
END_TEST

TCase *tcase_store(void)
{
	TCase *c = tcase_create("store");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, names_are_checked);
	tcase_add_test(c, a_new_matrix_takes_the_old_ones_place);
	tcase_add_test(c, what_is_removed_is_not_found);
	tcase_add_test(c, many_are_listed_by_name);
	tcase_add_test(c, a_sparse_matrixs_places_have_a_name_of_their_own);
	tcase_add_test(c, what_is_narrowed_in_place_loses_its_name);
	tcase_add_test(c, several_are_stored_at_once);
	tcase_add_test(c, tenants_have_names_of_their_own);
	tcase_add_test(c, a_new_matrix_has_a_new_version);
	tcase_add_test(c, a_matrix_is_gone_after_its_time_to_live);
	tcase_add_test(c, the_largest_are_named);
	return c;
}
