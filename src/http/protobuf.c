/* protobuf.c - see protobuf.h. */
#include <string.h>

#include "http/protobuf.h"

enum wire_type { VARINT = 0, FIXED64 = 1, LENGTH = 2 };

enum { VARINT_MOST = 10 };		/* bytes of a uint64_t */

static size_t write_varint(char *to, uint64_t n)
{
	size_t i = 0;

	for (; n >= 0x80; n >>= 7)
		to[i++] = (char)(n | 0x80);
	to[i++] = (char)n;
	return i;
}

void protobuf_varint(struct text *t, uint64_t n)
{
	char *to = text_reserve(t, VARINT_MOST);

	if (to)
		text_grew(t, write_varint(to, n));
}

static void put_tag(struct text *t, int field, enum wire_type type)
{
	protobuf_varint(t, (uint64_t)field << 3 | type);
}

void protobuf_uint(struct text *t, int field, uint64_t n)
{
	put_tag(t, field, VARINT);
	protobuf_varint(t, n);
}

uint64_t protobuf_zigzag(int64_t n)
{
	return (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0);
}

void protobuf_sint(struct text *t, int field, int64_t n)
{
	protobuf_uint(t, field, protobuf_zigzag(n));
}

/* A double's bytes stand in little-endian order. */
void protobuf_double(struct text *t, int field, double x)
{
	uint64_t bits;
	char bytes[sizeof bits];

	memcpy(&bits, &x, sizeof bits);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(bits >> 8 * i);
	put_tag(t, field, FIXED64);
	text_add(t, bytes, sizeof bytes);
}

void protobuf_string(struct text *t, int field, const char *s, size_t n)
{
	put_tag(t, field, LENGTH);
	protobuf_varint(t, n);
	text_add(t, s, n);
}

size_t protobuf_begin(struct text *t, int field)
{
	if (field)
		put_tag(t, field, LENGTH);
	return t->length;
}

void protobuf_end(struct text *t, size_t begin)
{
	const size_t n = t->length - begin;
	char length[VARINT_MOST];
	const size_t digits = write_varint(length, n);
	char *to = text_reserve(t, digits);

	if (!to)
		return;
	memmove(to - n + digits, to - n, n);
	memcpy(to - n, length, digits);
	text_grew(t, digits);
}
