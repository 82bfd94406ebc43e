/* text.c - see text.h. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"

void text_fini(struct text *t)
{
	free(t->data);
	*t = (struct text){ 0 };
}

void text_clear(struct text *t)
{
	t->length = 0;
	t->failed = false;
}

char *text_reserve(struct text *t, size_t n)
{
	size_t need, room;
	char *data;

	if (t->failed)
		return NULL;
	if (t->room - t->length > n)
		return t->data + t->length;
	if (!size_add(t->length, n, &need) || need >= SIZE_MAX / 2) {
		t->failed = true;
		return NULL;
	}
	room = size_max(need + 1, size_max(64, 2 * t->room));
	data = realloc(t->data, room);
	if (!data) {
		t->failed = true;
		return NULL;
	}
	t->data = data;
	t->room = room;
	return t->data + t->length;
}

void text_grew(struct text *t, size_t n)
{
	t->length += n;
	t->data[t->length] = 0;
}

void text_add(struct text *t, const void *bytes, size_t n)
{
	char *to = text_reserve(t, n);

	if (!to)
		return;
	if (n)
		memcpy(to, bytes, n);
	text_grew(t, n);
}

void text_puts(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !text_reserve(t, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(t->data + t->length, (size_t)n + 1, fmt, ap);
	va_end(ap);
	t->length += (size_t)n;
}

bool text_is_plain(const char *s, size_t room)
{
	for (size_t i = 0; i < room; i++) {
		const unsigned char c = (unsigned char)s[i];

		if (c == 0)
			return true;
		if (c < ' ' || c == 0x7f)
			return false;
	}
	return false;
}

char *text_take(struct text *t)
{
	char *data = t->data;

	*t = (struct text){ 0 };
	return data;
}
