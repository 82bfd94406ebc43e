/* patch.h - a valid message, changed as the fuzzer likes: plain structs, whose
 * size and layout depend on the compiler, would make no good seeds.
 *
 *     input    length (2 bytes), then changes of 3 bytes each: at, value
 *     message  of that length, with those bytes changed */
#ifndef TESTS_FUZZ_PATCH_H
#define TESTS_FUZZ_PATCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static inline void fuzz_want(int truth)
{
	if (!truth)
		abort();
}

static inline size_t fuzz_number(const uint8_t *two)
{
	return two[0] | (size_t)two[1] << 8;
}

/* Changes the message as the input says; returns its new length, which is the
 * old one for 0 and at most `room`. Bytes beyond the old length are zero unless
 * a change sets them. */
static inline size_t fuzz_patch(void *message, size_t length, size_t room,
                                const uint8_t *data, size_t n)
{
	uint8_t *const to = message;
	size_t all = n >= 2 ? fuzz_number(data) : 0;

	if (all == 0)
		all = length;
	if (all > room)
		all = room;
	if (all > length)
		memset(to + length, 0, all - length);
	for (size_t i = 2; i + 3 <= n; i += 3)
		if (fuzz_number(data + i) < all)
			to[fuzz_number(data + i)] = data[i + 2];
	return all;
}

#endif
