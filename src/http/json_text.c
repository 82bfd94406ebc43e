/* json_text.c - see json_text.h. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "format/json_memory.h"
#include "http/json_text.h"

/* Appends the next character of *s, or U+FFFD if it is not valid UTF-8. */
static void add_character(struct text *t, const char **s)
{
	const size_t n = utf8_sequence(*s);

	if (n)
		text_add(t, *s, n);
	else
		text_puts(t, "\xef\xbf\xbd");
	*s += n ? n : 1;
}

json_t *json_text_string(const char *s)
{
	struct text t = { 0 };
	json_t *j;

	while (*s)
		add_character(&t, &s);
	j = t.failed ? NULL : json_string_nocheck(t.data ? t.data : "");
	if (t.failed)
		json_memory_lost();
	text_fini(&t);
	return j;
}

void json_text_put_name(struct text *t, const char *name)
{
	if (!t->length || t->data[t->length - 1] != '{')
		text_add(t, ",", 1);
	text_add(t, "\"", 1);
	text_puts(t, name);
	text_add(t, "\":", 2);
}

static bool is_plain(char c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

void json_text_put_string(struct text *t, const char *s)
{
	text_add(t, "\"", 1);
	while (*s) {
		size_t n = 0;

		while (is_plain(s[n]))
			n++;
		text_add(t, s, n);
		s += n;
		if (*s == '"' || *s == '\\' || (*s > 0 && *s < ' '))
			text_printf(t, "\\u%04x", (unsigned)*s++);
		else if (*s)
			add_character(t, &s);
	}
	text_add(t, "\"", 1);
}

void json_text_put_number(struct text *t, double x)
{
	char *to = text_reserve(t, NUMBER_TEXT);

	if (to)
		text_grew(t, x == floor(x) || fabs(x) > FLT_MAX ||
		          fabs(x) < FLT_MIN ?
		          number_print_double(to, x) :
		          number_print_float(to, (float)x));
}

static int append(const char *bytes, size_t n, void *arg)
{
	struct text *t = arg;

	text_add(t, bytes, n);
	return t->failed ? -1 : 0;
}

void json_text_print(struct text *t, json_t *j)
{
	if (!j || json_dump_callback(j, append, t, JSON_COMPACT |
	                             JSON_ENCODE_ANY | JSON_REAL_PRECISION(6)))
		t->failed = true;
	if (json_memory_failed())
		t->failed = true;	/* a member may be missing */
	json_decref(j);
}

json_t *json_text_problem(const struct err *e, const char *instance)
{
	const bool in_query = e->pointer[0] == '?';
	json_t *p = json_object(), *errors;
	char pointer[sizeof e->pointer + 1];

	json_object_set_new(p, "type", json_sprintf("/problems/%s",
	                                            err_slug(e->code)));
	json_object_set_new(p, "title", json_string(err_title(e->code)));
	json_object_set_new(p, "status", json_integer(err_status(e->code)));
	json_object_set_new(p, "detail", json_text_string(e->text));
	if (instance)
		json_object_set_new(p, "instance", json_string(instance));
	if (!e->pointer[0])
		return p;
	snprintf(pointer, sizeof pointer, "%s%.*s", in_query ? "" : "#",
	         err_pointer_length(e) - in_query, e->pointer + in_query);
	errors = json_pack("[{s:o, s:o}]",
	                   "detail", json_text_string(e->text),
	                   in_query ? "parameter" : "pointer",
	                   json_text_string(pointer));
	json_object_set_new(p, "errors", errors);
	return p;
}
