/* utf8.h - recognises UTF-8 characters. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* The length in bytes of the UTF-8 sequence that the NUL-terminated text begins
 * with; 0: it is not valid (RFC 3629). */
static inline size_t utf8_sequence(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	const size_t n = s[0] < 0x80 ? 1 :
	                 s[0] >= 0xc2 && s[0] < 0xe0 ? 2 :
	                 s[0] >= 0xe0 && s[0] < 0xf0 ? 3 :
	                 s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

#endif
