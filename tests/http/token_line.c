/* token_line.c - a line of the token file says whose the token is and what it
 * allows; a wrong line is refused, and never quoted. */
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/token_line.h"
#include "tests/test.h"

static int read_line(const char *text, struct token *t, struct err *e)
{
	char line[512];

	*e = (struct err){ 0 };
	snprintf(line, sizeof line, "%s", text);
	return token_line(line, t, e);
}

static struct token line(const char *text)
{
	struct token t;
	struct err e;

	ck_assert_msg(read_line(text, &t, &e) == 1, "%s: %s", text, e.text);
	return t;
}

static struct tokens *load(const char *text, struct err *e)
{
	char path[] = "/tmp/linalgd-tokens-XXXXXX";
	const int fd = mkstemp(path);
	struct tokens *t;

	*e = (struct err){ 0 };
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	t = tokens_load(path, NULL, e);
	unlink(path);
	return t;
}

START_TEST(the_name_is_the_tenant_unless_one_is_given)
{
	ck_assert_str_eq(line("alpha").tenant_name, "");
	ck_assert_str_eq(line("alpha anna\n").tenant_name, "anna");
	ck_assert_str_eq(line("alpha anna # her").tenant_name, "anna");
	ck_assert_str_eq(line("alpha anna tenant=lab").tenant_name, "lab");
	ck_assert_str_eq(line("alpha anna tenant=lab").name, "anna");
	ck_assert_str_eq(line("alpha tenant=lab").name, "");
	ck_assert_str_eq(line("alpha #tenant=lab").tenant_name, "");
}
END_TEST

START_TEST(scopes_are_all_for_the_house_and_two_for_others)
{
	ck_assert_uint_eq(line("alpha").scopes, SCOPE_ALL);
	ck_assert_uint_eq(line("alpha anna").scopes, SCOPE_READ | SCOPE_RUN);
	ck_assert_uint_eq(line("alpha scopes=run").scopes, SCOPE_RUN);
	ck_assert_uint_eq(line("alpha anna scopes=admin,read").scopes,
	                  SCOPE_ADMIN | SCOPE_READ);
}
END_TEST

START_TEST(every_key_is_read)
{
	const struct token t = line("alpha anna running=2 queued=30 "
	    "stored=4G in-flight=512M device-seconds=3600 priority=3 "
	    "expires=2027-01-31T00:00:00Z weight=5");

	ck_assert_uint_eq(t.limits.running, 2);
	ck_assert_uint_eq(t.limits.queued, 30);
	ck_assert_uint_eq(t.limits.stored, UINT64_C(4) << 30);
	ck_assert_uint_eq(t.limits.in_flight, 512 << 20);
	ck_assert_uint_eq(t.limits.device_seconds, 3600);
	ck_assert_int_eq(t.limits.urgency, 3);
	ck_assert_uint_eq(t.limits.weight, 5);
	ck_assert_int_eq(t.expires_ms, INT64_C(1801353600000));
	ck_assert_int_eq(line("alpha").expires_ms, INT64_MAX);
	ck_assert_uint_eq(line("alpha stored=7").limits.stored, 7);
}
END_TEST

START_TEST(a_digest_opens_what_the_token_opens)
{
	/* echo -n alpha | sha256sum */
	static const char hash[] = "8ed3f6ad685b959ead7022518e1af76c"
	                           "d816f8e8ec7ccdda1ed4018e8f2223f8";
	char text[200];
	struct err e;
	struct tokens *t;

	snprintf(text, sizeof text, "sha256:%s anna\n", hash);
	t = load(text, &e);
	ck_assert_msg(t != NULL, "%s", e.text);
	ck_assert_str_eq(tokens_find(t, "Bearer alpha")->name, "anna");
	snprintf(text, sizeof text, "Bearer sha256:%s", hash);
	ck_assert_ptr_null(tokens_find(t, text));
	snprintf(text, sizeof text, "Bearer %s", hash);
	ck_assert_ptr_null(tokens_find(t, text));
	tokens_free(t);
}
END_TEST

START_TEST(wrong_lines_are_refused_and_not_quoted)
{
	static const char *const wrong[] = {
		"SECRET anna SECRET", "SECRET SECRET=1", "SECRET tenant=",
		"SECRET tenant=SECRET/", "SECRET tenant=.SECRET",
		"SECRET anna/SECRET", "SECRET scopes=", "SECRET scopes=read,",
		"SECRET scopes=SECRET", "SECRET scopes=read,,run",
		"SECRET expires=SECRET", "SECRET expires=2027-02-30T00:00:00Z",
		"SECRET expires=2027-01-31", "SECRET running=0",
		"SECRET running=-1", "SECRET queued=1K", "SECRET queued=",
		"SECRET stored=4GB", "SECRET stored=0",
		"SECRET stored=99999999999999T", "SECRET in-flight=x",
		"SECRET device-seconds=1.5", "SECRET priority=10",
		"SECRET weight=0", "SECRET weight=1001", "SECRET weight=1x",
		"SECRET priority=", "SECRET running=1 running=1",
		"SECRET tenant=a anna", "sha256:SECRET", "sha256:",
		"sha256:8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1e",
		"SECRET aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	struct token t;
	struct err e;

	for (size_t i = 0; i < COUNT(wrong); i++) {
		ck_assert_msg(read_line(wrong[i], &t, &e) < 0, "%s", wrong[i]);
		ck_assert_int_eq(e.code, ERR_REQUEST);
		ck_assert_msg(!strstr(e.text, "SECRET"), "%s", e.text);
	}
	ck_assert_int_eq(read_line("# SECRET", &t, &e), 0);
	ck_assert_int_eq(read_line("   \r\n", &t, &e), 0);
}
END_TEST

START_TEST(a_wrong_file_names_the_line)
{
	struct err e;

	ck_assert_ptr_null(load("alpha anna\n# staff\n\nbeta running=x\n",
	                        &e));
	ck_assert_ptr_nonnull(strstr(e.text, "line 4: running wants"));
	ck_assert_ptr_null(load("alpha anna\nbeta ben\nalpha\n", &e));
	ck_assert_ptr_nonnull(strstr(e.text, "line 3: the same token"));
	ck_assert_ptr_null(load("alpha anna running=2\n"
	                        "beta ben tenant=anna running=3\n", &e));
	ck_assert_ptr_nonnull(strstr(e.text, "line 2: another line gives"));
}
END_TEST

START_TEST(tenants_get_the_limits_of_their_tokens)
{
	struct err e;
	struct tenants *all = tenants_new(&e);
	struct tokens *t = load("alpha anna running=2\n"
	                        "beta ben tenant=anna queued=5 running=2\n"
	                        "gamma\n", &e);
	struct tenant *anna;

	ck_assert_msg(t && tokens_grant(t, all, &e) == 0, "%s", e.text);
	anna = tenants_get(all, "anna", &e);
	ck_assert_ptr_eq(tokens_find(t, "Bearer alpha")->tenant, anna);
	ck_assert_ptr_eq(tokens_find(t, "Bearer beta")->tenant, anna);
	ck_assert_str_eq(tokens_find(t, "Bearer gamma")->tenant->name, "");
	ck_assert_uint_eq(anna->limits.running, 2);
	ck_assert_uint_eq(anna->limits.queued, 5);
	tokens_free(t);
	t = load("delta dora stored=1K\n", &e);
	ck_assert_int_eq(tokens_grant(t, all, &e), 0);
	ck_assert_uint_eq(anna->limits.running, 0);
	ck_assert_uint_eq(tenants_get(all, "dora", &e)->limits.stored, 1024);
	tokens_free(t);
	tenants_free(all);
}
END_TEST

START_TEST(scopes_have_names)
{
	char text[SCOPES_TEXT];

	ck_assert_str_eq(scopes_text(SCOPE_ALL, text), "read,run,admin");
	ck_assert_str_eq(scopes_text(SCOPE_RUN, text), "run");
	ck_assert_str_eq(scopes_text(SCOPE_NONE, text), "");
	ck_assert_uint_eq(scope_find("admin", 5), SCOPE_ADMIN);
	ck_assert_uint_eq(scope_find("adm", 3), SCOPE_NONE);
}
END_TEST

TCase *tcase_http_token_line(void)
{
	TCase *t = tcase_create("http_token_line");

	tcase_add_test(t, the_name_is_the_tenant_unless_one_is_given);
	tcase_add_test(t, scopes_are_all_for_the_house_and_two_for_others);
	tcase_add_test(t, every_key_is_read);
	tcase_add_test(t, a_digest_opens_what_the_token_opens);
	tcase_add_test(t, wrong_lines_are_refused_and_not_quoted);
	tcase_add_test(t, a_wrong_file_names_the_line);
	tcase_add_test(t, tenants_get_the_limits_of_their_tokens);
	tcase_add_test(t, scopes_have_names);
	return t;
}
