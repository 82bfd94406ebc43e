/* options_file.c - options are read from the configuration file, and the
 * environment and the command line replace them. */
#include <stdio.h>
#include <unistd.h>

#include "tests/base/options_rows.h"

#define FIFTY "00000000000000000000000000000000000000000000000000"

/* Writes a configuration file; returns its path. */
static const char *file_of(const char *text)
{
	static char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/tmp/test-options-%d.conf",
	         (int)getpid());
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	return path;
}

START_TEST(a_file_ranks_between_the_default_and_the_environment)
{
	enum option_source from[OPTION_ROWS];
	const char *path = file_of("# a comment\n\n"
	                           "listen = [::1]:9 ; another\n"
	                           "memory=2K\nlimit = 7\ninsecure = yes\n");
	char *argv[] = { "x", "--limit", "8", NULL };

	setenv("TEST_CONFIG", path, 1);
	setenv("TEST_MEMORY", "3K", 1);
	ck_ok(options_parse(rows, &s, 3, argv, from, &e), &e);
	ck_assert_str_eq(s.listen, "[::1]:9");
	ck_assert_uint_eq(s.memory, 3072);
	ck_assert_uint_eq(s.limit, 8);
	ck_assert(s.insecure);
	ck_assert_int_eq(from[0], OPTION_BY_FILE);
	ck_assert_int_eq(from[1], OPTION_BY_ENVIRONMENT);
	ck_assert_int_eq(from[2], OPTION_BY_COMMAND_LINE);
	ck_assert_int_eq(from[3], OPTION_BY_DEFAULT);
	unlink(path);
}
END_TEST

START_TEST(the_command_line_s_file_wins_and_lists_may_span_lines)
{
	const char *path = file_of("device = cpu,\n");

	setenv("TEST_CONFIG", "/nonexistent", 1);
	ck_refused(PARSE("--config", (char *)path), &e, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(e.text, "an empty item"));
	setup();
	path = file_of("device = cpu\n  tesla,1\n");
	ck_ok(PARSE("--config", (char *)path), &e);
	ck_assert_uint_eq(s.device.n, 3);
	ck_assert_str_eq(s.device.item[2], "1");
	setup();
	ck_ok(PARSE("--config", (char *)path, "--device", "gpu"), &e);
	ck_assert_uint_eq(s.device.n, 1);
	unlink(path);
}
END_TEST

START_TEST(a_fault_in_a_file_is_named_with_its_line)
{
	static const struct { const char *text, *said; } row[] = {
		{ "limit = 1\nlsiten = x\n", ":2: lsiten: no such setting; did "
		  "you mean listen?" },
		{ "\nlimit = many\n", ":2: --limit many" },
		{ "[section]\nlimit = 1\n", "no sections" },
		{ "limit\n", ":1: must be a line" },
		{ "config = other\n", "no such setting" },
		{ "listen = " FIFTY FIFTY FIFTY FIFTY "\n", ":1: longer" },
	};

	for (size_t i = 0; i < COUNT(row); i++) {
		const char *path = file_of(row[i].text);

		setup();
		ck_refused(PARSE("--config", (char *)path), &e, ERR_PARAMETER);
		ck_assert_msg(strstr(e.text, row[i].said), "%s", e.text);
		ck_assert_msg(!strncmp(e.text, path, strlen(path)), "%s",
		              e.text);
		unlink(path);
	}
	setup();
	ck_refused(PARSE("--config", "/nonexistent"), &e, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(e.text, "/nonexistent"));
}
END_TEST

START_TEST(what_is_shown_is_a_file_that_gives_the_same_values)
{
	enum option_source from[OPTION_ROWS] = { 0 };
	struct text t = { 0 };
	struct settings first;
	const char *path;

	ck_ok(PARSE("--memory", "1536K", "--ttl", "0.25", "--device", "a,b",
	            "--format", "json", "--insecure"), &e);
	options_show(rows, &s, from, &t);
	first = s;
	setup();
	path = file_of(t.data);
	ck_ok(PARSE("--config", (char *)path), &e);
	ck_assert_str_eq(s.listen, first.listen);
	ck_assert_uint_eq(s.memory, first.memory);
	ck_assert_uint_eq(s.limit, first.limit);
	ck_assert_int_eq(s.ttl_ns, first.ttl_ns);
	ck_assert_int_eq(s.format, first.format);
	ck_assert(s.insecure);
	ck_assert_uint_eq(s.device.n, 2);
	unlink(path);
	text_fini(&t);
}
END_TEST

TCase *tcase_options_file(void)
{
	TCase *c = tcase_create("options_file");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c,
	    a_file_ranks_between_the_default_and_the_environment);
	tcase_add_test(c,
	    the_command_line_s_file_wins_and_lists_may_span_lines);
	tcase_add_test(c, a_fault_in_a_file_is_named_with_its_line);
	tcase_add_test(c,
	    what_is_shown_is_a_file_that_gives_the_same_values);
	return c;
}
