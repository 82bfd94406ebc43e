/* npz.c - see npz.h. A member is a local header (PKWARE's APPNOTE, section
 * 4.3.7), its name, its extra fields and its bytes:
 *
 *     at   0          18       22      26    28     30
 *          "PK\3\4"   stored   size    name  extra  the name, ...
 *
 * A size of 2^32 - 1 means that the first extra field, Zip64, has the true one,
 * after four bytes (4.5.3). */
#include <stdint.h>
#include <string.h>

#include "clients/lapack/npz.h"

enum {
	STORED = 18, NAME = 26, EXTRA = 28, HEADER = 30,
	ZIP64_SIZE = 4, ZIP64 = 12,	/* of the extra field */
	NPY_MAJOR = 6, NPY_LENGTH = 8,	/* of an npy */
};

struct member {
	const char *name, *data;
	size_t name_length;
	uint64_t size;
};

/* Returns the number that these bytes hold, the lowest first. */
static uint64_t number(const char *p, int bytes)
{
	uint64_t x = 0;

	while (bytes--)
		x = x << 8 | (unsigned char)p[bytes];
	return x;
}

/* Reads the member that begins at p, where n bytes are left. */
static bool read_member(const char *p, size_t n, struct member *m)
{
	size_t extra, head;

	if (n < HEADER || memcmp(p, "PK\3\4", 4))
		return false;
	m->name = p + HEADER;
	m->name_length = number(p + NAME, 2);
	m->size = number(p + STORED, 4);
	extra = number(p + EXTRA, 2);
	head = HEADER + m->name_length + extra;
	if (head > n)
		return false;
	if (m->size == UINT32_MAX && extra >= ZIP64)
		m->size = number(m->name + m->name_length + ZIP64_SIZE, 8);
	m->data = p + head;
	return m->size <= n - head;
}

static bool is_named(const struct member *m, const char *name)
{
	const size_t n = strlen(name);

	return m->name_length == n + 4 && memcmp(m->name, name, n) == 0 &&
	       memcmp(m->name + n, ".npy", 4) == 0;
}

/* Skips the header of an npy of version 1, 2 or 3. */
static bool skip_header(const struct member *m, struct npz_array *a)
{
	int width;
	uint64_t head;

	if (m->size < NPY_LENGTH + 4 || memcmp(m->data, "\x93NUMPY", 6))
		return false;
	width = m->data[NPY_MAJOR] == 1 ? 2 : 4;
	head = NPY_LENGTH + (uint64_t)width +
	       number(m->data + NPY_LENGTH, width);
	if (head > m->size)
		return false;
	*a = (struct npz_array){ m->data + head, (size_t)(m->size - head) };
	return true;
}

bool npz_find(const struct text *npz, const char *name, struct npz_array *a)
{
	const char *const end = npz->data + npz->length;
	struct member m;

	for (const char *p = npz->data; p; p = m.data + m.size) {
		if (!read_member(p, (size_t)(end - p), &m))
			return false;
		if (is_named(&m, name))
			return skip_header(&m, a);
	}
	return false;
}
