/* test_http_token.c - a token opens when it is in the file, whole. */
#include <stdio.h>
#include <unistd.h>

#include "http/token.h"
#include "test.h"

static struct tokens *load(const char *text, struct err *e)
{
	char path[] = "/tmp/linalgd-tokens-XXXXXX";
	const int fd = mkstemp(path);
	struct tokens *t;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	t = tokens_load(path, e);
	unlink(path);
	return t;
}

START_TEST(every_line_is_a_token)
{
	struct err e = { 0 };
	struct tokens *t = load("# staff\nalpha\n\n  beta \r\n#gamma\ndelta",
	                        &e);

	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert(tokens_match(t, "Bearer alpha"));
	ck_assert(tokens_match(t, "bearer beta"));
	ck_assert(tokens_match(t, "Bearer  delta"));
	ck_assert(!tokens_match(t, "Bearer gamma"));
	ck_assert(!tokens_match(t, "Bearer #gamma"));
	tokens_free(t);
}
END_TEST

START_TEST(nothing_else_opens)
{
	static const char *const wrong[] = {
		"", "alpha", "Basic alpha", "Bearer", "Bearer ", "Bearer alph",
		"Bearer alphaa", "Bearer Alpha", "Bearer alpha beta",
	};
	struct err e = { 0 };
	struct tokens *t = load("alpha\n", &e);

	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert(!tokens_match(t, NULL));
	for (size_t i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(!tokens_match(t, wrong[i]), "'%s' opened",
		              wrong[i]);
	tokens_free(t);
}
END_TEST

START_TEST(a_file_without_tokens_is_refused)
{
	struct err e = { 0 };

	ck_assert_ptr_null(load("# nobody\n\n", &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
	e = (struct err){ 0 };
	ck_assert_ptr_null(tokens_load("/nowhere/tokens", &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
}
END_TEST

START_TEST(many_tokens_are_kept)
{
	struct err e = { 0 };
	char text[4096] = "", line[32];
	struct tokens *t;

	for (int i = 0; i < 100; i++) {
		snprintf(line, sizeof line, "token-%d\n", i);
		strcat(text, line);
	}
	t = load(text, &e);
	ck_assert_msg(t != NULL, "%s", e.text);
	for (int i = 0; i < 100; i++) {
		snprintf(line, sizeof line, "Bearer token-%d", i);
		ck_assert(tokens_match(t, line));
	}
	ck_assert(!tokens_match(t, "Bearer token-100"));
	tokens_free(t);
}
END_TEST

TCase *tcase_http_token(void)
{
	TCase *t = tcase_create("http_token");

	tcase_add_test(t, every_line_is_a_token);
	tcase_add_test(t, nothing_else_opens);
	tcase_add_test(t, a_file_without_tokens_is_refused);
	tcase_add_test(t, many_tokens_are_kept);
	return t;
}
