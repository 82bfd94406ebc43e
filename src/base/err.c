/* err.c - see err.h. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/err_help.h"

static const struct {
	int status;
	const char *slug, *title;
} table[] = {
#define X(code, status, slug, title) [code] = { status, slug, title },
	ERR_CODES(X)
#undef X
};

static const struct {
	const char *meaning, *remedy;
} help[] = {
#define X(code, meaning, remedy) [code] = { meaning, remedy },
	ERR_HELP(X)
#undef X
};

enum {
	ROWS = 0
#define X(code, meaning, remedy) + 1
	ERR_HELP(X)
#undef X
};
_Static_assert((int)ROWS == (int)ERR_COUNT &&
               sizeof help / sizeof help[0] == ERR_COUNT,
               "every kind of error is explained in err_help.h, once");

/* A message may quote bytes of a client that are not printable text. */
static void keep_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

static void record(struct err *e, enum err_code code, const char *pointer,
                   const char *fmt, va_list ap)
{
	e->code = code;
	snprintf(e->pointer, sizeof e->pointer, "%s", pointer);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	keep_printable(e->pointer);
	keep_printable(e->text);
}

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (e->code != ERR_NONE)
		return -1;
	va_start(ap, fmt);
	record(e, code, "", fmt, ap);
	va_end(ap);
	return -1;
}

int err_set_at(struct err *e, enum err_code code, const char *pointer,
               const char *fmt, ...)
{
	va_list ap;

	if (e->code != ERR_NONE)
		return -1;
	va_start(ap, fmt);
	record(e, code, pointer, fmt, ap);
	va_end(ap);
	return -1;
}

/* Is the character one of a fragment (RFC 3986, 3.5)? */
static bool is_fragment(char c)
{
	static const char marks[] = "-._!$&'()*+,;=:@?";

	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || (c && strchr(marks, c));
}

/* The last character of a pointer to an enclosing member, where the pointer to
 * the member itself has no room. Other pointers hold no space, because the
 * fragment of a URI does not. */
static const char early = ' ';

static bool is_early(const char *pointer)
{
	const size_t n = strlen(pointer);

	return n && pointer[0] != '?' && pointer[n - 1] == early;
}

/* The most characters of a pointer, so that there is room for `early`. */
enum { POINTER_MOST = ERR_POINTER - 2 };

/* Shortens a pointer that is longer than that to its enclosing member. */
static void end_early(char pointer[ERR_POINTER])
{
	char *last;

	pointer[POINTER_MOST + 1] = 0;
	last = strrchr(pointer, '/');
	last[0] = early;
	last[1] = 0;
}

const char *err_pointer(char text[ERR_POINTER], const char *parent,
                        const char *name)
{
	char own[ERR_POINTER], one[4];
	size_t at;

	snprintf(own, sizeof own, is_early(parent) ? "%s" : "%s/", parent);
	at = strlen(own);
	for (; *name && !is_early(parent) && at <= POINTER_MOST; name++) {
		if (*name == '~' || *name == '/')
			snprintf(one, sizeof one, "~%d", *name == '/');
		else
			snprintf(one, sizeof one, is_fragment(*name) ? "%c" :
			         "%%%02X", (unsigned char)*name);
		at += (size_t)snprintf(own + at, sizeof own - at, "%s", one);
	}
	if (at > POINTER_MOST && !is_early(parent))
		end_early(own);
	return strcpy(text, own);
}

int err_point(struct err *e, const char *parent, const char *name)
{
	err_pointer(e->pointer, parent, name);
	return -1;
}

void err_within(struct err *e, const char *parent)
{
	char own[ERR_POINTER];
	const bool into = !is_early(parent) && e->pointer[0] != '?';
	const int n = snprintf(own, sizeof own, "%s%s", parent,
	                       into ? e->pointer : "");

	if (n > POINTER_MOST && !is_early(own))
		end_early(own);
	strcpy(e->pointer, own);
}

int err_pointer_length(const struct err *e)
{
	return (int)strlen(e->pointer) - is_early(e->pointer);
}

int err_status(enum err_code code)
{
	return table[code].status;
}

const char *err_slug(enum err_code code)
{
	return table[code].slug;
}

const char *err_title(enum err_code code)
{
	return table[code].title;
}

const char *err_meaning(enum err_code code)
{
	return help[code].meaning;
}

const char *err_remedy(enum err_code code)
{
	return help[code].remedy;
}
