/* npz_index.c - see npz_index.h. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "format/npz_index.h"

enum {
	/* The "end of central directory record" of the zip format: its length
	 * and the offsets of its fields, in bytes. */
	END = 22, END_MEMBERS = 10, END_SIZE = 12, END_OFFSET = 16,
	END_COMMENT = 20,
	COMMENT_MOST = 0xffff,		/* bytes of the comment after it */
	/* The length and the offsets of the fields of the "ZIP64 end of central
	 * directory locator", which precedes that record, and of the "ZIP64 end
	 * of central directory record", whose place the locator tells. */
	LOCATOR = 20, LOCATOR_RECORD = 8,
	ZIP64 = 56, ZIP64_MEMBERS = 32, ZIP64_SIZE = 40, ZIP64_OFFSET = 48,
	/* The same of a member's header in the central directory. */
	HEADER = 46, HEADER_SIZE = 24, HEADER_TEXTS = 28, TEXTS = 3,
};

/* The central directory, as an end of central directory record tells it. */
struct directory {
	uint64_t members, size, offset;		/* size and offset: bytes */
};

static uint64_t u16(const unsigned char *p)
{
	return p[0] | (uint64_t)p[1] << 8;
}

static uint64_t u32(const unsigned char *p)
{
	return u16(p) | u16(p + 2) << 16;
}

static uint64_t u64(const unsigned char *p)
{
	return u32(p) | u32(p + 4) << 32;
}

/* Reads the ZIP64 record, if its locator comes before the end record at
 * `at`. */
static void read_zip64(const unsigned char *archive, uint64_t at,
                       struct directory *d)
{
	const unsigned char *locator = archive + at - LOCATOR, *p;
	uint64_t where;

	if (at < LOCATOR + ZIP64 || memcmp(locator, "PK\6\7", 4) != 0)
		return;
	where = u64(locator + LOCATOR_RECORD);
	if (where > at - LOCATOR - ZIP64)
		return;
	p = archive + where;
	if (memcmp(p, "PK\6\6", 4) == 0)
		*d = (struct directory){ u64(p + ZIP64_MEMBERS),
		                         u64(p + ZIP64_SIZE),
		                         u64(p + ZIP64_OFFSET) };
}

/* Is there an end of central directory record at `at`? The signature alone
 * proves nothing, since a member's data or the archive's comment may contain
 * it: a record's comment ends where the archive does, and its directory lies
 * before it and has room for its members. */
static bool read_end(const unsigned char *archive, size_t bytes, size_t at,
                     struct directory *d)
{
	const unsigned char *p = archive + at;

	if (memcmp(p, "PK\5\6", 4) != 0 ||
	    at + END + u16(p + END_COMMENT) != bytes)
		return false;
	*d = (struct directory){ u16(p + END_MEMBERS), u32(p + END_SIZE),
	                         u32(p + END_OFFSET) };
	if (d->members == UINT16_MAX || d->size == UINT32_MAX ||
	    d->offset == UINT32_MAX)
		read_zip64(archive, at, d);
	return d->size <= at && d->offset <= at - d->size &&
	       d->members <= d->size / HEADER;
}

/* Finds the last end record before `before`. Returns its place, or `bytes` if
 * there is none. */
static size_t find_end(const unsigned char *archive, size_t bytes,
                       size_t before, struct directory *d)
{
	const size_t first = bytes > END + COMMENT_MOST ?
	                     bytes - END - COMMENT_MOST : 0;
	size_t at = bytes < END ? 0 : size_min(before, bytes - END + 1);

	while (at-- > first)
		if (read_end(archive, bytes, at, d))
			return at;
	return bytes;
}

size_t npz_index_members(const void *archive, size_t bytes)
{
	struct directory d;
	size_t at = bytes;
	uint64_t most = 0;

	while ((at = find_end(archive, bytes, at, &d)) < bytes)
		most = d.members > most ? d.members : most;
	return (size_t)most;
}

double npz_index_size(const void *archive, size_t bytes, size_t members)
{
	const unsigned char *p = archive, *end;
	struct directory d;
	const size_t at = find_end(p, bytes, bytes, &d);
	double size = 0;

	if (at == bytes)
		return 0;
	end = p + at;
	for (p += d.offset; members-- > 0; ) {
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
