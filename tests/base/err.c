/* err.c - pointers to where an error is end with a whole member. */
#include <string.h>

#include "base/err.h"
#include "tests/test.h"

/* Writes a name of n characters. */
static const char *name(char text[2 * ERR_POINTER], size_t n)
{
	memset(text, 'n', n);
	text[n] = 0;
	return text;
}

static const size_t longest = ERR_POINTER - 3;	/* behind its slash */

START_TEST(a_name_that_has_no_room_is_left_out)
{
	char text[2 * ERR_POINTER], at[ERR_POINTER];

	err_pointer(at, "", name(text, longest));
	ck_assert_uint_eq(strlen(at), longest + 1);
	ck_assert_str_eq(err_pointer(at, "", name(text, longest + 1)), " ");
	ck_assert_str_eq(err_pointer(at, "/a", name(text, longest)), "/a ");
	ck_assert_str_eq(err_pointer(at, "/a", "b"), "/a/b");
	for (size_t n = 0; n < 2 * ERR_POINTER - 1; n++) {
		err_pointer(at, "/a", name(text, n));
		ck_assert_uint_eq(strlen(at), n + 3 < ERR_POINTER - 1 ?
		                              n + 3 : strlen("/a "));
	}
}
END_TEST

START_TEST(an_escaped_character_is_not_cut)
{
	char text[ERR_POINTER], at[ERR_POINTER];

	for (size_t n = 1; n < ERR_POINTER; n++) {
		memset(text, ' ', n);
		text[n] = 0;
		err_pointer(at, "", text);
		if (3 * n <= longest)
			ck_assert_uint_eq(strlen(at), 3 * n + 1);
		else
			ck_assert_str_eq(at, " ");
	}
}
END_TEST

START_TEST(nothing_follows_a_name_that_was_left_out)
{
	char text[2 * ERR_POINTER], at[ERR_POINTER];
	struct err e = { 0 };

	err_pointer(at, "/a", name(text, ERR_POINTER));
	ck_assert_str_eq(err_pointer(at, at, "b"), "/a ");
	err_set_at(&e, ERR_FORMAT, "/b", "why");
	err_within(&e, at);
	ck_assert_str_eq(e.pointer, "/a ");
	ck_assert_int_eq(err_pointer_length(&e), 2);
}
END_TEST

START_TEST(a_parent_stands_before_what_has_room)
{
	char text[2 * ERR_POINTER];
	struct err e = { .pointer = "" };

	err_within(&e, "/steps/1");
	ck_assert_str_eq(e.pointer, "/steps/1");
	err_point(&e, "", "b");
	err_within(&e, "/steps/1");
	ck_assert_str_eq(e.pointer, "/steps/1/b");
	strcpy(e.pointer, "?b");
	err_within(&e, "/steps/1");
	ck_assert_str_eq(e.pointer, "/steps/1");
	err_point(&e, "/b", name(text, longest - 2));
	err_within(&e, "/steps/1");
	ck_assert_str_eq(e.pointer, "/steps/1/b ");
	err_point(&e, "/b", name(text, ERR_POINTER));
	err_within(&e, "/steps/1");
	ck_assert_str_eq(e.pointer, "/steps/1/b ");
}
END_TEST

TCase *tcase_err(void)
{
	TCase *t = tcase_create("err");

	tcase_add_test(t, a_name_that_has_no_room_is_left_out);
	tcase_add_test(t, an_escaped_character_is_not_cut);
	tcase_add_test(t, nothing_follows_a_name_that_was_left_out);
	tcase_add_test(t, a_parent_stands_before_what_has_room);
	return t;
}
