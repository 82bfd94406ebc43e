/* fuzz_decoder.c - decodes arbitrary bytes twice, in one piece and in several:
 * both must give the same bytes, or both must fail. */
#include "fuzz.h"

#include "format/decoder.h"

enum { MOST = 1 << 20 };

static const uint64_t NO_MEMORY = 2;

/* Decodes until the end, an error or MOST bytes; returns a hash of the bytes,
 * 0 after an error, or NO_MEMORY. */
static uint64_t decode(const char *coding, const uint8_t *data, size_t n,
                       size_t piece, size_t room)
{
	struct err e = { 0 };
	struct decoder *d = decoder_new(coding, &e);
	uint8_t *out = aligned_alloc(1, room);
	uint64_t hash = 0xcbf29ce484222325u;
	size_t sum = 0;
	ssize_t made = 0;

	fuzz_want(out && (d || e.code == ERR_MEMORY));
	if (!d) {
		free(out);
		return NO_MEMORY;
	}
	for (size_t at = 0; at < n && made >= 0 && sum < MOST; at += piece) {
		const char *from = (const char *)data + at;
		size_t left = n - at < piece ? n - at : piece;

		do {
			made = decoder_run(d, &from, &left, out, room, &e);
			if (made < 0)
				break;
			fuzz_want((size_t)made <= room);
			fuzz_want(!left || (size_t)made == room);
			hash = fuzz_hash(hash, out, (size_t)made);
			sum += (size_t)made;
		} while ((left || (size_t)made == room) && sum < MOST);
	}
	fuzz_want(decoder_memory(d) < 16 << 20);
	if (sum >= MOST)
		hash = 1;	/* the bytes decoded so far depend on the
				 * sizes of the pieces */
	else if (made < 0 || decoder_end(d, &e))
		hash = 0;
	decoder_free(d);
	free(out);
	if (e.code == ERR_MEMORY)
		return NO_MEMORY;
	fuzz_want((hash == 0) == (e.code == ERR_REQUEST));
	return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	const char *coding = n && data[0] & 128 ? "zstd" : "gzip";
	uint64_t whole, pieces;

	if (n < 1)
		return 0;
	whole = decode(coding, data + 1, n - 1, n, 65536);
	pieces = decode(coding, data + 1, n - 1, 1 + data[0] % 67,
	                1 + data[0] % 61);
	fuzz_want(whole == pieces || whole == NO_MEMORY ||
	          pieces == NO_MEMORY);
	return 0;
}
