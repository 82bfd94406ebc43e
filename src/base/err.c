/* err.c - see err.h. */
#include <stdarg.h>
#include <stdio.h>

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
