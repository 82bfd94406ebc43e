/* options.c - command line over environment over default. */
#include "tests/base/options_rows.h"

START_TEST(what_is_not_given_has_its_default)
{
	char *argv[] = { "x", NULL };

	ck_ok(options_parse(rows, &s, 1, argv, NULL, &e), &e);
	ck_assert_str_eq(s.listen, "127.0.0.1:8080");
	ck_assert_uint_eq(s.memory, 1 << 30);
	ck_assert_uint_eq(s.limit, 256);
	ck_assert_int_eq(s.ttl_ns, INT64_C(600000000000));
	ck_assert_int_eq(s.format, 0);
	ck_assert(!s.insecure);
	ck_assert_uint_eq(s.device.n, 0);
}
END_TEST

START_TEST(the_command_line_wins_over_the_environment)
{
	setenv("TEST_LISTEN", "[::1]:1", 1);
	setenv("TEST_MEMORY", "2K", 1);
	setenv("TEST_INSECURE", "yes", 1);
	ck_ok(PARSE("--memory", "4096"), &e);
	ck_assert_str_eq(s.listen, "[::1]:1");
	ck_assert_uint_eq(s.memory, 4096);
	ck_assert(s.insecure);
}
END_TEST

START_TEST(a_value_may_follow_an_equals_sign)
{
	ck_ok(PARSE("--listen=a=b", "--format=json", "--insecure=false"), &e);
	ck_assert_str_eq(s.listen, "a=b");
	ck_assert_int_eq(s.format, 1);
	ck_assert(!s.insecure);
}
END_TEST

START_TEST(a_list_takes_commas_and_repetition)
{
	setenv("TEST_DEVICE", "gone", 1);
	ck_ok(PARSE("--device", "cpu,1", "--device", "tesla"), &e);
	ck_assert_uint_eq(s.device.n, 3);
	ck_assert_str_eq(s.device.item[0], "cpu");
	ck_assert_str_eq(s.device.item[1], "1");
	ck_assert_str_eq(s.device.item[2], "tesla");
	ck_assert_ptr_null(s.device.item[3]);
}
END_TEST

START_TEST(sizes_take_units)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = {
		{ "0", 0 }, { "1", 1 }, { "64K", 65536 }, { "64k", 65536 },
		{ "1.5M", 3 << 19 }, { "4G", UINT64_C(4) << 30 },
		{ "2T", UINT64_C(2) << 40 },
	};
	static const char *const bad[] = {
		"", "K", "-1", "1KB", "1 K", "1 ", "0x10", "nan", "inf", "1e30",
		"1P", "8388608T",
	};
	uint64_t bytes;

	for (size_t i = 0; i < COUNT(good); i++) {
		ck_assert_int_eq(options_size(good[i].text, &bytes), 0);
		ck_assert_uint_eq(bytes, good[i].bytes);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		ck_assert_msg(options_size(bad[i], &bytes) == -1, "%s",
		              bad[i]);
}
END_TEST

START_TEST(what_is_wrong_is_refused_with_its_name)
{
	static char *const bad[][3] = {
		{ "x", "--nosuch", "1" }, { "x", "word", "1" },
		{ "x", "--limit", "0" }, { "x", "--limit", "1001" },
		{ "x", "--limit", "2.5" }, { "x", "--limit", "-1" },
		{ "x", "--ttl", "soon" }, { "x", "--ttl", "1e9" },
		{ "x", "--format", "xml" }, { "x", "--memory", "12Q" },
		{ "x", "--memory", "10" }, { "x", "--device", "a,,b" },
		{ "x", "--insecure=maybe", "--insecure" },
	};

	for (size_t i = 0; i < COUNT(bad); i++) {
		char *argv[] = { bad[i][0], bad[i][1], bad[i][2], NULL };

		setup();
		ck_refused(options_parse(rows, &s, 3, argv, NULL, &e), &e,
		           ERR_PARAMETER);
		ck_assert_msg(strstr(e.text, bad[i][1]) ||
		              strstr(e.text, "insecure"), "%s", e.text);
	}
}
END_TEST

START_TEST(a_mistyped_option_or_choice_is_told_the_nearest)
{
	ck_refused(PARSE("--lsiten", "x"), &e, ERR_PARAMETER);
	ck_assert_str_eq(e.text, "--lsiten: no such option; did you mean "
	                 "--listen?");
	setup();
	ck_refused(PARSE("--memry=3"), &e, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(e.text, "did you mean --memory?"));
	setup();
	ck_refused(PARSE("--format", "jsn"), &e, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(e.text, "did you mean json?"));
	setup();
	ck_refused(PARSE("--frobnicate"), &e, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(e.text, "--help lists them"));
}
END_TEST

START_TEST(help_and_the_version_are_asked_for_where_an_option_may_stand)
{
	static const struct {
		char *word[4];
		enum options_question asked;
	} row[] = {
		{ { "-h" }, OPTIONS_HELP }, { { "--help" }, OPTIONS_HELP },
		{ { "-V" }, OPTIONS_VERSION },
		{ { "--version" }, OPTIONS_VERSION },
		{ { "--limit", "3", "--describe" }, OPTIONS_DESCRIBE },
		{ { "--listen", "--describe" }, OPTIONS_NONE },
		{ { "--limit", "3", "-h" }, OPTIONS_HELP },
		{ { "--insecure", "-h" }, OPTIONS_HELP },
		{ { "--nosuch", "-h" }, OPTIONS_HELP },
		{ { "--listen", "-h" }, OPTIONS_NONE },	/* a value */
		{ { "--listen=-h" }, OPTIONS_NONE },
		{ { "help" }, OPTIONS_NONE }, { { NULL }, OPTIONS_NONE },
	};

	for (size_t i = 0; i < COUNT(row); i++) {
		char *argv[6] = { "x" };
		int n = 1;

		while (n < 5 && row[i].word[n - 1]) {
			argv[n] = row[i].word[n - 1];
			n++;
		}
		ck_assert_int_eq(options_ask(rows, n, argv), row[i].asked);
	}
}
END_TEST

START_TEST(a_letter_stands_for_its_option)
{
	ck_ok(PARSE("-p", "9000"), &e);
	ck_assert_uint_eq(s.port, 9000);
	setup();
	ck_ok(PARSE("-p9001", "--limit", "7"), &e);
	ck_assert_uint_eq(s.port, 9001);
	ck_assert_uint_eq(s.limit, 7);
	setup();
	ck_refused(PARSE("-p"), &e, ERR_PARAMETER);
	setup();
	ck_refused(PARSE("-x", "1"), &e, ERR_PARAMETER);
	setup();
	ck_refused(PARSE("-"), &e, ERR_PARAMETER);
}
END_TEST

static void keep_unknown(void *arg, const char *name, const char *nearest)
{
	text_printf(arg, "%s:%s ", name, nearest ? nearest : "-");
}

START_TEST(variables_that_no_row_has_are_found)
{
	static const char *const others[] = { "TEST_OTHER", NULL };
	struct text t = { 0 };

	setenv("TEST_LISTEN", "x", 1);
	setenv("TEST_OTHER_X", "x", 1);
	setenv("TSET_LISTEN", "x", 1);
	options_unknown(rows, "TEST_", others, keep_unknown, &t);
	ck_assert_uint_eq(t.length, 0);
	setenv("TEST_LISTNE", "x", 1);
	options_unknown(rows, "TEST_", others, keep_unknown, &t);
	ck_assert_str_eq(t.data, "TEST_LISTNE:TEST_LISTEN ");
	unsetenv("TEST_LISTNE");
	setenv("TEST_FROBNICATE", "", 1);
	text_clear(&t);
	options_unknown(rows, "TEST_", others, keep_unknown, &t);
	ck_assert_str_eq(t.data, "TEST_FROBNICATE:- ");
	text_fini(&t);
}
END_TEST

START_TEST(a_flag_at_the_end_needs_its_value)
{
	ck_refused(PARSE("--limit"), &e, ERR_PARAMETER);
}
END_TEST

START_TEST(a_wrong_environment_is_refused)
{
	setenv("TEST_MEMORY", "lots", 1);
	ck_refused(PARSE("--limit", "1"), &e, ERR_PARAMETER);
	ck_assert_ptr_nonnull(strstr(e.text, "lots"));
	ck_assert_ptr_nonnull(strstr(e.text, "TEST_MEMORY"));
}
END_TEST

START_TEST(help_names_every_row)
{
	struct text t = { 0 };

	options_help(rows, &t);
	for (const struct option_row *r = rows; r->flag; r++) {
		ck_assert_ptr_nonnull(strstr(t.data, r->flag));
		ck_assert_ptr_nonnull(strstr(t.data, r->help));
	}
	ck_assert_ptr_nonnull(strstr(t.data, "-p, --port PORT"));
	ck_assert_ptr_nonnull(strstr(t.data, "-h, --help"));
	text_fini(&t);
}
END_TEST

START_TEST(a_table_is_described_for_programs)
{
	struct text t = { 0 };

	options_describe(rows, &t);
	ck_assert_ptr_nonnull(strstr(t.data, "format\t\ttext|json\tchoice\t"
	                             "text|json\ttext\t\thow\n"));
	ck_assert_ptr_nonnull(strstr(t.data, "\nport\tp\tPORT\tcount\t\t"
	                             "\t\twhich\n"));
	ck_assert_ptr_nonnull(strstr(t.data, "\ninsecure\t\t\tflag\t\t\t"
	                             "TEST_INSECURE\tdare\n"));
	ck_assert_ptr_nonnull(strstr(t.data, "\nhelp\th\t\tflag\t"));
	text_fini(&t);
}
END_TEST

START_TEST(an_option_takes_the_next_word_unless_it_has_its_value)
{
	ck_assert(options_takes_next(rows, "--limit"));
	ck_assert(options_takes_next(rows, "-p"));
	ck_assert(!options_takes_next(rows, "-p80"));
	ck_assert(!options_takes_next(rows, "--limit=3"));
	ck_assert(!options_takes_next(rows, "--insecure"));
	ck_assert(!options_takes_next(rows, "--nosuch"));
	ck_assert(!options_takes_next(rows, "limit"));
}
END_TEST

TCase *tcase_options(void)
{
	TCase *c = tcase_create("options");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, what_is_not_given_has_its_default);
	tcase_add_test(c, the_command_line_wins_over_the_environment);
	tcase_add_test(c, a_value_may_follow_an_equals_sign);
	tcase_add_test(c, a_list_takes_commas_and_repetition);
	tcase_add_test(c, sizes_take_units);
	tcase_add_test(c, what_is_wrong_is_refused_with_its_name);
	tcase_add_test(c,
	    a_mistyped_option_or_choice_is_told_the_nearest);
	tcase_add_test(c,
	    help_and_the_version_are_asked_for_where_an_option_may_stand);
	tcase_add_test(c, a_letter_stands_for_its_option);
	tcase_add_test(c, variables_that_no_row_has_are_found);
	tcase_add_test(c, a_flag_at_the_end_needs_its_value);
	tcase_add_test(c, a_wrong_environment_is_refused);
	tcase_add_test(c, help_names_every_row);
	tcase_add_test(c, a_table_is_described_for_programs);
	tcase_add_test(c,
	    an_option_takes_the_next_word_unless_it_has_its_value);
	return c;
}
