/* job_record_broken.c - records that were cut off or changed: what cannot be
 * understood is an error, and whatever job comes of it can be looked at. */
#include <stdio.h>

#include "base/size.h"
#include "http/job_text.h"
#include "queue/tenant.h"
#include "tests/queue/record_room.h"

enum { MUTATIONS = 6000 };

static struct job *whole;		/* whose record is broken */
static char *request, *answer;
static uint64_t seed;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void setup(void)
{
	record_open();
	seed = 88172645463325252;
}

static void make(bool pipeline)
{
	struct err e = { 0 };

	whole = pipeline ? record_pipeline() :
	                   record_stack(op_find("lu"), FLOAT64);
	whole->tenant = tenants_get(record.tenants, "t", &e);
	whole->keeping = keep_new(record.store, whole->tenant, NULL, &e);
	ck_ok(keep_parse(whole->keeping, whole->args.op,
	                 pipeline ? "c:x" : "pivots:x,lu:y", &e), &e);
	if (!pipeline)
		ck_ok(record_prepare(whole, &e), &e);
	record_fill(whole);
	whole->keeping->done = true;
	request = record_request_of(whole, 5);
	answer = record_answer_of(whole);
}

static void teardown(void)
{
	job_unref(whole);
	free(request);
	free(answer);
	record_close();
}

/* Whatever was read of the record, a client may ask for the job. */
static void look_at(struct job *j, const struct err *e)
{
	struct text t = { 0 };

	if (!j) {
		ck_assert_int_ne(e->code, ERR_NONE);
		return;
	}
	ck_assert(e->code == ERR_NONE || e->text[0]);
	j->err = *e;
	j->state = e->code ? JOB_FAILED : JOB_SUCCESSFUL;
	job_text_stored(&t, j);
	job_text_quality(&t, j);
	j->parts_on = 0;
	job_text_timing(&t, NULL, j);
	for (size_t i = 0; !e->code && i < j->args.failures; i++)
		job_text_failure(&t, j, i);
	text_fini(&t);
	job_unref(j);
}

static void try_request(const char *text)
{
	struct err e = { 0 };
	struct job *j = record_ask_again(whole, text, &e);

	look_at(j, &e);
}

static void try_answer(const char *text)
{
	struct err e = { 0 };
	struct job *j = record_answer_again(whole, request, text, &e);

	ck_assert_ptr_nonnull(j);
	look_at(j, &e);
}

/* Calls fn with every beginning of the text. */
static void truncate_all(const char *text, void (*fn)(const char *text))
{
	char *copy = strdup(text);

	for (size_t n = strlen(text); n-- > 0;) {
		copy[n] = 0;
		fn(copy);
	}
	free(copy);
}

/* What stands in place of a number or a word. */
static const char *const odd[] = {
	"", "-1", "0", "1", "31", "32", "64", "255", "1e999", "nan",
	"2147483648", "4294967296", "4611686018427387905",
	"9223372036854775807", "-9223372036854775808",
	"18446744073709551615", "x", "%n%s", "float16", "matmul", "lu",
};

/* A text in which one word is another, or a line is missing or there twice, or
 * a byte is another; free()d by the caller. */
static char *mutate(const char *text)
{
	const size_t n = strlen(text), at = next_random() % n;
	const char *from = text + at, *end, *put = "";
	char byte[2] = { 0 };
	struct text t = { 0 };

	switch (next_random() % 4) {
	case 0:						/* a word */
		while (from > text && from[-1] != ' ' && from[-1] != '\n')
			from--;
		end = from + strcspn(from, " \n");
		put = odd[next_random() % COUNT(odd)];
		break;
	case 1:						/* no line */
	case 2:						/* a line twice */
		while (from > text && from[-1] != '\n')
			from--;
		end = strchr(from, '\n');
		end = end ? end + 1 : text + n;
		break;
	default:					/* a byte */
		end = from + 1;
		byte[0] = (char)(1 + next_random() % 255);
		put = byte;
		break;
	}
	text_add(&t, text, (size_t)(from - text));
	if (put[0] == 0 && next_random() % 2) {
		text_add(&t, from, (size_t)(end - from));
		text_add(&t, from, (size_t)(end - from));
	}
	text_puts(&t, put);
	text_puts(&t, end);
	return text_take(&t);
}

static void mutate_many(const char *text, void (*fn)(const char *text))
{
	for (int i = 0; i < MUTATIONS; i++) {
		char *once = mutate(text);
		char *twice = mutate(*once ? once : "op lu\n");

		fn(once);
		fn(twice);
		free(once);
		free(twice);
	}
}

START_TEST(every_truncation_is_survived)
{
	make(_i);
	truncate_all(request, try_request);
	truncate_all(answer, try_answer);
}
END_TEST

START_TEST(changes_are_survived)
{
	make(_i);
	mutate_many(request, try_request);
	mutate_many(answer, try_answer);
}
END_TEST

static void refused(const char *before, const char *line)
{
	char text[600];
	struct err e = { 0 };
	struct job *j;

	snprintf(text, sizeof text, "%s%s\n", before, line);
	j = record_read_request(text, &record.room, &e);
	ck_assert_msg(e.code == ERR_FORMAT, "%s: %s", line, e.text);
	look_at(j, &e);
}

START_TEST(what_cannot_be_is_refused)
{
	static const char *const lines[] = {
		"op lu", "op nothing", "nothing", "priority 10", "priority -1",
		"timing often", "dtype float65", "quality good",
		"variant nothing", "want c nothing", "param nothing 1",
		"param transpose_a", "param transpose_a x", "fingerprint 00",
		"deadline 1", "deadline 9223372036854775807 0", "created -1",
		"store 10 0 0 a", "store -1 0 0 a",
		"store 1 0 0 a", "store 0 0 0 .a", "steps 0", "steps 33",
		"step a lu 0 0 0", "from 0 0 0", "operand 0", "return 0 0 a",
	};

	make(false);
	for (size_t i = 0; i < COUNT(lines); i++)
		refused("op matmul\n", lines[i]);
	refused("", "");
	refused("", "priority 5");
	refused("op pipeline\n", "priority 5");
	refused("op pipeline\nsteps 2\nstep a lu 0 0 0\n", "want lu");
	refused("op pipeline\nsteps 1\n", "return 0 0 a");
	refused("op pipeline\nsteps 1\nstep a lu 0 0 0\n", "operand 4");
	refused("op pipeline\nsteps 1\nstep a lu 0 0 0\n", "operand 1");
	refused("op pipeline\nsteps 1\nstep a lu 0 0 0\n", "from 0 0 0");
}
END_TEST

/* A number of failures that is not that of the list's matrices. */
START_TEST(a_list_of_failures_that_cannot_be_is_refused)
{
	static const char *const results[] = {
		"result 0 0 3 4", "result 0 0 3 3", "result 0 0 4 2",
		"result 0 0 4611686018427387907 2",
		"result 0 0 18446744073709551615 1",
	};

	make(false);
	for (size_t i = 0; i < COUNT(results); i++) {
		struct err e = { 0 };
		struct job *j = record_answer_again(whole, request, results[i],
		                                    &e);

		ck_assert_msg(e.code == ERR_FORMAT, "%s", results[i]);
		look_at(j, &e);
	}
}
END_TEST

TCase *tcase_job_record_broken(void)
{
	TCase *c = tcase_create("job_record_broken");

	tcase_add_checked_fixture(c, setup, teardown);
	tcase_add_loop_test(c, every_truncation_is_survived, 0, 2);
	tcase_add_loop_test(c, changes_are_survived, 0, 2);
	tcase_add_test(c, what_cannot_be_is_refused);
	tcase_add_test(c, a_list_of_failures_that_cannot_be_is_refused);
	return c;
}
