/* codings.c - decoders restore what the encoders have written, in pieces of any
 * size, and refuse damaged streams. */
#include "format/decoder.h"
#include "format/encoder.h"
#include "tests/test.h"

enum { TEXT = 300000, CODINGS = 2 };

static struct err e;
static char *plain;
static struct text coded;

static void setup(void)
{
	unsigned x = 1;

	e = (struct err){ 0 };
	coded = (struct text){ 0 };
	plain = malloc(TEXT);
	for (int i = 0; i < TEXT; i++) {
		x = x * 1664525 + 1013904223;
		plain[i] = "0123456789,.-eE []\n"[(x >> 24) % 19];
	}
}

static void teardown(void)
{
	free(plain);
	text_fini(&coded);
}

static void encode(int coding, size_t n, size_t piece)
{
	struct encoder *c = encoder_new(coding);

	ck_assert_ptr_nonnull(c);
	text_clear(&coded);
	for (size_t at = 0; at < n || at == 0; at += piece)
		ck_assert_int_eq(encoder_add(c, plain + at,
		    size_min(piece, n - at), at + piece >= n, &coded), 0);
	encoder_free(c);
}

/* Decodes the first `bytes` bytes of the encoded text, in pieces of `piece`
 * bytes and with `room` bytes for the output, and compares the output with the
 * first n bytes of the text. */
static int decode(int coding, size_t bytes, size_t n, size_t piece,
                  size_t room)
{
	struct decoder *d = decoder_new(encoder_codings[coding], &e);
	char *out = malloc(room);
	size_t got = 0;
	int rc = 0;

	ck_assert_ptr_nonnull(d);
	for (size_t at = 0; at < bytes && !rc; at += piece) {
		const char *from = coded.data + at;
		size_t left = size_min(piece, bytes - at);
		ssize_t made;

		do {
			made = decoder_run(d, &from, &left, out, room, &e);
			if (made < 0)
				break;
			ck_assert_uint_le(got + (size_t)made, n);
			ck_assert_int_eq(memcmp(out, plain + got,
			                        (size_t)made), 0);
			got += (size_t)made;
		} while (left || made == (ssize_t)room);
		rc = made < 0 ? -1 : 0;
	}
	if (!rc)
		rc = decoder_end(d, &e);
	ck_assert(rc || got == n);
	ck_assert_uint_lt(decoder_memory(d), 10 << 20);
	decoder_free(d);
	free(out);
	return rc;
}

START_TEST(what_is_encoded_is_decoded)
{
	static const size_t sizes[] = { 0, 1, 2, 1000, TEXT };

	for (int c = 0; c < CODINGS; c++)
		for (size_t i = 0; i < COUNT(sizes); i++) {
			encode(c, sizes[i], 70000);
			ck_ok(decode(c, coded.length, sizes[i], 1 << 20,
			             1 << 20), &e);
			ck_ok(decode(c, coded.length, sizes[i], 1, 100), &e);
			ck_ok(decode(c, coded.length, sizes[i], 777, 4096),
			      &e);
		}
}
END_TEST

START_TEST(a_truncated_stream_is_refused_wherever_it_ends)
{
	for (int c = 0; c < CODINGS; c++) {
		encode(c, 1000, 1000);
		for (size_t n = 0; n < coded.length; n++) {
			ck_refused(decode(c, n, 1000, 64, 256), &e,
			           ERR_REQUEST);
			e = (struct err){ 0 };
		}
	}
}
END_TEST

START_TEST(a_damaged_stream_is_refused)
{
	encode(1, 1000, 1000);
	coded.data[coded.length - 6] ^= 1;
	ck_refused(decode(1, coded.length, 1000, 64, 256), &e, ERR_REQUEST);
	e = (struct err){ 0 };
	for (int c = 0; c < CODINGS; c++) {
		encode(c, 1000, 1000);
		coded.data[0] ^= 1;
		ck_refused(decode(c, coded.length, 1000, 64, 256), &e,
		           ERR_REQUEST);
		e = (struct err){ 0 };
	}
}
END_TEST

START_TEST(a_frame_with_a_large_window_is_refused)
{
	static const char frame[] = { 0x28, (char)0xb5, 0x2f, (char)0xfd, 0,
	                              14 << 3, 1, 0, 0 };

	text_add(&coded, frame, sizeof frame);
	ck_refused(decode(0, coded.length, 0, 64, 256), &e, ERR_REQUEST);
}
END_TEST

/* An empty frame of each format that zstd had before RFC 8878, to which its
 * library listens if it was built so, also after a frame of today's. */
START_TEST(frames_of_earlier_formats_are_refused)
{
	static const unsigned char first[] = { 0x1e, 0x22, 0x23, 0x24, 0x25,
	                                       0x26, 0x27 };

	for (size_t i = 0; i < COUNT(first); i++)
		for (size_t piece = 1; piece <= 64; piece *= 4)
			for (int after = 0; after < 2; after++) {
				char frame[] = { (char)first[i], (char)0xb5,
				                 0x2f, (char)0xfd, 0, 0, 0, 0,
				                 0 };

				text_clear(&coded);
				if (after)
					encode(0, 0, 1);
				text_add(&coded, frame, sizeof frame);
				ck_refused(decode(0, coded.length, 0, piece,
				                  256), &e, ERR_REQUEST);
				ck_assert_ptr_nonnull(strstr(e.text, "8878"));
				e = (struct err){ 0 };
			}
}
END_TEST

START_TEST(frames_to_skip_are_skipped)
{
	static const char frame[] = { 0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7,
	                              7 };

	encode(0, 1000, 1000);
	text_add(&coded, frame, sizeof frame);
	ck_ok(decode(0, coded.length, 1000, 1, 256), &e);
	ck_ok(decode(0, coded.length, 1000, 64, 256), &e);
}
END_TEST

/* Frames whose only block is compressed and empty, while their headers tell of
 * bytes, in fields of every length. */
START_TEST(a_frame_with_fewer_bytes_than_told_is_refused)
{
	static const char heads[][16] = {
		{ 0x20, 5 }, { 0x40, 0, 1, 0 }, { 0x51, 0, 0, 0, 0 },
		{ (char)0x80, 0, 7, 0, 0, 0 },
		{ (char)0xc0, 0, 9, 0, 0, 0, 0, 0, 0, 0 },
	};
	static const size_t lengths[] = { 2, 4, 5, 6, 10 };
	static const char magic[] = { 0x28, (char)0xb5, 0x2f, (char)0xfd };
	static const char empty[] = { 5, 0, 0 };

	for (size_t i = 0; i < COUNT(heads); i++)
		for (size_t piece = 1; piece <= 64; piece *= 2)
			for (size_t room = 1; room <= 1 << 16; room *= 16) {
				encode(0, 100, 100);
				text_add(&coded, magic, sizeof magic);
				text_add(&coded, heads[i], lengths[i]);
				text_add(&coded, empty, sizeof empty);
				ck_refused(decode(0, coded.length, 100, piece,
				                  room), &e, ERR_REQUEST);
				e = (struct err){ 0 };
			}
}
END_TEST

START_TEST(codings_have_names)
{
	ck_assert(decoder_is_identity(NULL) && decoder_is_identity("") &&
	          decoder_is_identity("Identity"));
	ck_assert(!decoder_is_identity("gzip"));
	ck_assert_ptr_null(decoder_new("gzip, zstd", &e));
	ck_assert_int_eq(e.code, ERR_MEDIA);
	ck_assert_ptr_nonnull(strstr(e.text, decoder_codings));
}
END_TEST

TCase *tcase_codings(void)
{
	TCase *c = tcase_create("codings");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c, what_is_encoded_is_decoded);
	tcase_add_test(c, a_truncated_stream_is_refused_wherever_it_ends);
	tcase_add_test(c, a_damaged_stream_is_refused);
	tcase_add_test(c, a_frame_with_a_large_window_is_refused);
	tcase_add_test(c, frames_of_earlier_formats_are_refused);
	tcase_add_test(c, frames_to_skip_are_skipped);
	tcase_add_test(c, a_frame_with_fewer_bytes_than_told_is_refused);
	tcase_add_test(c, codings_have_names);
	return c;
}
