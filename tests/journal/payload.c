/* payload.c - files of matrices: every kind comes back as it was, and a
 * directory tells what it holds. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/journal/payload_room.h"

/* Packs the matrices, unpacks them again, and compares. */
static void ck_packed(const struct matrix *m, size_t n)
{
	struct matrix back[12];
	size_t n_back = 99, bytes;
	char *packed = payload_pack(m, n, &bytes, &files.e);

	ck_assert_msg(packed != NULL, "%s", files.e.text);
	ck_ok(payload_unpack(packed, bytes, "p-1", back, COUNT(back), &n_back,
	                     test_pool, &files.e), &files.e);
	free(packed);
	ck_assert_uint_eq(n_back, n);
	for (size_t i = 0; i < n; i++) {
		payload_ck_same(&m[i], &back[i]);
		matrix_fini(&back[i]);
	}
}

/* Writes the matrices, reads them again, compares, and frees all. */
static void ck_kept(struct matrix *m, size_t n)
{
	struct matrix back[12];
	size_t n_back = 99;

	ck_packed(m, n);

	ck_ok(payload_write(files.d, "p-1", m, n, &files.e), &files.e);
	ck_ok(payload_read(files.d, "p-1", back, COUNT(back), &n_back,
	                   test_pool, &files.e), &files.e);
	ck_assert_uint_eq(n_back, n);
	for (size_t i = 0; i < n; i++) {
		payload_ck_same(&m[i], &back[i]);
		matrix_fini(&m[i]);
		matrix_fini(&back[i]);
	}
}

START_TEST(every_type_comes_back)
{
	static const size_t dim[] = { 3, 5 };
	struct matrix m[DTYPE_COUNT];

	for (int d = 0; d < DTYPE_COUNT; d++)
		m[d] = payload_dense((enum dtype)d, 2, dim);
	m[FLOAT64].text = m[FLOAT32].rounded = true;
	ck_kept(m, DTYPE_COUNT);
}
END_TEST

START_TEST(every_shape_comes_back)
{
	static const size_t dim[MATRIX_DIMS] = { 2, 1, 3, 1, 2, 1, 2, 2 };
	static const size_t none[] = { 0, 7 };
	struct matrix m[] = {
		payload_dense(FLOAT64, 0, dim),
		payload_dense(FLOAT64, 1, dim),
		payload_dense(FLOAT32, MATRIX_DIMS, dim),
		payload_dense(FLOAT32, 2, none),
		{ .ndim = MATRIX_ABSENT },
		payload_sparse(),
	};

	ck_kept(m, COUNT(m));
}
END_TEST

/* More than the buffer through which bytes are written, and not a multiple of
 * it; in memory of its own and in the slab. */
START_TEST(large_ones_come_back)
{
	static const size_t large[] = { 300, 1003 }, small[] = { 17 };
	struct matrix m[] = {
		payload_dense(FLOAT64, 2, large),
		payload_dense(FLOAT32, 1, small),
	};

	ck_kept(m, COUNT(m));
}
END_TEST

START_TEST(no_matrix_is_a_file_too)
{
	ck_kept(NULL, 0);
}
END_TEST

START_TEST(a_file_is_replaced_and_removed)
{
	static const size_t dim[] = { 4 };
	struct matrix m = payload_dense(INT64, 1, dim), back;
	size_t n;

	ck_ok(payload_write(files.d, "a", NULL, 0, &files.e), &files.e);
	ck_kept(&m, 1);
	ck_assert_int_eq(payload_count(), 2);
	ck_ok(payload_write(files.d, "p-1", NULL, 0, &files.e), &files.e);
	ck_ok(payload_read(files.d, "p-1", &back, 1, &n, test_pool, &files.e),
	      &files.e);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(payload_count(), 2);
	ck_ok(payload_remove(files.d, "p-1", &files.e), &files.e);
	ck_ok(payload_remove(files.d, "p-1", &files.e), &files.e);
	ck_assert_int_eq(payload_count(), 1);
	ck_refused(payload_read(files.d, "p-1", &back, 1, &n, test_pool,
	                        &files.e), &files.e, ERR_NOT_FOUND);
	ck_assert_ptr_nonnull(strstr(files.e.text, "/p-1"));
}
END_TEST

START_TEST(payloads_are_the_owners_alone)
{
	char path[96];
	struct stat st;

	ck_ok(payload_write(files.d, "a", NULL, 0, &files.e), &files.e);
	snprintf(path, sizeof path, "%s/a", files.path);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
}
END_TEST

START_TEST(names_cannot_leave_the_directory)
{
	static const char *const bad[] = { "", ".", "..", "../a", "a/b", ".a",
	                                   "A", "a.damaged" };
	char longer[PAYLOAD_NAME + 1];
	struct matrix m;
	size_t n;

	memset(longer, 'x', sizeof longer);
	longer[PAYLOAD_NAME] = 0;
	for (size_t i = 0; i <= COUNT(bad); i++) {
		const char *name = i < COUNT(bad) ? bad[i] : longer;
		struct err e[2] = { 0 };

		ck_refused(payload_write(files.d, name, NULL, 0, &e[0]), &e[0],
		           ERR_INTERNAL);
		ck_refused(payload_read(files.d, name, &m, 1, &n, test_pool,
		                        &e[1]), &e[1], ERR_INTERNAL);
	}
	ck_assert_int_eq(payload_count(), 0);
}
END_TEST

static int remove_it(void *arg, const char *name, struct err *e)
{
	(void)arg;
	return payload_remove(files.d, name, e);
}

START_TEST(orphans_are_listed_and_can_be_removed)
{
	int fd;
	char path[96];

	ck_ok(payload_write(files.d, "a", NULL, 0, &files.e), &files.e);
	ck_ok(payload_write(files.d, "b", NULL, 0, &files.e), &files.e);
	snprintf(path, sizeof path, "%s/.new-c", files.path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(payload_count(), 3);
	ck_ok(payload_set_aside(files.d, "b", &files.e), &files.e);
	ck_assert_int_eq(payload_count(), 2);
	ck_ok(payloads_list(files.d, remove_it, NULL, &files.e), &files.e);
	ck_assert_int_eq(payload_count(), 0);
	snprintf(path, sizeof path, "%s/b.damaged", files.path);
	ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(a_directory_is_made)
{
	char path[96];
	struct payloads *d;

	snprintf(path, sizeof path, "%s/new", files.path);
	d = payloads_open(path, &files.e);
	ck_assert_msg(d != NULL, "%s", files.e.text);
	ck_ok(payload_write(d, "a", NULL, 0, &files.e), &files.e);
	payloads_close(d);
	snprintf(path, sizeof path, "%s/new/a", files.path);
	ck_assert_ptr_null(payloads_open(path, &files.e));
	ck_assert_int_eq(files.e.code, ERR_STATE);
}
END_TEST

TCase *tcase_payload(void)
{
	TCase *c = tcase_create("payload");

	tcase_add_checked_fixture(c, payload_room_open, payload_room_close);
	tcase_add_test(c, every_type_comes_back);
	tcase_add_test(c, every_shape_comes_back);
	tcase_add_test(c, large_ones_come_back);
	tcase_add_test(c, no_matrix_is_a_file_too);
	tcase_add_test(c, a_file_is_replaced_and_removed);
	tcase_add_test(c, payloads_are_the_owners_alone);
	tcase_add_test(c, names_cannot_leave_the_directory);
	tcase_add_test(c, orphans_are_listed_and_can_be_removed);
	tcase_add_test(c, a_directory_is_made);
	return c;
}
