/* protobuf.h - writes Protocol Buffers' wire format
 * (https://protobuf.dev/programming-guides/encoding/): a message is a sequence
 * of fields, each a tag, field * 8 + wire type, and a value.
 *
 * A message within another one stands between protobuf_begin() and
 * protobuf_end(), which nest.
 */
#ifndef HTTP_PROTOBUF_H
#define HTTP_PROTOBUF_H

#include <stdint.h>

#include "base/text.h"

/* Appends n without a tag: 7 bits in a byte, the lowest first. */
void protobuf_varint(struct text *t, uint64_t n);

/* Append a field: uint32 or uint64; sint32 or sint64; double; string. */
void protobuf_uint(struct text *t, int field, uint64_t n);
void protobuf_sint(struct text *t, int field, int64_t n);
void protobuf_double(struct text *t, int field, double x);
void protobuf_string(struct text *t, int field, const char *s, size_t n);

/* The value of a sint64 as a varint: 0, -1, 1, -2 ... become 0, 1, 2, 3 ... */
uint64_t protobuf_zigzag(int64_t n);

/* Appends the tag of a field that holds a message or packed numbers, and
 * returns where these begin, for protobuf_end(), which inserts their length.
 * Field 0 has no tag: it makes a delimited message. */
size_t protobuf_begin(struct text *t, int field);
void protobuf_end(struct text *t, size_t begin);

#endif
