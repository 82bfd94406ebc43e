/* text.h - a string that grows. { 0 } is a valid empty one.
 *
 * Sticky: when memory runs out, `failed` is set, what was appended so far
 * stays, and later calls do nothing; ask once, at the end.
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

/* Room for n more bytes; where they go, or NULL. text_grew() keeps them. */
char *text_reserve(struct text *t, size_t n);
void text_grew(struct text *t, size_t n);

void text_add(struct text *t, const void *bytes, size_t n);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Does s, which another process wrote, end within so many bytes and contain no
 * control characters? */
bool text_is_plain(const char *s, size_t room);

/* The bytes, now the caller's to free(); t is empty afterwards. */
char *text_take(struct text *t);

#endif
