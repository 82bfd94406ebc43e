/* token.c - a token is accepted only if it is a whole line of the file. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "http/token.h"
#include "tests/test.h"

static struct tokens *load(const char *text, struct err *e)
{
	char path[] = "/tmp/linalgd-tokens-XXXXXX";
	const int fd = mkstemp(path);
	struct tokens *t;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	t = tokens_load(path, NULL, e);
	unlink(path);
	return t;
}

START_TEST(every_line_is_a_token)
{
	struct err e = { 0 };
	struct tokens *t = load("# staff\nalpha\n\n  beta \r\n#gamma\ndelta",
	                        &e);

	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert(tokens_find(t, "Bearer alpha"));
	ck_assert(tokens_find(t, "bearer beta"));
	ck_assert(tokens_find(t, "Bearer  delta"));
	ck_assert(!tokens_find(t, "Bearer gamma"));
	ck_assert(!tokens_find(t, "Bearer #gamma"));
	tokens_free(t);
}
END_TEST

START_TEST(a_token_may_have_a_name)
{
	struct err e = { 0 };
	struct tokens *t = load("alpha anna\nbeta\tben # since 2026\n"
	                        "gamma # nobody's\ndelta\n", &e);

	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert_str_eq(tokens_find(t, "Bearer alpha")->name, "anna");
	ck_assert_str_eq(tokens_find(t, "Bearer beta")->name, "ben");
	ck_assert_str_eq(tokens_find(t, "Bearer gamma")->name, "");
	ck_assert_str_eq(tokens_find(t, "Bearer delta")->name, "");
	ck_assert_ptr_null(tokens_find(t, "Bearer anna"));
	ck_assert_ptr_null(tokens_find(t, "Bearer alpha anna"));
	tokens_free(t);
}
END_TEST

START_TEST(one_token_may_come_without_a_file)
{
	struct err e = { 0 };
	struct tokens *t = tokens_load(NULL, "alpha", &e);

	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert_ptr_nonnull(tokens_find(t, "Bearer alpha"));
	ck_assert_ptr_null(tokens_find(t, "Bearer beta"));
	tokens_free(t);
}
END_TEST

START_TEST(a_token_file_is_made_once_for_this_user_alone)
{
	char directory[] = "/tmp/linalgd-tokens-XXXXXX", path[64], line[80];
	char header[96];
	struct err e = { 0 };
	struct tokens *t;
	struct stat s;
	FILE *f;

	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof path, "%s/token", directory);
	ck_assert_int_eq(tokens_make(path, &e), 1);
	ck_assert_int_eq(stat(path, &s), 0);
	ck_assert_int_eq(s.st_mode & 0777, 0600);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
	fclose(f);
	ck_assert_uint_eq(strcspn(line, "\n"), 48);
	ck_assert_int_eq(tokens_make(path, &e), 0);
	t = tokens_load(path, NULL, &e);
	ck_assert_msg(t != NULL, "%s", e.text);
	snprintf(header, sizeof header, "Bearer %.48s", line);
	ck_assert_ptr_nonnull(tokens_find(t, header));
	tokens_free(t);
	unlink(path);
	rmdir(directory);
	ck_refused(tokens_make(path, &e), &e, ERR_REQUEST);
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
	ck_assert(!tokens_find(t, NULL));
	for (size_t i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(!tokens_find(t, wrong[i]), "'%s' opened",
		              wrong[i]);
	tokens_free(t);
}
END_TEST

START_TEST(a_byte_order_mark_is_no_part_of_a_token)
{
	struct err e = { 0 };
	struct tokens *t = load("\xef\xbb\xbf" "alpha\r\nbeta\r\n", &e);

	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert_ptr_nonnull(tokens_find(t, "Bearer alpha"));
	ck_assert_ptr_nonnull(tokens_find(t, "Bearer beta"));
	tokens_free(t);
}
END_TEST

START_TEST(a_file_without_tokens_is_refused)
{
	struct err e = { 0 };

	ck_assert_ptr_null(load("# nobody\n\n", &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
	e = (struct err){ 0 };
	ck_assert_ptr_null(tokens_load("/nowhere/tokens", NULL, &e));
	ck_assert_int_eq(e.code, ERR_REQUEST);
	e = (struct err){ 0 };
	ck_assert_ptr_null(tokens_load("/", NULL, &e));
	ck_assert_str_eq(e.text, "token file /: Is a directory");
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
		ck_assert(tokens_find(t, line));
	}
	ck_assert(!tokens_find(t, "Bearer token-100"));
	tokens_free(t);
}
END_TEST

TCase *tcase_http_token(void)
{
	TCase *t = tcase_create("http_token");

	tcase_add_test(t, every_line_is_a_token);
	tcase_add_test(t, a_token_may_have_a_name);
	tcase_add_test(t, one_token_may_come_without_a_file);
	tcase_add_test(t, a_token_file_is_made_once_for_this_user_alone);
	tcase_add_test(t, nothing_else_opens);
	tcase_add_test(t, a_byte_order_mark_is_no_part_of_a_token);
	tcase_add_test(t, a_file_without_tokens_is_refused);
	tcase_add_test(t, many_tokens_are_kept);
	return t;
}
