/* problems.c - GET /problems and /problems/{name}: what each kind of error
 * means and what to do about it, as JSON or as a page for people. The `type` of
 * every problem document is such a path. */
#include <string.h>

#include "base/nearest.h"
#include "base/size.h"
#include "http/accept.h"
#include "http/json_text.h"
#include "http/service.h"

static const char *const types[] = {
	"application/json", "text/html; charset=utf-8", NULL
};

enum { AS_JSON, AS_HTML };

static const char *const media_types[] = {
	[AS_JSON] = "application/json", [AS_HTML] = "text/html", NULL
};

static json_t *row_of(enum err_code code)
{
	return json_pack("{s:o, s:s, s:i, s:s, s:s}",
	    "type", json_sprintf("/problems/%s", err_slug(code)),
	    "title", err_title(code), "status", err_status(code),
	    "meaning", err_meaning(code), "remedy", err_remedy(code));
}

/* --- HTML */

static void put_escaped(struct text *t, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '<': text_puts(t, "&lt;"); break;
		case '>': text_puts(t, "&gt;"); break;
		case '&': text_puts(t, "&amp;"); break;
		default: text_add(t, s, 1);
		}
}

static void put_element(struct text *t, const char *element, const char *s)
{
	text_printf(t, "<%s>", element);
	put_escaped(t, s);
	text_printf(t, "</%s>\n", element);
}

static void put_head(struct text *t, const char *title)
{
	text_puts(t, "<!DOCTYPE html>\n<html lang=\"en\">\n"
	             "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
	             "content=\"width=device-width\">\n");
	put_element(t, "title", title);
	text_puts(t, "<style>body { max-width: 42em; margin: 2em auto; "
	             "padding: 0 1em; font-family: sans-serif; "
	             "line-height: 1.5 }</style>\n");
	put_element(t, "h1", title);
}

static void put_problem(struct text *t, enum err_code code)
{
	put_head(t, err_title(code));
	text_printf(t, "<p>Status %d, type <code>/problems/%s</code></p>\n",
	            err_status(code), err_slug(code));
	put_element(t, "p", err_meaning(code));
	put_element(t, "p", err_remedy(code));
	text_puts(t, "<p><a href=\"/problems\">All kinds of errors</a></p>\n");
}

static void put_list(struct text *t)
{
	put_head(t, "Kinds of errors");
	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		text_printf(t, "<p>%d <a href=\"/problems/%s\">",
		            err_status(code), err_slug(code));
		put_escaped(t, err_title(code));
		text_puts(t, "</a></p>\n");
	}
}

/* --- the handlers */

/* Chooses JSON or HTML by Accept; -1 with ERR_ACCEPT. */
static int choose(const struct exchange *x, struct err *e)
{
	const int type = accept_choose(exchange_accept(x), media_types);

	if (type < 0)
		err_set(e, ERR_ACCEPT, "problems are explained as "
		        "application/json or text/html");
	return type;
}

static int send_list(struct exchange *x, void *state, struct err *e)
{
	const int type = choose(x, e);
	struct text t = { 0 };
	json_t *rows;

	(void)state;
	if (type < 0 || exchange_query(x, refuse_argument, NULL, e))
		return -1;
	if (type == AS_HTML) {
		put_list(&t);
	} else {
		rows = json_array();
		for (int code = ERR_NONE + 1; code < ERR_COUNT; code++)
			json_array_append_new(rows, row_of(code));
		json_text_print(&t, json_pack("{s:o}", "problems", rows));
	}
	exchange_reply_text(x, 200, types[type], &t);
	return 0;
}

static int find(const char *name, struct err *e)
{
	struct nearest near = nearest_to(name);

	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		if (strcmp(err_slug(code), name) == 0)
			return code;
		nearest_try(&near, err_slug(code));
	}
	return err_set(e, ERR_NOT_FOUND, "there is no problem %.60s%s GET "
	               "/problems lists them", name, nearest_hint_and(&near));
}

static int send_problem(struct exchange *x, void *state, struct err *e)
{
	const int type = choose(x, e);
	struct text t = { 0 };
	int code;

	(void)state;
	if (type < 0 || exchange_query(x, refuse_argument, NULL, e))
		return -1;
	code = find(exchange_segment(x, 0), e);
	if (code < 0)
		return -1;
	if (type == AS_HTML)
		put_problem(&t, (enum err_code)code);
	else
		json_text_print(&t, row_of((enum err_code)code));
	exchange_reply_text(x, 200, types[type], &t);
	return 0;
}

const struct handler problem_list_handler = { .done = send_list };
const struct handler problem_handler = { .done = send_problem };
