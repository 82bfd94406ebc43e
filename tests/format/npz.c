/* npz.c - archives from NumPy (tests/data, by np.savez and np.savez_compressed)
 * are read, and archives written here read back. */
#include <stdio.h>
#include <sys/mman.h>

#include "format/writer.h"
#include "tests/format/sink.h"
#include "tests/test.h"

#define NPZ "application/x-npz"

static const double a[] = { 0.5, 1.5, 2.5, 3.5, 4.5, 5.5 };
static const double b[] = { 0, 1, 2, 3, 4, 5 };

static size_t load(const char *path, char *to, size_t room)
{
	FILE *f = fopen(path, "rb");
	size_t n;

	ck_assert_msg(f != NULL, "%s: run from the repository's root", path);
	n = fread(to, 1, room, f);
	fclose(f);
	return n;
}

static void a_and_b(struct test_sink *s)
{
	sink_holds(&s->m[0], FLOAT64, "2x3", a);
	sink_holds(&s->m[1], INT32, "3x2", b);
}

START_TEST(numpys_archives_are_read)
{
	char file[4096];
	size_t n = load("tests/data/stored.npz", file, sizeof file);

	sink_always(NPZ, file, n, a_and_b, ERR_NONE);
	n = load("tests/data/deflated.npz", file, sizeof file);
	sink_always(NPZ, file, n, a_and_b, ERR_NONE);
}
END_TEST

START_TEST(pickles_are_refused)
{
	char file[4096];
	size_t n = load("tests/data/pickled.npz", file, sizeof file);

	sink_always(NPZ, file, n, NULL, ERR_FORMAT);
}
END_TEST

START_TEST(damaged_archives_are_refused)
{
	char file[4096], bad[4096];
	size_t n = load("tests/data/deflated.npz", file, sizeof file);
	size_t used = memory_pool_used(test_pool);
	int refused = 0;

	for (size_t cut = 0; cut < n; cut++)
		sink_always(NPZ, file, cut, NULL, ERR_FORMAT);
	for (size_t at = 0; at < n; at++) {
		struct test_sink s;
		struct err e = { 0 };

		memcpy(bad, file, n);
		bad[at] ^= 0x55;
		test_sink_init(&s);
		if (sink_read(&s, NPZ, bad, n, n, &e) < 0)
			refused++;
		else
			a_and_b(&s);
		test_sink_fini(&s);
		ck_assert_uint_eq(memory_pool_used(test_pool), used);
	}
	ck_assert_int_gt(refused, 100);
}
END_TEST

static struct matrix matrix_from(enum dtype d, size_t m, size_t n,
                                 const double *x)
{
	struct matrix out = { .dtype = d, .ndim = 2, .dim = { m, n } };
	struct err e = { 0 };

	ck_ok(matrix_alloc(&out, test_pool, &e), &e);
	for (size_t i = 0; i < m * n; i++)
		matrix_set(&out, i, x[i]);
	return out;
}

static void round_trip(const char *const *names, size_t n, enum err_code code)
{
	struct matrix x = matrix_from(FLOAT32, 2, 3, a),
	              y = matrix_from(INT64, 3, 2, b);
	const struct matrix *m[] = { &x, &y, &x };
	struct text file = { 0 };
	struct test_sink s;
	struct err e = { 0 };

	ck_ok(npz_write(&file, m, names, n, &e), &e);
	test_sink_init(&s);
	if (sink_read(&s, NPZ, file.data, file.length, 100, &e) == 0) {
		sink_holds(&s.m[0], FLOAT32, "2x3", a);
		sink_holds(&s.m[1], INT64, "3x2", b);
	}
	ck_assert_int_eq(e.code, code);
	test_sink_fini(&s);
	text_fini(&file);
	matrix_fini(&x);
	matrix_fini(&y);
}

START_TEST(our_archives_are_read_back)
{
	round_trip((const char *[]){ "a", "b" }, 2, ERR_NONE);
	round_trip((const char *[]){ "a", "b", "c" }, 3, ERR_NONE);
}
END_TEST

START_TEST(unknown_members_are_refused)
{
	round_trip((const char *[]){ "a", "d" }, 2, ERR_REQUEST);
	round_trip((const char *[]){ "a", "b", "d/a" }, 3, ERR_REQUEST);
}
END_TEST

START_TEST(an_archive_may_hold_scalars_and_nothing)
{
	struct matrix scalar = { .dtype = FLOAT64 },
	              none = { .dtype = FLOAT32, .ndim = 2, .dim = { 0, 3 } };
	const struct matrix *m[] = { &scalar, &none };
	struct text file = { 0 };
	struct test_sink s;
	struct err e = { 0 };

	ck_ok(matrix_alloc(&scalar, test_pool, &e), &e);
	ck_ok(matrix_alloc(&none, test_pool, &e), &e);
	matrix_set(&scalar, 0, 0.5);
	ck_ok(npz_write(&file, m, (const char *[]){ "a", "b" }, 2, &e), &e);
	test_sink_init(&s);
	ck_ok(sink_read(&s, NPZ, file.data, file.length, 7, &e), &e);
	sink_holds(&s.m[0], FLOAT64, "scalar", a);
	sink_holds(&s.m[1], FLOAT32, "0x3", a);
	test_sink_fini(&s);
	text_fini(&file);
	matrix_fini(&scalar);
	matrix_fini(&none);
}
END_TEST

START_TEST(an_archive_leaves_in_pieces_of_any_size)
{
	struct matrix x = matrix_from(FLOAT32, 2, 3, a),
	              none = { .dtype = FLOAT32, .ndim = 2, .dim = { 0, 3 } };
	const struct matrix *m[] = { &x, &none, &x };
	const char *const names[] = { "a", "b", "c" };
	struct text whole = { 0 };
	struct err e = { 0 };
	char piece[64];

	ck_ok(matrix_alloc(&none, test_pool, &e), &e);
	ck_ok(npz_write(&whole, m, names, 3, &e), &e);
	for (size_t room = 1; room <= sizeof piece; room++) {
		struct npz_writer w;
		size_t at = 0, n;

		ck_ok(npz_writer_init(&w, m, names, 3, &e), &e);
		ck_assert_uint_eq(npz_writer_size(&w), whole.length);
		while ((n = npz_writer_more(&w, piece, room)) > 0) {
			ck_assert_int_eq(memcmp(piece, whole.data + at, n), 0);
			at += n;
		}
		ck_assert_uint_eq(at, whole.length);
		npz_writer_fini(&w);
	}
	text_fini(&whole);
	matrix_fini(&x);
	matrix_fini(&none);
}
END_TEST

/* The last n bytes of an archive of a.npy, that many zeros, and of b.npy, one
 * number. */
static void tail_of(size_t zeros, unsigned char *tail, size_t n)
{
	const size_t bytes = zeros * sizeof(double);
	struct memory memory = { .bytes = bytes };
	const struct matrix a_npy = { .dtype = FLOAT64, .ndim = 1,
	                              .dim = { zeros }, .memory = &memory },
	      b_npy = { .dtype = FLOAT64, .ndim = 1, .dim = { 1 },
	                .memory = &memory },
	      *const list[] = { &a_npy, &b_npy };
	struct npz_writer w;
	struct err e = { 0 };
	uint64_t left;
	char room[1 << 16];
	size_t got;

	memory.data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS |
	                   MAP_NORESERVE, -1, 0);
	ck_assert_ptr_ne(memory.data, MAP_FAILED);
	ck_ok(npz_writer_init(&w, list, (const char *[]){ "a", "b" }, 2, &e),
	      &e);
	for (left = npz_writer_size(&w); left > n; left -= got)
		got = npz_writer_more(&w, room, left - n < sizeof room ?
		                      (size_t)(left - n) : sizeof room);
	ck_assert_uint_eq(npz_writer_more(&w, (char *)tail, n), n);
	ck_assert_uint_eq(npz_writer_more(&w, room, sizeof room), 0);
	npz_writer_fini(&w);
	munmap(memory.data, bytes);
}

static uint64_t number(const unsigned char *p, int bytes)
{
	uint64_t x = 0;

	memcpy(&x, p, (size_t)bytes);
	return x;
}

/* Checks a member's header in the directory of a Zip64 archive: the fields of
 * 32 bits refer to the record after its name, which has the values. */
static void ck_member(const unsigned char *p, const char *name, uint64_t size,
                      uint64_t offset)
{
	ck_assert_mem_eq(p, "PK\1\2", 4);
	ck_assert_uint_eq(number(p + 6, 2), 45);	/* version to read it */
	ck_assert_mem_eq(p + 20, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
	ck_assert_uint_eq(number(p + 30, 2), 28);
	ck_assert_mem_eq(p + 42, "\xff\xff\xff\xff", 4);
	ck_assert_mem_eq(p + 46, name, 5);
	p += 46 + 5;
	ck_assert_uint_eq(number(p, 2), 1);
	ck_assert_uint_eq(number(p + 2, 2), 24);
	ck_assert_uint_eq(number(p + 4, 8), size);
	ck_assert_uint_eq(number(p + 12, 8), size);
	ck_assert_uint_eq(number(p + 20, 8), offset);
}

/* The end of a Zip64 archive: the members' headers, its record, its locator,
 * and the old end record. */
START_TEST(an_archive_beyond_4_gib_says_so)
{
	enum { MEMBER = 46 + 5 + 28, RECORD = 56, LOCATOR = 20, END = 22 };
	unsigned char tail[2 * MEMBER + RECORD + LOCATOR + END];
	const unsigned char *const end = tail + 2 * MEMBER;
	const size_t zeros = (size_t)1 << 29;		/* 4 GiB */
	const uint64_t large = zeros * sizeof(double) + 128,
	               second = 30 + 5 + 20 + large,
	               directory = second + 30 + 5 + 8 + 128;

	tail_of(zeros, tail, sizeof tail);
	ck_member(tail, "a.npy", large, 0);
	ck_member(tail + MEMBER, "b.npy", 8 + 128, second);
	ck_assert_mem_eq(end, "PK\6\6", 4);
	ck_assert_uint_eq(number(end + 40, 8), 2 * MEMBER);
	ck_assert_uint_eq(number(end + 48, 8), directory);
	ck_assert_mem_eq(end + RECORD, "PK\6\7", 4);
	ck_assert_uint_eq(number(end + RECORD + 8, 8), directory + 2 * MEMBER);
	ck_assert_mem_eq(end + RECORD + LOCATOR, "PK\5\6", 4);
	ck_assert_mem_eq(end + RECORD + LOCATOR + 16, "\xff\xff\xff\xff", 4);
}
END_TEST

START_TEST(an_archive_has_at_most_16_members)
{
	const struct matrix *m[NPZ_MEMBERS + 1] = { NULL };
	const char *names[NPZ_MEMBERS + 1] = { NULL };
	struct npz_writer w;
	struct err e = { 0 };

	ck_refused(npz_writer_init(&w, m, names, COUNT(m), &e), &e,
	           ERR_INTERNAL);
	ck_assert_str_eq(e.text, "npz: 17 members, at most 16 are written");
	npz_writer_fini(&w);
}
END_TEST

TCase *tcase_npz(void)
{
	TCase *c = tcase_create("npz");

	tcase_add_test(c, numpys_archives_are_read);
	tcase_add_test(c, pickles_are_refused);
	tcase_add_test(c, damaged_archives_are_refused);
	tcase_add_test(c, our_archives_are_read_back);
	tcase_add_test(c, unknown_members_are_refused);
	tcase_add_test(c, an_archive_may_hold_scalars_and_nothing);
	tcase_add_test(c, an_archive_leaves_in_pieces_of_any_size);
	tcase_add_test(c, an_archive_beyond_4_gib_says_so);
	tcase_add_test(c, an_archive_has_at_most_16_members);
	return c;
}
