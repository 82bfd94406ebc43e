/* pages.c - see pages.h. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "matrix/pages.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22		/* of Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25		/* of Linux 6.1 */
#endif

enum {
	MOST_MS = 50,			/* of pages_bring() */
	MAPPED = 32 << 20		/* bytes; glibc's largest
					 * M_MMAP_THRESHOLD */
};

static void *map(void *at, int fd, size_t bytes, bool writable)
{
	void *p = mmap(at, bytes, PROT_READ | (writable ? PROT_WRITE : 0),
	               MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Reserves addresses that begin at a multiple of PAGES_LARGE. */
static char *reserve(size_t bytes)
{
	const size_t all = bytes + PAGES_LARGE;
	char *p = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	               0);
	size_t before;

	if (p == MAP_FAILED)
		return NULL;
	before = -(uintptr_t)p % PAGES_LARGE;
	if (before)
		munmap(p, before);
	munmap(p + before + bytes, PAGES_LARGE - before);
	return p + before;
}

void *pages_map(int fd, size_t bytes, bool writable)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *room;
	void *p;

	bytes = size_round_up(size_max(bytes, 1), page);
	if (bytes < PAGES_LARGE)
		return map(NULL, fd, bytes, writable);
	room = reserve(bytes);
	p = room ? map(room, fd, bytes, writable) : NULL;
	if (room && !p)
		munmap(room, bytes);
	return p;
}

/* Makes large pages. MADV_COLLAPSE only makes one where at least one small page
 * is present. */
static void collapse(char *at, size_t bytes, size_t page, int populate)
{
	for (size_t i = 0; i < bytes; i += PAGES_LARGE)
		madvise(at + i, page, populate);
	madvise(at, bytes, MADV_COLLAPSE);
}

static void bring(char *at, size_t bytes, bool writable)
{
	const int populate = writable ? MADV_POPULATE_WRITE :
	                                MADV_POPULATE_READ;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t before = (uintptr_t)at % page;
	char *first = at - before;
	const size_t all = before + bytes;
	const size_t skip = -(uintptr_t)first % PAGES_LARGE;

	if (all >= skip + PAGES_LARGE)
		collapse(first + skip, (all - skip) / PAGES_LARGE * PAGES_LARGE,
		         page, populate);
	madvise(first, all, populate);
}

/* Making large pages of small ones copies them, and other work on the machine
 * may slow that down to some hundred MB/s. */
void pages_bring(void *at, size_t bytes, bool writable)
{
	const size_t piece = 4 * PAGES_LARGE;
	const int64_t end = clock_ns() + MOST_MS * INT64_C(1000000);
	char *p = at;

	for (size_t i = 0, n; i < bytes && clock_ns() < end; i += n) {
		n = size_min(bytes - i, piece - (uintptr_t)(p + i) %
		                                PAGES_LARGE);
		bring(p + i, n, writable);
	}
}

void *pages_new(size_t bytes)
{
	void *room;

	if (bytes < MAPPED)
		return malloc(bytes);
	bytes = size_round_up(bytes, PAGES_LARGE);
	room = aligned_alloc(PAGES_LARGE, bytes);
	if (room)
		madvise(room, bytes, MADV_HUGEPAGE);
	return room;
}
