/* base64.h - base64 (RFC 4648, section 4) decoded as it arrives. */
#ifndef FORMAT_BASE64_H
#define FORMAT_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a decoder. { 0 } is the beginning. */
struct base64 {
	uint32_t bits;		/* of the characters not yet written */
	int n;			/* number of these characters, 0 to 3 */
	int padding;
};

/* The most bytes that n more characters may decode to. */
static inline size_t base64_room(size_t n)
{
	return n / 4 * 3 + 3;
}

/* Decodes n characters; returns the number of bytes written to `to`, or -1 if
 * the text is not base64. */
long base64_feed(struct base64 *b, const char *text, size_t n, uint8_t *to);

/* Was the text complete, its padding right and its spare bits 0? */
bool base64_whole(const struct base64 *b);

#endif
