/* payload_stream.c - a payload that is sent as a stream of bytes is received
 * again, whatever the size of the pieces, and an error of a callback is
 * returned. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "tests/journal/payload_room.h"

struct stream {
	char *bytes;
	size_t n, at;
	size_t pieces, largest;
	size_t fails_after;		/* bytes; SIZE_MAX: never */
};

static int take(void *arg, const void *bytes, size_t n, struct err *e)
{
	struct stream *s = arg;

	if (s->n + n > s->fails_after)
		return err_set(e, ERR_STATE, "the place is full");
	s->bytes = realloc(s->bytes, s->n + n);
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
	s->pieces++;
	s->largest = size_max(s->largest, n);
	return 0;
}

static int give(void *arg, void *to, size_t n, struct err *e)
{
	struct stream *s = arg;

	if (s->at + n > s->n || s->at + n > s->fails_after)
		return err_set(e, ERR_GONE, "there are no more");
	memcpy(to, s->bytes + s->at, n);
	s->at += n;
	return 0;
}

static void make(struct matrix m[3])
{
	static const size_t dim[] = { 300, 401 };

	m[0] = payload_dense(FLOAT64, 2, dim);
	m[1] = (struct matrix){ .ndim = MATRIX_ABSENT };
	m[2] = payload_sparse();
}

static void drop(struct matrix m[3])
{
	for (int i = 0; i < 3; i++)
		matrix_fini(&m[i]);
}

START_TEST(pieces_of_any_size_come_back)
{
	static const size_t sizes[] = {
		PAYLOAD_PIECE, PAYLOAD_PIECE + 13, 962400, 1 << 20
	};
	struct matrix m[3], back[3];
	uint64_t bytes;
	size_t n;

	make(m);
	ck_ok(payload_bytes(m, 3, &bytes, &files.e), &files.e);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		struct stream s = { .fails_after = SIZE_MAX };

		ck_ok(payload_send(m, 3, sizes[i], take, &s, &files.e),
		      &files.e);
		ck_assert_uint_eq(s.n, bytes);
		ck_assert_uint_eq(s.largest, size_min(sizes[i], bytes));
		ck_assert_uint_eq(s.pieces, (bytes + sizes[i] - 1) / sizes[i]);
		ck_ok(payload_receive(give, &s, bytes, "p", back, 3, &n,
		                      test_pool, &files.e), &files.e);
		ck_assert_uint_eq(n, 3);
		ck_assert_uint_eq(s.at, s.n);
		for (int k = 0; k < 3; k++)
			payload_ck_same(&m[k], &back[k]);
		drop(back);
		free(s.bytes);
	}
	drop(m);
}
END_TEST

START_TEST(an_error_of_a_callback_is_passed_on)
{
	struct stream s = { .fails_after = SIZE_MAX };
	struct matrix m[3], back[3];
	uint64_t bytes;
	size_t n;

	make(m);
	ck_ok(payload_bytes(m, 3, &bytes, &files.e), &files.e);
	ck_ok(payload_send(m, 3, PAYLOAD_PIECE, take, &s, &files.e), &files.e);
	drop(m);
	for (size_t after = 0; after < bytes; after += 49999) {
		struct err e = { 0 };

		s.at = 0;
		s.fails_after = after;
		ck_refused(payload_receive(give, &s, bytes, "p", back, 3, &n,
		                           test_pool, &e), &e, ERR_GONE);
		ck_assert_uint_eq(memory_pool_used(test_pool),
		                  files.used_before);
	}
	make(m);
	for (size_t after = 0; after < bytes; after += 99999) {
		struct stream full = { .fails_after = after };
		struct err e = { 0 };

		ck_refused(payload_send(m, 3, PAYLOAD_PIECE, take, &full, &e),
		           &e, ERR_STATE);
		free(full.bytes);
	}
	drop(m);
	free(s.bytes);
}
END_TEST

TCase *tcase_payload_stream(void)
{
	TCase *c = tcase_create("payload_stream");

	tcase_add_checked_fixture(c, payload_room_open, payload_room_close);
	tcase_add_test(c, pieces_of_any_size_come_back);
	tcase_add_test(c, an_error_of_a_callback_is_passed_on);
	return c;
}
