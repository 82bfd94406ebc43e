/* base64.c - see base64.h. */
#include "format/base64.h"

/* A character's value plus 1; 0: it is not in the alphabet. */
static const uint8_t values[256] = {
	['A'] = 1, ['B'] = 2, ['C'] = 3, ['D'] = 4, ['E'] = 5, ['F'] = 6,
	['G'] = 7, ['H'] = 8, ['I'] = 9, ['J'] = 10, ['K'] = 11, ['L'] = 12,
	['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16, ['Q'] = 17,
	['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22,
	['W'] = 23, ['X'] = 24, ['Y'] = 25, ['Z'] = 26, ['a'] = 27,
	['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
	['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37,
	['l'] = 38, ['m'] = 39, ['n'] = 40, ['o'] = 41, ['p'] = 42,
	['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47,
	['v'] = 48, ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52,
	['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56, ['4'] = 57,
	['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62,
	['+'] = 63, ['/'] = 64,
};

/* Writes the 1 or 2 bytes of a last, padded group of 2 or 3 characters. */
static long pad(struct base64 *b, uint8_t *to)
{
	static const int bytes[] = { -1, -1, 1, 2 };

	if (b->padding++) {
		b->n++;
		return b->n == 4 ? 0 : -1;
	}
	if (bytes[b->n] < 0 || b->bits & ((1u << 2 * (4 - b->n)) - 1))
		return -1;
	b->bits <<= 6 * (4 - b->n);
	to[0] = (uint8_t)(b->bits >> 16);
	if (b->n == 3)
		to[1] = (uint8_t)(b->bits >> 8);
	return bytes[b->n++];
}

static long put(struct base64 *b, unsigned char c, uint8_t *to)
{
	unsigned v = values[c];

	if (c == '=')
		return pad(b, to);
	if (v == 0 || b->padding)
		return -1;
	b->bits = b->bits << 6 | (v - 1);
	if (++b->n < 4)
		return 0;
	to[0] = (uint8_t)(b->bits >> 16);
	to[1] = (uint8_t)(b->bits >> 8);
	to[2] = (uint8_t)b->bits;
	b->n = 0;
	b->bits = 0;
	return 3;
}

/* Decodes whole groups of 4 characters up to the first group that has any other
 * character; returns how many characters were decoded. */
static size_t groups(const unsigned char *text, size_t n, uint8_t *to)
{
	size_t i;

	for (i = 0; i + 4 <= n; i += 4, to += 3) {
		uint32_t v[4], bits;

		for (int k = 0; k < 4; k++)
			v[k] = values[text[i + (size_t)k]];
		if (!v[0] || !v[1] || !v[2] || !v[3])
			break;
		bits = (v[0] - 1) << 18 | (v[1] - 1) << 12 | (v[2] - 1) << 6 |
		       (v[3] - 1);
		to[0] = (uint8_t)(bits >> 16);
		to[1] = (uint8_t)(bits >> 8);
		to[2] = (uint8_t)bits;
	}
	return i;
}

long base64_feed(struct base64 *b, const char *text, size_t n, uint8_t *to)
{
	const unsigned char *c = (const unsigned char *)text;
	uint8_t *at = to;

	for (size_t i = 0; i < n; i++) {
		long wrote;

		if (b->n == 0 && !b->padding) {
			size_t whole = groups(c + i, n - i, at);

			at += whole / 4 * 3;
			i += whole;
			if (i == n)
				break;
		}
		wrote = put(b, c[i], at);
		if (wrote < 0)
			return -1;
		at += wrote;
	}
	return at - to;
}

bool base64_whole(const struct base64 *b)
{
	return b->n == 0 || (b->padding && b->n == 4);
}
