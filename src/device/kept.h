/* kept.h - a device's memory: the account of what is used, and the buffers that
 * are kept for later sequences. */
#ifndef DEVICE_KEPT_H
#define DEVICE_KEPT_H

#include <stdint.h>

#include "device/cl.h"

/* A call of qr creates about 30 buffers. With fewer spare buffers than that,
 * each call would release buffers that the next call has to allocate again,
 * which takes milliseconds on a GPU. */
enum { SPARE_BUFFERS = 64, RESIDENTS = 64, EARLY = 4 };

/* A buffer that no sequence uses, kept for the next one. */
struct spare {
	cl_mem mem;
	size_t bytes;
	uint64_t stamp;			/* when it was given back */
	uint32_t tenant;		/* whose elements it has */
};

/* A part of a matrix's memory: `rows` rows of `row` bytes, the first at byte
 * `at`, each `pitch` bytes after the one before. Memory without gaps is one
 * row. */
struct span {
	size_t at, rows, row, pitch;
};

static inline size_t span_bytes(const struct span *s)
{
	return s->rows * s->row;
}

static inline bool span_same(const struct span *a, const struct span *b)
{
	return a->at == b->at && a->rows == b->rows && a->row == b->row &&
	       a->pitch == b->pitch;
}

/* The layout of lower triangular matrices that follow one another in memory,
 * each of `rows` rows of `row` bytes. rows is 0 for any other matrices. */
struct lower {
	size_t rows, row;
};

/* A buffer with the elements of a stored matrix or a part of it; stamp 0: the
 * entry is free. */
struct resident {
	cl_mem mem;
	size_t bytes;
	uint64_t stored;		/* the number of the matrix's contents;
					 * see struct memory */
	struct span at;
	uint64_t stamp;			/* when it was used last */
	int users;			/* sequences that use the buffer, which
					 * is not released while there are
					 * any */
};

/* An operand whose first `sent` bytes are on the device; mem NULL: the slot is
 * free. */
struct early {
	cl_mem mem;
	size_t bytes, sent;
	uint64_t name;			/* struct memory's upload_id */
	uint64_t stamp;			/* when its upload began */
};

/* spare.c: the account of the device's memory, needed because OpenCL itself
 * hands out more than there is. A request beyond the memory, less some
 * headroom, is refused with ERR_TOO_LARGE, after all buffers that are only kept
 * for later have been released. */
bool account_take(struct device *d, size_t bytes, struct err *e);
void account_give(struct device *d, size_t bytes);

/* spare.c: buffers without contents, kept between sequences because the first
 * touch of fresh pages costs as much as a small kernel. spare_take() makes a
 * buffer if no kept one has that size, and returns NULL with *e on failure; the
 * caller returns the buffer by spare_give(), which says whose elements it may
 * have: those of a tenant, or SPARE_STRANGE. A buffer that may have elements of
 * another tenant than the device's present one is cleared when it is taken. */
enum { SPARE_STRANGE = -1 };
cl_mem spare_take(struct device *d, size_t bytes, struct err *e);
void spare_give(struct device *d, cl_mem mem, size_t bytes, uint32_t tenant);
void spare_drop_all(struct device *d);

/* early.c: returns the buffer of that operand, which now belongs to the caller
 * like one from spare_take(), and sets *sent to the number of its bytes that
 * are on the device. NULL: there is none. */
cl_mem early_take(struct device *d, uint64_t name, size_t bytes, size_t *sent);
void early_drop_all(struct device *d);

/* resident.c: resident_take() returns the buffer of a stored matrix, which the
 * caller returns by resident_give(), or NULL. resident_keep() takes a buffer
 * over, or returns false. resident_drop_oldest() releases the least recently
 * used buffer that no sequence uses; false if there is none. */
cl_mem resident_take(struct device *d, uint64_t stored, const struct span *at);
void resident_give(struct device *d, cl_mem mem);
bool resident_keep(struct device *d, uint64_t stored, const struct span *at,
                   cl_mem mem);
bool resident_drop_oldest(struct device *d);

#endif
