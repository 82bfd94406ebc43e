/* log.h - writes one line of text or JSON per event to standard error.
 *
 *     2026-11-22T21:10:00.123Z info device 0 (pocl): worker 4711 is ready ...
 *     {"time":"...","level":"info","message":"device 0 ...","device":0,...}
 *
 * A message is a sentence for people; its fields hold the same facts for
 * programs and appear in the JSON form only. A record, such as a line of the
 * access log, consists of facts: its fields follow the message in both forms.
 * Control characters in quoted text are escaped or replaced, so that a client's
 * text cannot forge a line.
 *
 * A line is written at once or not at all: while the reader of standard error
 * is stalled, lines are dropped and counted, and the service goes on.
 *
 * Any thread may log. Only main, src/command, src/http, src/queue and
 * src/journal do; the folders below them report errors by struct err.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARN, LOG_LEVEL_ERROR };

/* A fact: a text or, if text is NULL, a number. { 0 } ends a list. */
struct log_field {
	const char *name, *text;
	double number;
};

#define LOG_FIELDS(...) ((const struct log_field[]){ __VA_ARGS__, { 0 } })
#define LOG_TEXT(name, text) { (name), (text), 0 }
#define LOG_NUMBER(name, number) { (name), NULL, (double)(number) }

void log_format_json(bool json);

void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Logs a message with its fields. */
void log_with(enum log_level level, const struct log_field *fields,
              const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Logs a record. The facts in `said` are already part of the message: they
 * appear in the JSON form only, before `fields`. Either may be NULL. */
void log_record(enum log_level level, const struct log_field *said,
                const struct log_field *fields, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
