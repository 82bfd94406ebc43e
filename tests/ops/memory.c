/* memory.c - see memory.h. */
#include "tests/ops/memory.h"

static struct sheet usual;

void memory_remember(void)
{
	usual = *device_sheet(test_device);
}

void memory_allow(size_t bytes)
{
	const uint64_t headroom = SHEET_HEADROOM;

	device_limit(test_device, (bytes * headroom + headroom - 2) /
	             (headroom - 1), usual.max_allocation_bytes);
}

void memory_allow_all(void)
{
	device_limit(test_device, usual.global_memory_bytes,
	             usual.max_allocation_bytes);
}

size_t memory_least(const struct args *a)
{
	struct need n;

	memory_allow(1);
	n = need_now(a);
	memory_allow_all();
	return n.bytes;
}
