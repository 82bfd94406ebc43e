/* log.c - see log.h. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/log.h"

enum { MESSAGE = 1024, LINE = 6 * MESSAGE + 128 };

static atomic_bool as_json;

void log_format_json(bool json)
{
	atomic_store(&as_json, json);
}

/* Quotes and control characters as JSON escapes: nobody's words may forge a
 * line of the log. */
static size_t escape(char *to, const char *from)
{
	char *at = to;

	for (; *from; from++) {
		const unsigned char c = (unsigned char)*from;

		if (c < 0x20 || c == 0x7f)
			at += sprintf(at, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			at += sprintf(at, "\\%c", c);
		else
			*at++ = *from;
	}
	*at = 0;
	return (size_t)(at - to);
}

static size_t plain(char *to, const char *from)
{
	char *at = to;

	for (; *from; from++) {
		const unsigned char c = (unsigned char)*from;

		*at++ = c < 0x20 || c == 0x7f ? ' ' : *from;
	}
	*at = 0;
	return (size_t)(at - to);
}

/* One write a line, so that lines of several processes do not mix. */
static void put(const char *level, const char *fmt, va_list ap)
{
	const bool json = atomic_load(&as_json);
	char message[MESSAGE], line[LINE], when[CLOCK_TEXT];
	size_t n;

	vsnprintf(message, sizeof message, fmt, ap);
	clock_text(clock_wall_ms(), when);
	n = (size_t)sprintf(line, json ? "{\"time\":\"%s\",\"level\":\"%s\","
	                                 "\"message\":\"" : "%s %s ",
	                    when, level);
	n += (json ? escape : plain)(line + n, message);
	n += (size_t)sprintf(line + n, json ? "\"}\n" : "\n");
	io_write_all(STDERR_FILENO, line, n);
}

#define LEVEL(name)                            \
	void log_##name(const char *fmt, ...)  \
	{                                      \
		va_list ap;                    \
	                                       \
		va_start(ap, fmt);             \
		put(#name, fmt, ap);           \
		va_end(ap);                    \
	}

LEVEL(info)
LEVEL(warn)
LEVEL(error)
