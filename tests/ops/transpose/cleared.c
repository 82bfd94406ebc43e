/* cleared.c - no tenant finds what another one left in the device's memory. */
#include "base/size.h"
#include "device/kept.h"
#include "device/state.h"
#include "tests/ops/op.h"

void transpose_cleared(TCase *t);

enum { CANARY = 0xa5, CHUNK = 16 << 20 };

/* Bytes of buffers; the largest are left out where the device has no room. */
static const size_t sizes[] = {
	4 << 10, (4 << 10) + 3, 64 << 10, 1 << 20, 16 << 20, 256 << 20, 1 << 30
};

static bool has_room(size_t bytes)
{
	const struct sheet *s = device_sheet(test_device);

	return bytes <= s->max_allocation_bytes && bytes < test_memory / 2 &&
	       bytes < s->global_memory_bytes / 8;
}

static cl_mem take(size_t bytes)
{
	struct err e = { 0 };
	const cl_mem mem = spare_take(test_device, bytes, &e);

	ck_assert_msg(mem, "%s", e.text);
	return mem;
}

static void fill(cl_mem mem, size_t bytes)
{
	const unsigned char canary = CANARY;

	ck_assert_int_eq(clEnqueueFillBuffer(test_device->lane[0], mem, &canary,
	                 1, 0, bytes, 0, NULL, NULL), CL_SUCCESS);
	ck_assert_int_eq(clFinish(test_device->lane[0]), CL_SUCCESS);
}

/* How many bytes of the buffer have that value. */
static size_t count(cl_mem mem, size_t bytes, unsigned char value)
{
	static unsigned char chunk[CHUNK];
	size_t found = 0;

	for (size_t at = 0; at < bytes; at += CHUNK) {
		const size_t n = size_min(CHUNK, bytes - at);

		ck_assert_int_eq(clEnqueueReadBuffer(test_device->lane[0], mem,
		                 CL_TRUE, at, n, chunk, 0, NULL, NULL),
		                 CL_SUCCESS);
		for (size_t i = 0; i < n; i++)
			found += chunk[i] == value;
	}
	return found;
}

/* Leaves a buffer full of canaries, of the tenant with that number. */
static void leave(size_t bytes, uint32_t tenant)
{
	cl_mem mem;

	device_serve(test_device, tenant);
	mem = take(bytes);
	fill(mem, bytes);
	spare_give(test_device, mem, bytes, tenant);
}

START_TEST(a_kept_buffer_is_cleared_for_another_tenant)
{
	const size_t bytes = sizes[_i];
	cl_mem mem;

	if (!has_room(bytes))
		return;
	leave(bytes, 1);
	mem = take(bytes);		/* the same tenant's: as it was */
	ck_assert_uint_eq(count(mem, bytes, CANARY), bytes);
	spare_give(test_device, mem, bytes, 1);
	device_serve(test_device, 2);
	mem = take(bytes);
	ck_assert_uint_eq(count(mem, bytes, 0), bytes);
	spare_give(test_device, mem, bytes, 2);
	device_serve(test_device, 0);
	spare_drop_all(test_device);
}
END_TEST

/* The driver may give memory again that it was given back. */
START_TEST(a_new_buffer_has_nothing_of_another_tenant)
{
	const size_t bytes = sizes[_i];
	cl_mem mem;

	if (!has_room(bytes))
		return;
	leave(bytes, 1);
	spare_drop_all(test_device);
	device_serve(test_device, 2);
	mem = take(bytes);
	ck_assert_uint_eq(count(mem, bytes, 0), bytes);
	spare_give(test_device, mem, bytes, 2);
	device_serve(test_device, 0);
	spare_drop_all(test_device);
}
END_TEST

START_TEST(a_buffer_of_unknown_contents_is_cleared_for_everybody)
{
	cl_mem mem;

	device_serve(test_device, 1);
	mem = take(sizes[0]);
	fill(mem, sizes[0]);
	spare_give(test_device, mem, sizes[0], (uint32_t)SPARE_STRANGE);
	mem = take(sizes[0]);
	ck_assert_uint_eq(count(mem, sizes[0], 0), sizes[0]);
	spare_give(test_device, mem, sizes[0], 1);
	device_serve(test_device, 0);
	spare_drop_all(test_device);
}
END_TEST

void transpose_cleared(TCase *t)
{
	tcase_add_loop_test(t, a_kept_buffer_is_cleared_for_another_tenant, 0,
	                    COUNT(sizes));
	tcase_add_loop_test(t, a_new_buffer_has_nothing_of_another_tenant, 0,
	                    COUNT(sizes));
	tcase_add_test(t,
	               a_buffer_of_unknown_contents_is_cleared_for_everybody);
}
