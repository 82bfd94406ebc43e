/* payload_damaged.c - files that are torn, truncated or foreign are errors with
 * their names, whatever byte is wrong. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "journal/payload_file.h"
#include "tests/journal/payload_room.h"

static char path[96];
static char bytes[4096];
static size_t n_bytes;

static void put_file(const char *data, size_t n)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, data, n), (ssize_t)n);
	close(fd);
}

/* Writes a good file of a dense and a sparse matrix, and keeps its bytes. */
static void setup(void)
{
	static const size_t dim[] = { 3, 2 };
	struct matrix m[2];
	int fd;

	payload_room_open();
	m[0] = payload_dense(FLOAT64, 2, dim);
	m[1] = payload_sparse();
	ck_ok(payload_write(files.d, "a", m, 2, &files.e), &files.e);
	matrix_fini(&m[0]);
	matrix_fini(&m[1]);
	snprintf(path, sizeof path, "%s/a", files.path);
	fd = open(path, O_RDONLY);
	n_bytes = (size_t)read(fd, bytes, sizeof bytes);
	close(fd);
	ck_assert_uint_gt(n_bytes, payload_head_bytes(2));
	ck_assert_uint_lt(n_bytes, sizeof bytes);
}

static void teardown(void)
{
	payload_room_close();
}

static void ck_damaged(size_t most)
{
	struct matrix m[2];
	struct err e = { 0 };
	size_t n;

	ck_refused(payload_read(files.d, "a", m, most, &n, test_pool, &e), &e,
	           ERR_FORMAT);
	ck_assert_msg(strstr(e.text, path) != NULL, "%s", e.text);
	ck_assert_uint_eq(memory_pool_used(test_pool), files.used_before);
}

/* The same damage to a payload that is a value in the database. */
static void ck_damaged_in_memory(size_t size, size_t most)
{
	char *copy = malloc(size + !size);	/* has no byte behind it */
	struct matrix m[2];
	struct err e = { 0 };
	size_t n;

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, bytes, size);
	ck_refused(payload_unpack(copy, size, "job 7", m, most, &n, test_pool,
	                          &e), &e, ERR_FORMAT);
	ck_assert_msg(strncmp(e.text, "job 7 ", 6) == 0, "%s", e.text);
	ck_assert_uint_eq(memory_pool_used(test_pool), files.used_before);
	free(copy);
}

START_TEST(every_wrong_byte_is_noticed)
{
	for (size_t i = 0; i < n_bytes; i++) {
		bytes[i] ^= 1 << i % 8;
		put_file(bytes, n_bytes);
		ck_damaged(2);
		ck_damaged_in_memory(n_bytes, 2);
		bytes[i] ^= 1 << i % 8;
	}
}
END_TEST

START_TEST(every_truncation_is_noticed)
{
	for (size_t n = 0; n < n_bytes; n++) {
		put_file(bytes, n);
		ck_damaged(2);
		ck_damaged_in_memory(n, 2);
	}
	bytes[n_bytes] = 0;
	put_file(bytes, n_bytes + 1);
	ck_damaged(2);
}
END_TEST

START_TEST(more_matrices_than_expected_are_refused)
{
	ck_damaged(1);
	ck_damaged_in_memory(n_bytes, 1);
}
END_TEST

static void put_head_sum(struct payload_header *h)
{
	h->crc = payload_crc(0, h, offsetof(struct payload_header, crc));
	memcpy(bytes, h, sizeof *h);
	put_file(bytes, n_bytes);
}

/* A payload of a newer format is reported as such, not as damaged: another
 * version of linalgd can read it. */
START_TEST(another_format_is_refused)
{
	struct payload_header h;
	struct matrix m[2];
	struct err e = { 0 };
	size_t n;

	memcpy(&h, bytes, sizeof h);
	h.format = PAYLOAD_FORMAT + 1;
	put_head_sum(&h);
	ck_refused(payload_read(files.d, "a", m, 2, &n, test_pool, &e), &e,
	           ERR_FORMAT);
	ck_assert_msg(strstr(e.text, "a has the format 2, and this version of "
	                     "linalgd reads 1"), "%s", e.text);
	h.format = PAYLOAD_FORMAT;
	put_head_sum(&h);
	ck_ok(payload_read(files.d, "a", m, 2, &n, test_pool, &e), &e);
	matrix_fini(&m[0]);
	matrix_fini(&m[1]);
}
END_TEST

/* Puts the row in place of the first one, with the checksums that it needs. */
static void put_row(const struct payload_row *r)
{
	struct payload_header h;
	char *rows = bytes + sizeof h;

	memcpy(rows, r, sizeof *r);
	memcpy(&h, bytes, sizeof h);
	h.rows_crc = payload_crc(0, rows, 2 * sizeof *r);
	put_head_sum(&h);
}

/* Rows that a checksum cannot tell from good ones are checked, too. */
START_TEST(impossible_shapes_are_refused)
{
	struct payload_row good;

	memcpy(&good, bytes + sizeof(struct payload_header), sizeof good);
	for (int i = 0; i < 11; i++) {
		struct payload_row r = good;

		switch (i) {
		case 0: r.ndim = MATRIX_DIMS + 1; break;
		case 1: r.ndim = -2; break;
		case 2: memset(r.dtype, 'x', sizeof r.dtype); break;
		case 3: strcpy(r.dtype, "float65"); break;
		case 4: r.flags = PAYLOAD_FLAGS + 1; break;
		case 5: r.dim[0] = UINT64_MAX; break;
		case 6: r.dim[0] = r.dim[1] = (uint64_t)1 << 40; break;
		case 7: r.flags = PAYLOAD_CSR; r.nnz = UINT64_MAX; break;
		case 8: r.flags = PAYLOAD_CSR; r.ndim = 1; break;
		case 9: r.dim[0] = (uint64_t)1 << 61; break;
		case 10: r.dim[0]++; break;
		}
		put_row(&r);
		ck_damaged(2);
		ck_damaged_in_memory(n_bytes, 2);
	}
	put_row(&good);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
	struct matrix m;
	struct err e = { 0 };
	size_t n;

	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_damaged(1);
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_damaged(1);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(symlink("/etc/hostname", path), 0);
	ck_refused(payload_read(files.d, "a", &m, 1, &n, test_pool, &e), &e,
	           ERR_STATE);
}
END_TEST

START_TEST(a_file_larger_than_the_memory_is_refused)
{
	struct memory_pool *p;
	static const size_t dim[] = { 1 << 20 };
	struct matrix m = payload_dense(FLOAT64, 1, dim), back;
	struct err e = { 0 };
	size_t n;

	ck_ok(payload_write(files.d, "b", &m, 1, &e), &e);
	matrix_fini(&m);
	p = memory_pool_new(1 << 20, &e);
	ck_assert_msg(p != NULL, "%s", e.text);
	ck_refused(payload_read(files.d, "b", &back, 1, &n, p, &e), &e,
	           ERR_TOO_LARGE);
	ck_assert_uint_eq(memory_pool_used(p), 0);
	memory_pool_free(p);
}
END_TEST

TCase *tcase_payload_damaged(void)
{
	TCase *c = tcase_create("payload_damaged");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, every_wrong_byte_is_noticed);
	tcase_add_test(c, every_truncation_is_noticed);
	tcase_add_test(c, more_matrices_than_expected_are_refused);
	tcase_add_test(c, another_format_is_refused);
	tcase_add_test(c, impossible_shapes_are_refused);
	tcase_add_test(c, what_is_no_file_is_refused);
	tcase_add_test(c, a_file_larger_than_the_memory_is_refused);
	return c;
}
