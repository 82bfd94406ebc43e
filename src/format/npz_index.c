/* npz_index.c - see npz_index.h. */
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "format/npz_index.h"

enum {
	/* the end of the central directory: its length and its fields */
	END = 22, END_MEMBERS = 10, END_OFFSET = 16,
	COMMENT_MOST = 0xffff,		/* bytes after the last one's */
	/* a member's header in the central directory */
	HEADER = 46, HEADER_SIZE = 24, HEADER_TEXTS = 28, TEXTS = 3,
};

static size_t u16(const unsigned char *p)
{
	return p[0] | (size_t)p[1] << 8;
}

static size_t u32(const unsigned char *p)
{
	return u16(p) | u16(p + 2) << 16;
}

/* Finds the last end record of a central directory that begins before `before`;
 * NULL: there is none. */
static const unsigned char *find_end(const unsigned char *archive,
                                     size_t bytes, size_t before)
{
	const size_t first = bytes > END + COMMENT_MOST ?
	                     bytes - END - COMMENT_MOST : 0;
	size_t at = bytes < END ? 0 : size_min(before, bytes - END + 1);

	while (at-- > first)
		if (!memcmp(archive + at, "PK\5\6", 4))
			return archive + at;
	return NULL;
}

size_t npz_index_members(const void *archive, size_t bytes)
{
	const unsigned char *end = find_end(archive, bytes, bytes);
	size_t most = 0;

	while (end) {
		most = size_max(most, u16(end + END_MEMBERS));
		end = find_end(archive, bytes,
		               (size_t)(end - (const unsigned char *)archive));
	}
	return most;
}

double npz_index_size(const void *archive, size_t bytes, size_t members)
{
	const unsigned char *p = archive, *end = find_end(p, bytes, bytes);
	const size_t offset = end ? u32(end + END_OFFSET) : bytes;
	double size = 0;

	if (offset > bytes)
		return 0;
	for (p += offset; members-- > 0 && end; ) {
		size_t n = HEADER;

		if (end - p < HEADER || memcmp(p, "PK\1\2", 4) != 0)
			break;
		for (int i = 0; i < TEXTS; i++)
			n += u16(p + HEADER_TEXTS + 2 * i);
		size += (double)u32(p + HEADER_SIZE);
		if (n > (size_t)(end - p))
			break;
		p += n;
	}
	return size;
}
