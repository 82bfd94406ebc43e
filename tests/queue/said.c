/* said.c - the output of a child process arrives complete, as whole lines. */
#include <unistd.h>

#include "base/text.h"
#include "queue/said.h"
#include "tests/test.h"

static struct said s;
static struct text lines;
static int in;

static void keep(void *arg, const char *text)
{
	(void)arg;
	text_printf(&lines, "[%s]", text);
}

static void setup(void)
{
	struct err e = { 0 };

	in = said_open(&s, &e);
	ck_assert_msg(in >= 0, "%s", e.text);
	text_clear(&lines);
	text_puts(&lines, "");
}

static void print(const char *text)
{
	ck_assert_int_eq(write(in, text, strlen(text)), (int)strlen(text));
}

START_TEST(lines_come_whole_however_they_were_written)
{
	print("one\ntw");
	ck_assert(said_read(&s, keep, NULL));
	ck_assert_str_eq(lines.data, "[one]");
	print("o\n\n\r\nthree\r\nfour");
	ck_assert(said_read(&s, keep, NULL));
	ck_assert_str_eq(lines.data, "[one][two][three]");
	close(in);
	ck_assert(!said_read(&s, keep, NULL));
	said_close(&s, keep, NULL);
	ck_assert_str_eq(lines.data, "[one][two][three][four]");
	ck_assert_int_eq(s.fd, -1);
	said_close(&s, keep, NULL);
}
END_TEST

START_TEST(a_line_without_an_end_is_cut)
{
	char piece[SAID_LINE + 1];

	memset(piece, 'x', SAID_LINE);
	piece[SAID_LINE] = 0;
	print(piece);
	print("yz\n");
	said_read(&s, keep, NULL);
	ck_assert_uint_eq(lines.length, SAID_LINE + 2 + 4);
	ck_assert_str_eq(lines.data + SAID_LINE + 1, "][yz]");
	close(in);
	said_close(&s, keep, NULL);
}
END_TEST

TCase *tcase_said(void)
{
	TCase *c = tcase_create("said");

	tcase_add_checked_fixture(c, setup, NULL);
	tcase_add_test(c, lines_come_whole_however_they_were_written);
	tcase_add_test(c, a_line_without_an_end_is_cut);
	return c;
}
