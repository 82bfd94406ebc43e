/* text.h - a string that grows. { 0 } is a valid empty one.
 *
 * Failure is sticky: when memory runs out, `failed` is set, what was appended
 * so far stays, and later calls do nothing, so that the caller checks `failed`
 * once, at the end.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *data;		/* NUL-terminated once anything was added */
	size_t length, room;
	bool failed;
};

void text_fini(struct text *t);
void text_clear(struct text *t);

/* Makes room for n more bytes and returns where they go, or NULL without
 * memory. text_grew() adds the n bytes that the caller wrote there. */
char *text_reserve(struct text *t, size_t n);
void text_grew(struct text *t, size_t n);

void text_add(struct text *t, const void *bytes, size_t n);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Is s, which another process wrote, NUL-terminated within `room` bytes and
 * free of control characters? */
bool text_is_plain(const char *s, size_t room);

/* Returns the bytes, which the caller must free(); t is empty afterwards. */
char *text_take(struct text *t);

#endif
