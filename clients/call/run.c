/* run.c - makes one call (call.h), from GET /ops to the result. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/size.h"
#include "base/usage.h"
#include "clients/call/call.h"
#include "clients/call/follow.h"
#include "clients/call/operand.h"
#include "clients/call/output.h"
#include "clients/call/sheet.h"
#include "clients/call/show.h"
#include "clients/call/tell.h"

struct run {
	const struct call *call;
	struct http http;
	json_t *sheet;
	const json_t *op;
	curl_mime *form;
	struct output output;
	struct bar bar;
	int n_inputs;			/* operands from standard input */
	char job[64];
};

/* --- the ends of requests */

static void dismiss(struct run *r)
{
	char path[128];
	const struct http_request q = { .method = "DELETE", .path = path };
	struct http_reply reply;

	snprintf(path, sizeof path, "/jobs/%s", r->job);
	if (http_do(&r->http, &q, &reply) == HTTP_DONE && reply.status == 204)
		usage_complain("dismissed job %s", r->job);
	http_reply_fini(&reply);
}

/* Ends the process by the signal that it has received, so that its parent sees
 * this in its exit status. */
static int stop(struct run *r)
{
	const int number = http_heard();

	bar_end(&r->bar);
	output_end(&r->output, false);
	http_hear_again();
	if (r->job[0])
		dismiss(r);
	raise(number);
	return 128 + number;
}

static int tell_end(struct run *r, enum http_end end)
{
	bar_end(&r->bar);
	switch (end) {
	case HTTP_STOPPED:
		return stop(r);
	case HTTP_UNWRITTEN:
		usage_complain("%s: %s", r->output.path, strerror(errno));
		return STATUS_USAGE;
	default:
		return tell_lost(&r->http, r->call->url);
	}
}

/* --- checking the arguments, and making the form */

static int fetch_sheet(struct run *r)
{
	const struct http_request q = { .path = "/ops" };
	struct http_reply reply;
	const enum http_end end = http_do(&r->http, &q, &reply);
	int status = STATUS_OK;

	if (end != HTTP_DONE)
		status = tell_end(r, end);
	else if (reply.status != 200)
		status = tell_problem(&reply);
	else
		r->sheet = json_loads(reply.body.data ? reply.body.data : "",
		                      0, NULL);
	if (status == STATUS_OK && !json_object_get(r->sheet, "ops"))
		status = tell_stranger(r->call->url, q.path);
	http_reply_fini(&reply);
	return status;
}

static bool is_given(const void *arg, const char *name)
{
	const struct call *c = arg;
	const size_t n = strlen(name);

	for (int i = 0; i < c->n_words; i++)
		if (strncmp(c->words[i], name, n) == 0 &&
		    c->words[i][n] == '=')
			return true;
	return false;
}

static bool is_given_before(const struct call *c, int before,
                            const char *name)
{
	const struct call earlier = { .words = c->words, .n_words = before };

	return is_given(&earlier, name);
}

static int add_word(struct run *r, int i, struct err *e)
{
	const char *word = r->call->words[i], *equals = strchr(word, '=');
	enum sheet_kind kind;
	char name[64];

	if (!equals || equals == word ||
	    (size_t)(equals - word) >= sizeof name)
		return err_set(e, ERR_PARAMETER, "%.60s: must be NAME=VALUE",
		               word);
	snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
	if (sheet_kind_of(r->op, name, &kind, e))
		return -1;
	if (is_given_before(r->call, i, name))
		return err_set(e, ERR_PARAMETER, "%s is given twice", name);
	if (kind == SHEET_OPERAND && operand_is_input(equals + 1) &&
	    r->n_inputs++)
		return err_set(e, ERR_PARAMETER, "%s: only one operand can be "
		               "standard input", word);
	if (kind == SHEET_OPERAND)
		return operand_add(r->form, name, equals + 1, e);
	return sheet_check_value(r->op, name, equals + 1, e) ? -1 :
	       operand_add_parameter(r->form, name, equals + 1, e);
}

static int make_form(struct run *r, struct err *e)
{
	r->form = curl_mime_init(r->http.curl);
	if (!r->form)
		return err_set(e, ERR_MEMORY, "no memory for the form");
	for (int i = 0; i < r->call->n_words; i++)
		if (add_word(r, i, e))
			return -1;
	return 0;
}

static int check(struct run *r, struct err *e)
{
	r->op = sheet_find(r->sheet, r->call->op, e);
	if (!r->op || make_form(r, e))
		return -1;
	return sheet_check_operands(r->op, is_given, r->call, e);
}

/* --- the request */

/* Prints a reply in JSON as text for people. */
static int print_text(const char *bytes)
{
	json_t *answer = json_loads(bytes, 0, NULL);
	struct text t = { 0 };

	show_answer(&t, answer);
	fputs(t.data && !t.failed ? t.data : "", stdout);
	text_fini(&t);
	json_decref(answer);
	if (fflush(stdout) == 0)
		return STATUS_OK;
	usage_complain("standard output: %s", strerror(errno));
	return STATUS_USAGE;
}

static int finish(struct run *r, const struct http_reply *reply)
{
	bar_end(&r->bar);
	if (reply->status == 204) {
		usage_complain("every output is stored: none is left to write");
		return STATUS_OK;
	}
	if (reply->status != 200)
		return tell_problem(reply);
	if (!r->call->accept)
		return print_text(reply->body.data ? reply->body.data : "{}");
	if (output_end(&r->output, true) == 0)
		return STATUS_OK;
	usage_complain("%s: %s", r->output.path, strerror(errno));
	return STATUS_USAGE;
}

/* Sends the request and handles the reply: a result, a problem, or the job that
 * will compute the result. Returns the exit status, or -1 for a job, whose id
 * is in r->job. */
static int ask(struct run *r, const struct http_request *q)
{
	struct http_reply reply;
	enum http_end end = http_do(&r->http, q, &reply);
	int status = STATUS_OK;

	snprintf(r->job, sizeof r->job, "%.63s", reply.job);
	if (end != HTTP_DONE)
		status = tell_end(r, end);
	else if (reply.status != 202)
		status = finish(r, &reply);
	if (end == HTTP_DONE && reply.status == 202)
		status = -1;
	http_reply_fini(&reply);
	return status;
}

static int fetch_result(struct run *r, const struct http_request *of)
{
	char path[128];
	struct http_request q = *of;
	struct http_reply reply;
	const enum http_end end = follow(&r->http, r->job, &r->bar, &reply);

	http_reply_fini(&reply);
	if (end != HTTP_DONE)
		return tell_end(r, end);
	snprintf(path, sizeof path, "/jobs/%s/result", r->job);
	q.path = path;
	q.form = NULL;
	q.asynchronous = false;
	return ask(r, &q);
}

static int request(struct run *r)
{
	char path[80];
	struct http_request q = {
		.path = path, .form = r->form, .accept = r->call->accept,
		.asynchronous = !r->call->quiet && isatty(STDERR_FILENO),
		.sink = r->call->accept ? output_write : NULL,
		.arg = r->call->accept ? (void *)&r->output : NULL,
	};
	int status;

	if (q.asynchronous) {
		q.progress = bar_progress;
		q.bar = &r->bar;
	}
	snprintf(path, sizeof path, "/%.60s", r->call->op);
	r->bar = bar_begin();
	status = ask(r, &q);
	return status == -1 ? fetch_result(r, &q) : status;
}

static void print_timing(struct run *r)
{
	char path[128];
	const struct http_request q = { .path = path };
	struct http_reply reply;
	struct text t = { 0 };
	json_t *job;

	snprintf(path, sizeof path, "/jobs/%s", r->job);
	if (http_do(&r->http, &q, &reply) == HTTP_DONE && reply.body.data) {
		job = json_loads(reply.body.data, 0, NULL);
		show_timing(&t, job);
		fputs(t.data && !t.failed ? t.data : "", stderr);
		json_decref(job);
	}
	text_fini(&t);
	http_reply_fini(&reply);
}

static int print_op_help(const struct run *r)
{
	struct text t = { 0 };

	sheet_help(r->op, &t);
	fputs(t.data && !t.failed ? t.data : "", stdout);
	text_fini(&t);
	return STATUS_OK;
}

static int run(struct run *r, bool help)
{
	struct err e = { 0 };
	int status = fetch_sheet(r);

	if (status != STATUS_OK)
		return status;
	if (help) {
		r->op = sheet_find(r->sheet, r->call->op, &e);
		return r->op ? print_op_help(r) : usage_fail(&e);
	}
	if (check(r, &e))
		return usage_fail(&e);
	status = request(r);
	if (status == STATUS_OK && r->call->timing)
		print_timing(r);
	return status;
}

int call_run(const struct call *c, bool help)
{
	struct run r = {
		.call = c,
		.output = { .path = c->output ? c->output : "-" },
	};
	int status;

	http_hear_signals();
	if (http_open(&r.http, c->url, c->token)) {
		usage_complain("libcurl could not be set up");
		return STATUS_UNREACHED;
	}
	status = run(&r, help);
	output_end(&r.output, false);
	curl_mime_free(r.form);
	json_decref(r.sheet);
	http_close(&r.http);
	return status;
}
