/* log.c - every event is one line of the log, whatever text it contains and
 * whether or not the pipe is read. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

#include "base/io.h"
#include "base/log.h"
#include "tests/test.h"

static int out;				/* reads what goes to standard error */
static int before;			/* the original standard error */
static char text[256 << 10];

static void setup(void)
{
	int pipe[2];

	before = dup(STDERR_FILENO);
	ck_assert_int_eq(pipe2(pipe, O_CLOEXEC), 0);
	ck_assert_int_ge(dup2(pipe[1], STDERR_FILENO), 0);
	close(pipe[1]);
	out = pipe[0];
	io_nonblocking(out, true);
}

/* Needed because other tests follow in this process where Check does not
 * fork. */
static void teardown(void)
{
	log_format_json(false);
	dup2(before, STDERR_FILENO);
	close(before);
	close(out);
}

/* What was written since the last call. */
static const char *written(void)
{
	size_t n = 0;
	ssize_t got;

	while ((got = read(out, text + n, sizeof text - 1 - n)) > 0)
		n += (size_t)got;
	text[n] = 0;
	return text;
}

static json_t *written_json(void)
{
	json_error_t fault;
	json_t *j = json_loads(written(), JSON_REJECT_DUPLICATES, &fault);

	ck_assert_msg(j != NULL, "%s: %s", fault.text, text);
	ck_assert_int_eq(text[strlen(text) - 1], '\n');
	return j;
}

static const char *string_of(const json_t *j, const char *name)
{
	const char *s = json_string_value(json_object_get(j, name));

	return s ? s : "(none)";
}

START_TEST(a_message_is_a_sentence_and_its_facts_are_for_programs)
{
	const struct log_field *f = LOG_FIELDS(LOG_NUMBER("device", 3),
	                                       LOG_TEXT("name", "a \"b\""),
	                                       LOG_NUMBER("seconds", 0.25));
	json_t *j;

	log_with(LOG_LEVEL_WARN, f, "device %d is late", 3);
	ck_assert_ptr_nonnull(strstr(written(), "Z warn device 3 is late\n"));
	log_format_json(true);
	log_with(LOG_LEVEL_WARN, f, "device %d is late", 3);
	j = written_json();
	ck_assert_str_eq(string_of(j, "level"), "warn");
	ck_assert_str_eq(string_of(j, "message"), "device 3 is late");
	ck_assert_str_eq(string_of(j, "name"), "a \"b\"");
	ck_assert(json_integer_value(json_object_get(j, "device")) == 3);
	ck_assert(json_number_value(json_object_get(j, "seconds")) == 0.25);
	json_decref(j);
	log_info("plain");
	j = written_json();
	ck_assert_uint_eq(json_object_size(j), 3);
	json_decref(j);
}
END_TEST

START_TEST(a_record_tells_its_facts_in_both_forms)
{
	const struct log_field *said = LOG_FIELDS(LOG_TEXT("method", "GET"),
	                                          LOG_NUMBER("status", 200));
	const struct log_field *f = LOG_FIELDS(LOG_NUMBER("total_ms", 1.5),
	                                       LOG_TEXT("token", "a b"));
	json_t *j;

	log_record(LOG_LEVEL_INFO, said, f, "GET / 200");
	ck_assert_ptr_nonnull(strstr(written(), "Z info GET / 200 total_ms=1.5 "
	                             "token=\"a b\"\n"));
	log_format_json(true);
	log_record(LOG_LEVEL_INFO, said, f, "GET / 200");
	j = written_json();
	ck_assert_str_eq(string_of(j, "method"), "GET");
	ck_assert_str_eq(string_of(j, "token"), "a b");
	ck_assert(json_integer_value(json_object_get(j, "status")) == 200);
	json_decref(j);
}
END_TEST

/* A line's end, a quote, a control character, bytes that are no UTF-8, and a
 * character that is. */
static const char nasty[] = "x\n{\"level\":\"error\"}\r\x1b[2J\x7f\xff\xc3\xa9";

START_TEST(nobodys_words_forge_a_line)
{
	json_t *j;

	log_record(LOG_LEVEL_INFO, NULL, LOG_FIELDS(LOG_TEXT("path", nasty)),
	           "%s", nasty);
	written();
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	ck_assert_ptr_null(strpbrk(text, "\r\x1b\x7f"));
	log_format_json(true);
	log_record(LOG_LEVEL_INFO, NULL, LOG_FIELDS(LOG_TEXT("path", nasty)),
	           "%s", nasty);
	j = written_json();
	ck_assert_str_eq(string_of(j, "level"), "info");
	ck_assert_str_eq(string_of(j, "path"), "x\n{\"level\":\"error\"}\r\x1b"
	                 "[2J\x7f\xef\xbf\xbd\xc3\xa9");
	json_decref(j);
}
END_TEST

START_TEST(a_long_line_is_cut_and_stays_whole)
{
	static char lengthy[8000], quotes[8000];
	json_t *j;

	memset(lengthy, 'x', sizeof lengthy - 1);
	memset(quotes, '"', sizeof quotes - 1);
	for (int json = 0; json < 2; json++) {
		log_format_json(json);
		log_record(LOG_LEVEL_INFO, LOG_FIELDS(LOG_TEXT("a", quotes)),
		           LOG_FIELDS(LOG_TEXT("b", lengthy),
		                      LOG_TEXT("c", quotes)), "%s", quotes);
		ck_assert_uint_le(strlen(written()), 4096);
		ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
	}
	j = json_loads(text, 0, NULL);
	ck_assert_msg(j != NULL, "%s", text + strlen(text) - 80);
	json_decref(j);
}
END_TEST

START_TEST(lines_that_nobody_reads_are_dropped_and_counted)
{
	unsigned long lines = 0, told = 0;
	const char *at;

	for (int i = 0; i < 10000; i++)		/* does not block */
		log_info("line %d", i);
	for (at = written(); (at = strchr(at, '\n')); at++)
		lines++;
	ck_assert_uint_gt(lines, 100);
	ck_assert_uint_lt(lines, 10000);
	log_info("again");
	at = strstr(written(), "Z warn ");
	ck_assert_ptr_nonnull(at);
	ck_assert_int_eq(sscanf(at, "Z warn %lu lines", &told), 1);
	ck_assert_uint_eq(told, 10000 - lines);
	ck_assert_ptr_nonnull(strstr(text, "again"));
}
END_TEST

TCase *tcase_log(void)
{
	TCase *c = tcase_create("log");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_test(c,
	    a_message_is_a_sentence_and_its_facts_are_for_programs);
	tcase_add_test(c, a_record_tells_its_facts_in_both_forms);
	tcase_add_test(c, nobodys_words_forge_a_line);
	tcase_add_test(c, a_long_line_is_cut_and_stays_whole);
	tcase_add_test(c, lines_that_nobody_reads_are_dropped_and_counted);
	return c;
}
