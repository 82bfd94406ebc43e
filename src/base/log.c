/* log.c - see log.h. */
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/log.h"
#include "base/utf8.h"

enum {
	MESSAGE = 1024,
	LINE = 4096,		/* PIPE_BUF: a ready pipe takes it whole */
	TAIL = 8,		/* kept free for the line's closing bytes */
};

static atomic_bool as_json;
static atomic_ulong dropped;	/* lines, since the last that was written */

static const char *const levels[] = {
	[LOG_LEVEL_INFO] = "info", [LOG_LEVEL_WARN] = "warn",
	[LOG_LEVEL_ERROR] = "error",
};

struct line {
	size_t n;
	char bytes[LINE];
};

void log_format_json(bool json)
{
	atomic_store(&as_json, json);
}

/* Appends n bytes, or nothing and returns false if they do not fit. */
static bool put(struct line *l, const char *bytes, size_t n)
{
	if (l->n + n > LINE - TAIL)
		return false;
	memcpy(l->bytes + l->n, bytes, n);
	l->n += n;
	return true;
}

static void put_text(struct line *l, const char *s)
{
	put(l, s, strlen(s));
}

/* Appends the next character of *s. Control characters, quotes, backslashes and
 * invalid UTF-8 become JSON escapes. */
static bool put_escaped(struct line *l, const char **s)
{
	const unsigned char c = (unsigned char)**s;
	const size_t n = utf8_sequence(*s);
	char code[8];
	bool fits;

	if (c < 0x20 || c == 0x7f || c == '"' || c == '\\' || n == 0) {
		snprintf(code, sizeof code, n ? "\\u%04x" : "\\ufffd", c);
		fits = put(l, code, 6);
	} else {
		fits = put(l, *s, n);
	}
	*s += n ? n : 1;
	return fits;
}

static void put_string(struct line *l, const char *s)
{
	bool fits = put(l, "\"", 1);

	while (fits && *s)
		fits = put_escaped(l, &s);
	l->bytes[l->n++] = '"';		/* TAIL */
}

/* Appends text with control characters replaced by spaces. */
static void put_plain(struct line *l, const char *s)
{
	for (; *s; s++) {
		const unsigned char c = (unsigned char)*s;

		if (!put(l, c < 0x20 || c == 0x7f ? " " : s, 1))
			return;
	}
}

static void put_number(struct line *l, double x)
{
	char number[32];

	snprintf(number, sizeof number, "%.12g", x);
	put_text(l, number);
}

/* Is there room for the field's name with a number or an empty text? */
static bool has_room(const struct line *l, const struct log_field *f)
{
	return l->n + strlen(f->name) + 48 < LINE - TAIL;
}

static void put_fields_json(struct line *l, const struct log_field *f)
{
	for (; f && f->name && has_room(l, f); f++) {
		put_text(l, ",\"");
		put_text(l, f->name);
		put_text(l, "\":");
		if (f->text)
			put_string(l, f->text);
		else
			put_number(l, f->number);
	}
}

/* Appends name=value for each field; a text with spaces, quotes, '=' or
 * backslashes is quoted as in JSON. */
static void put_fields_text(struct line *l, const struct log_field *f)
{
	for (; f && f->name && has_room(l, f); f++) {
		put_text(l, " ");
		put_text(l, f->name);
		put_text(l, "=");
		if (!f->text)
			put_number(l, f->number);
		else if (f->text[strcspn(f->text, " \"=\\")])
			put_string(l, f->text);
		else
			put_plain(l, f->text);
	}
}

/* Writes the line; false if standard error would block. */
static bool write_line(struct line *l)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	l->bytes[l->n++] = '\n';		/* TAIL */
	if (poll(&p, 1, 0) == 0)
		return false;
	io_write_all(STDERR_FILENO, l->bytes, l->n);
	return true;
}

static void say(enum log_level level, const struct log_field *said,
                const struct log_field *fields, bool both,
                const char *message)
{
	struct line l;
	char when[CLOCK_TEXT];

	l.n = 0;
	clock_text(clock_wall_ms(), when);
	if (atomic_load(&as_json)) {
		put_text(&l, "{\"time\":\"");
		put_text(&l, when);
		put_text(&l, "\",\"level\":\"");
		put_text(&l, levels[level]);
		put_text(&l, "\",\"message\":");
		put_string(&l, message);
		put_fields_json(&l, said);
		put_fields_json(&l, fields);
		l.bytes[l.n++] = '}';		/* TAIL */
	} else {
		put_text(&l, when);
		put_text(&l, " ");
		put_text(&l, levels[level]);
		put_text(&l, " ");
		put_plain(&l, message);
		if (both)
			put_fields_text(&l, fields);
	}
	if (!write_line(&l))
		atomic_fetch_add(&dropped, 1);
}

/* Logs a line, after one that reports how many lines were dropped, if any. */
static void tell(enum log_level level, const struct log_field *said,
                 const struct log_field *fields, bool both, const char *fmt,
                 va_list ap)
{
	const unsigned long missing = atomic_exchange(&dropped, 0);
	char message[MESSAGE];

	if (missing) {
		snprintf(message, sizeof message, "%lu lines of this log were "
		         "dropped: nobody read it", missing);
		say(LOG_LEVEL_WARN, NULL, LOG_FIELDS(LOG_NUMBER("dropped",
		    missing)), false, message);
		if (atomic_load(&dropped))	/* the report, too */
			atomic_fetch_add(&dropped, missing - 1);
	}
	vsnprintf(message, sizeof message, fmt, ap);
	say(level, said, fields, both, message);
}

#define TELL(level, said, fields, both)                        \
	do {                                                   \
		va_list ap;                                    \
	                                                       \
		va_start(ap, fmt);                             \
		tell(level, said, fields, both, fmt, ap);      \
		va_end(ap);                                    \
	} while (0)

void log_info(const char *fmt, ...)
{
	TELL(LOG_LEVEL_INFO, NULL, NULL, false);
}

void log_warn(const char *fmt, ...)
{
	TELL(LOG_LEVEL_WARN, NULL, NULL, false);
}

void log_error(const char *fmt, ...)
{
	TELL(LOG_LEVEL_ERROR, NULL, NULL, false);
}

void log_with(enum log_level level, const struct log_field *fields,
              const char *fmt, ...)
{
	TELL(level, NULL, fields, false);
}

void log_record(enum log_level level, const struct log_field *said,
                const struct log_field *fields, const char *fmt, ...)
{
	TELL(level, said, fields, true);
}
