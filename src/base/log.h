/* log.h - one line of text or JSON an event, on standard error.
 *
 * Called only from main, src/http and src/queue: what lies below reports by
 * struct err.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

void log_format_json(bool json);

void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
